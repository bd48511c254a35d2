// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "packages/universe.hpp"
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

/// The kernels among a universe's members, each with its boot set, and notes on what was left out.
struct Kernels {
    std::vector<FoundKernel> kernels;  ///< sorted by release
    std::string nvr;                   ///< of the source package; empty if there are no kernels
    std::vector<std::string> notes;
};

/// Chooses the boot sets: what libsolv says must be there with the package that holds the image, and packages of the same build that hold drivers of the
/// guest's machine (kernel::boot_drivers()) which those do not. Nothing is opened.
///
/// A version in a provide has '_' where the release has '-' ("+rt_debug"), so releases are compared with both taken as one. Of several builds `select` names one. Throws UserError for
/// kernels of two builds without it (both named, with `where` and the next step), and for two different packages of one NEVRA.
Kernels find_kernels(Universe & universe, const std::string & where, const std::string & select = {});

/// The same for packages that were read.
Kernels find_kernels(const std::vector<RpmFile> & packages, const std::string & where, const std::string & select = {});

}  // namespace bootbudget::packages
