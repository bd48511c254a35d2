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

/// Unpacks the files that `wanted` accepts (by absolute name, such as "/lib/modules/R/vmlinuz") below `root`, an existing directory of ours, through librpm's
/// payload reader; ghosts are not in a payload. No path leaves the tree whatever the archive says: names with "..", empty or relative parts, names through a
/// symbolic link, absolute link targets that would be followed, device nodes, sizes beyond the header's: UserError naming package and entry, nothing of
/// the entry written. Every directory is opened with openat2(RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS) or O_NOFOLLOW step by step. Modes: 0644/0755, setuid bits dropped; owner is this process.
/// SystemError for a full disk, Cancelled on stop. File digests are checked while unpacking.
void unpack(
    const RpmFile & package,
    const std::filesystem::path & root,
    const std::function<bool(std::string_view)> & wanted,
    const UnpackLimits & limits,
    std::stop_token stop);

}  // namespace bootbudget::packages
