// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/account.hpp"
#include "kernel/boot_tree.hpp"
#include "packages/where.hpp"
#include "policy/policy.hpp"

#include <bootbudget/check.hpp>

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace bootbudget::run {

/// One kernel of the build under test, as far as it could be prepared.
struct Subject {
    packages::FoundKernel found;
    std::optional<kernel::BootTree> tree;  ///< absent when it could not be unpacked to something bootable
    Variant variant;                       ///< name (empty: not measured), kind, flavour, why; no samples yet
    std::string not_booted;                ///< why it is not booted; empty if it is

    bool is_booted() const { return tree.has_value() && not_booted.empty(); }
};

/// How much of each kernel to unpack.
enum class Depth {
    PLAN,  ///< configuration and image only
    BOOT   ///< everything that a boot needs, with module lists
};

/// Unpacks each kernel of `build`, which plays `role`, below `trees` (its own directory each), reads its kind from its configuration, and finds the policy's variant that it is.
/// Kernels that no variant of the policy matches are not unpacked further than for a plan, nor is more of them downloaded. Throws what obtain() and unpack_kernel() throw; a kernel that only cannot be booted here is not an
/// error, it carries its reason.
std::vector<Subject> prepare_subjects(
    packages::FoundBuild & build,
    BuildRole role,
    const policy::Policy & policy,
    const std::filesystem::path & trees,
    Depth depth,
    Progress & progress,
    std::stop_token stop);

/// The directory for boot trees and appliances: `requested`, else $TMPDIR, else /var/tmp. UserError if it does not exist, or cannot be used for boots (a comma
/// in its path).
std::filesystem::path work_base(const std::filesystem::path & requested);

}  // namespace bootbudget::run
