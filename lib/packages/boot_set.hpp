// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "packages/where.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace bootbudget::packages {

/// Where a package's file belongs: the release of "/lib/modules/R/…" or "/usr/lib/modules/R/…" and the rest of the name after it ("" for the directory itself).
struct ModulePath {
    std::string_view release;
    std::string_view rest;
};

/// Empty release: the name is not below a release's module directory.
ModulePath module_path(std::string_view name);

/// True for a package that has to do with a kernel's boot: it owns files below a module directory, or provides or requires a "…-uname-r".
bool concerns_a_kernel(const RpmFile & package);

/// The kernels among the packages, each with its boot set, and notes on what was left out. A value-in value-out function: nothing is opened.
///
/// A version in a provide has '_' where the release has '-' ("+rt_debug"), so releases are compared with both taken as one. Throws UserError for kernel packages of
/// two source builds (both named, with `where` and the next step), and for two different packages of one NEVRA.
struct Kernels {
    std::vector<FoundKernel> kernels;  ///< sorted by release
    std::string nvr;                   ///< of the source package; empty if there are no kernels
    std::vector<std::string> notes;
};
Kernels find_kernels(const std::vector<RpmFile> & packages, const std::string & where);

}  // namespace bootbudget::packages
