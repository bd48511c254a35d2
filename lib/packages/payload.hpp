// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "packages/rpm_file.hpp"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string_view>

namespace bootbudget::packages {

/// What one unpacking may write at most.
struct UnpackLimits {
    std::uint64_t max_bytes = std::uint64_t{8} << 30U;
    std::uint64_t max_files = 200000;
};

/// Unpacks the files that `wanted` accepts (by absolute name, such as "/lib/modules/R/vmlinuz") below `root`, an existing directory of ours, from librpm's
/// payload stream in one pass, which ends with the last of them; ghosts are not in a payload. A second thread hashes and writes, four mebibytes at most behind
/// the one that reads and decompresses; no more of the content than these is ever in memory.
///
/// No path leaves the tree whatever the package says: names with "..", empty or relative parts, control characters, names through a symbolic link or a file, device
/// nodes, FIFOs and sockets, the same place twice, hard links that disagree, sizes beyond the limits: UserError naming package and entry before anything is
/// written. Every directory is opened with O_NOFOLLOW step by step. An archive that does not match the header, and content that differs from its digest in the
/// header: UserError, nothing of the entry stays. Symbolic links that could lead out of the tree are left out. Modes: 0644/0755, setuid bits dropped; the owner is this
/// process. UserError if the file is no longer the package that was read; SystemError for a full disk, Cancelled on stop.
void unpack(
    const RpmFile & package,
    const std::filesystem::path & root,
    const std::function<bool(std::string_view)> & wanted,
    const UnpackLimits & limits,
    std::stop_token stop);

}  // namespace bootbudget::packages
