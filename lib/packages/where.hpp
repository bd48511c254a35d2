// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "kernel/boot_tree.hpp"
#include "net/download.hpp"
#include "packages/rpm_file.hpp"

#include <bootbudget/progress.hpp>
#include <bootbudget/report.hpp>

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace bootbudget::packages {

/// A WHERE, and what goes with it.
struct Place {
    std::string where;
    std::string select;           ///< which build or kernel of several, see find_build(); empty: none is named
    std::filesystem::path cache;  ///< for what is downloaded; empty: net::default_cache()
};

/// One kernel found at a WHERE, not yet unpacked.
struct FoundKernel {
    std::string release;
    std::vector<RpmFile> boot_set;   ///< the packages to unpack together, that of the image first; empty for a tree
    std::vector<std::string> notes;  ///< what is odd: a missing -modules package, a UKI only
    std::string
        not_bootable;  ///< why it can not be unpacked to something that boots (no image in any package, …); else empty
};

/// Where the packages of a repository are.
struct Remote {
    std::map<std::string, net::Download> packages;  ///< by NEVRA; those of all boot sets
    net::FetchOptions fetch;
    std::shared_ptr<const Keyring> keyring;  ///< none: signatures are not checked
};

/// What a WHERE holds.
struct FoundBuild {
    std::string where;
    std::string nvr;       ///< of the source package; empty for a tree
    bool is_tree = false;  ///< "tree:DIR" or "installed"
    std::filesystem::path directory;
    std::vector<FoundKernel> kernels;  ///< sorted by release
    std::vector<std::string> notes;    ///< packages that were left out and why
    std::optional<Remote> remote;      ///< of a repository: its packages have no path until they are obtained
};

/// Reads a WHERE:
/// - "DIR": RPMs, nested or not; not below hidden directories; at most 10 000 files. Of several builds `select` names one (NVR, or source package: its newest).
/// - "https://…", "http://…", "file:///…": a repository, the address of the directory above repodata/. The newest build, or the one that `select` names.
/// - "tree:DIR": an unpacked tree; all its kernels, or the one whose release `select` names.
/// - "installed": this machine's running kernel, or the one whose release `select` names.
///
/// "koji:NVR" will be known to a later version and is a UserError that says so. UserErrors: no such directory, no kernel packages in it (and what was there
/// instead), packages of two builds and none named, a damaged RPM (nothing is booted then). A kernel is a release that some package provides as
/// `kernel-uname-r` (fallback: has an image); how its boot set is chosen is said in boot_set.hpp.
///
/// With a keyring, every package that concerns a kernel must have a good signature by one of its keys: UserError for the first that has not. Those of a repository are looked at
/// when they are obtained.
FoundBuild find_build(
    const Place & place,
    Progress & progress,
    std::stop_token stop,
    const std::shared_ptr<const Keyring> & keyring = nullptr);

/// How many of a kernel's packages.
enum class Extent {
    CORE,  ///< the one that holds image and configuration
    ALL
};

/// Downloads packages of the boot sets of these kernels (by index) that are not here yet, verifies them like others, and puts them in the place of what the metadata said.
/// Nothing to do where there is nothing to download. UserError if a package is not the one that the metadata promised; and what net::fetch() and read_rpm() throw.
void obtain(
    FoundBuild & build,
    const std::vector<std::size_t> & kernels,
    Extent extent,
    Progress & progress,
    std::stop_token stop);

/// Unpacks one kernel into `root` (an existing empty directory of ours; for a tree: a shadow of links), checks the image, runs depmod. The result is ready to boot.
/// Of a repository, the packages must have been obtained. `read_config_only` unpacks only the config and image, without depmod, for plans.
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
