// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "packages/universe.hpp"

#include <set>
#include <string>
#include <vector>

namespace bootbudget::packages {

/// Where a package has an image; the better place is the greater.
enum class Image { NONE, BOOT_DIRECTORY, MODULE_DIRECTORY };

/// What one package has to do with one release.
struct Share {
    const Member * member = nullptr;
    Image image = Image::NONE;
    bool unified_image = false;
    bool provides_kernel = false;
    bool modules = false;             ///< below kernel/, where a build's own modules are
    std::set<std::string> drivers;    ///< of boot_drivers(), wherever they lie
    std::vector<Capability> needs;    ///< "…-uname-r" of this release
    std::vector<std::string> offers;  ///< the same, by name

    const RpmFile & package() const { return member->package; }
    bool owns_something() const { return image != Image::NONE || unified_image || modules || !drivers.empty(); }
    bool offers_to(const Capability & need) const;
};

/// All that concerns one kernel: one release of one architecture.
struct Group {
    std::string release;
    std::vector<Share> shares;
};

/// The kernels among the packages, which must outlive the result: releases that have an image or are provided as kernel-uname-r.
std::vector<Group> groups_of(const std::vector<const Member *> & packages);

}  // namespace bootbudget::packages
