// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "packages/rpm_file.hpp"

#include <set>
#include <string>
#include <vector>

namespace bootbudget::packages {

/// What one package has to do with one release.
struct Share {
    const RpmFile * package = nullptr;
    bool image = false;
    bool unified_image = false;
    bool provides_kernel = false;
    bool modules = false;             ///< below kernel/, where a build's own modules are
    std::set<std::string> drivers;    ///< of boot_drivers(), wherever they lie
    std::vector<Capability> needs;    ///< "…-uname-r" of this release
    std::vector<std::string> offers;  ///< the same, by name

    bool owns_something() const { return image || unified_image || modules || !drivers.empty(); }
    bool offers_to(const Capability & need) const;
};

/// All that concerns one kernel: one release of one architecture.
struct Group {
    std::string release;
    std::vector<Share> shares;
};

/// The kernels among the packages, which must outlive the result: releases that have an image or are provided as kernel-uname-r.
std::vector<Group> groups_of(const std::vector<RpmFile> & packages);

}  // namespace bootbudget::packages
