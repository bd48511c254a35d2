// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "kernel/boot_tree.hpp"
#include "packages/rpm_file.hpp"

#include <bootbudget/progress.hpp>
#include <bootbudget/report.hpp>

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace bootbudget::packages {

/// One kernel found at a WHERE, not yet unpacked.
struct FoundKernel {
    std::string release;
    std::vector<RpmFile> boot_set;   ///< the packages to unpack together; empty for a tree
    std::vector<std::string> notes;  ///< what is odd: a missing -modules package, a UKI only
    std::string
        not_bootable;  ///< why it can not be unpacked to something that boots (no image in any package, …); else empty
};

/// What a WHERE holds.
struct FoundBuild {
    std::string where;
    std::string nvr;       ///< of the source package; empty for a tree
    bool is_tree = false;  ///< "tree:DIR"
    std::filesystem::path directory;
    std::vector<FoundKernel> kernels;  ///< sorted by release
    std::vector<std::string> notes;    ///< packages that were left out and why
};

/// Reads a WHERE: "DIR" (RPMs, nested or not; not below hidden directories; at most 10 000 files) or "tree:DIR". Forms that a later version will know (URL, koji:, installed) are a
/// UserError that says "not supported by this version". UserErrors: no such directory, no kernel packages in it (and what was there instead), packages of two builds (both named), a
/// damaged RPM (nothing is booted then). A kernel is a release that some package provides as `kernel-uname-r` (fallback: has lib/modules/R/vmlinuz);
/// its boot set is every package that owns files below lib/modules/R/ and is the -core, or is needed by it (Requires answered by Provides
/// within the build), or holds kernel/ modules: never a name pattern; -devel, -debuginfo and -internal (…modules-internal, UKI) are left out because they own nothing a boot needs.
/// With a keyring, every package that concerns a kernel must have a good signature by one of its keys: UserError for the first that has not.
FoundBuild find_build(
    const std::string & where, Progress & progress, std::stop_token stop, const Keyring * keyring = nullptr);

/// Unpacks one kernel into `root` (an existing empty directory of ours; for a tree: a shadow of links), checks the image, runs depmod. The result is ready to boot.
/// `read_config_only` unpacks only the config and image, without depmod, for plans.
/// A kernel that is not bootable can still be looked into with `read_config_only` if some package of it holds an image.
kernel::BootTree unpack_kernel(
    const FoundBuild & build,
    const FoundKernel & kernel,
    const std::filesystem::path & root,
    bool read_config_only,
    std::stop_token stop);

/// A driver that a boot needs, that the configuration has as a module, and that no package of the boot set holds: one sentence that says so; empty if nothing is missing.
std::string missing_driver(const kernel::BootTree & tree, const FoundKernel & kernel);

}  // namespace bootbudget::packages
