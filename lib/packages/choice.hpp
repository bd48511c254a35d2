// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>
#include <vector>

namespace bootbudget::packages {

/// A build of a source package that has kernels among its packages.
struct KernelBuild {
    std::string nvr;  ///< "kernel-6.17-1.fc43", of the source package
    std::string evr;  ///< [epoch:]version-release of its kernels

    /// "kernel": the source package's name.
    std::string name() const;
};

/// Where several builds are at one place.
enum class Several {
    MISTAKE,  ///< a directory: somebody has mixed them
    NEWEST    ///< a repository keeps earlier ones
};

/// One build of those at `where`, which are at least one. `select` names it (its NVR), or a source package whose newest is meant, or is empty: the only one, or the newest if there
/// is one source package only. Versions are compared as rpm does (rpmverCmp). UserError with the builds there are, and the next step, if that does not settle it.
KernelBuild choose_build(
    const std::vector<KernelBuild> & builds, const std::string & select, Several several, const std::string & where);

/// At most `most` of the names, and how many more there are.
std::string list_of(const std::vector<std::string> & names, std::size_t most = 6);

}  // namespace bootbudget::packages
