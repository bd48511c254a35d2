// SPDX-License-Identifier: GPL-2.0-or-later
// One package may concern several releases (a meta package) and most concern none. A release is spelt in three ways, by directories, by provides and by
// requirements, of which only the directory's is what `uname -r` says.
#include "packages/share.hpp"

#include "kernel/boot_driver.hpp"
#include "kernel/release.hpp"
#include "packages/boot_set.hpp"
#include "packages/build_solver.hpp"

#include <algorithm>
#include <map>
#include <string_view>

namespace bootbudget::packages {

namespace {

constexpr std::string_view UNAME_R = "-uname-r";

bool is_uname_r(const Capability & capability) {
    return capability.name.size() > UNAME_R.size() &&
           std::string_view(capability.name).substr(capability.name.size() - UNAME_R.size()) == UNAME_R &&
           capability.sense == "=";
}

bool is_image(std::string_view rest) {
    return rest == "vmlinuz" || rest == "vmlinux";
}

bool is_unified_image(std::string_view rest) {
    return rest.size() > 4 && rest.substr(rest.size() - 4) == ".efi";
}

std::set<std::string> driver_names() {
    std::set<std::string> names;
    for (const kernel::BootDriver & driver : kernel::boot_drivers()) {
        names.emplace(driver.module);
    }
    return names;
}

// The release whose image lies in boot/, as elsewhere than in Fedora.
std::string_view release_in_boot(std::string_view name) {
    for (const std::string_view prefix : {"/boot/vmlinuz-", "/boot/vmlinux-"}) {
        if (name.substr(0, prefix.size()) == prefix && kernel::is_release(name.substr(prefix.size()))) {
            return name.substr(prefix.size());
        }
    }
    return {};
}

std::map<std::string, Share> shares_of(const RpmFile & package, std::map<std::string, std::string> & spelling) {
    static const std::set<std::string> DRIVERS = driver_names();
    std::map<std::string, Share> shares;
    std::string_view last;  // most files are of the same release as the one before
    Share * of_last = nullptr;
    for (const std::string & name : package.files) {
        const ModulePath path = module_path(name);
        const std::string_view release = path.release.empty() ? release_in_boot(name) : path.release;
        if (release.empty()) {
            continue;
        }
        if (release != last) {
            last = release;
            spelling.insert_or_assign(comparable(release), std::string(release));
            of_last = &shares[comparable(release)];
        }
        Share & share = *of_last;
        if (path.release.empty() || is_image(path.rest)) {
            share.image = std::max(share.image, path.release.empty() ? Image::BOOT_DIRECTORY : Image::MODULE_DIRECTORY);
        }
        share.unified_image = share.unified_image || is_unified_image(path.rest);
        const std::string module = kernel::module_name(path.rest);
        if (!module.empty()) {
            share.modules = share.modules || path.rest.substr(0, 7) == "kernel/";
            if (DRIVERS.count(module) != 0) {
                share.drivers.insert(module);
            }
        }
    }
    for (const Capability & capability : package.provides) {
        if (is_uname_r(capability) && kernel::is_release(capability.version)) {
            spelling.emplace(comparable(capability.version), capability.version);
            Share & share = shares[comparable(capability.version)];
            share.offers.push_back(capability.name);
            share.provides_kernel = share.provides_kernel || capability.name == "kernel-uname-r";
        }
    }
    for (const Capability & capability : package.requires_) {
        if (is_uname_r(capability) && kernel::is_release(capability.version)) {
            spelling.emplace(comparable(capability.version), capability.version);
            shares[comparable(capability.version)].needs.push_back(capability);
        }
    }
    return shares;
}

}  // namespace

bool Share::offers_to(const Capability & need) const {
    return std::find(offers.begin(), offers.end(), need.name) != offers.end();
}

ModulePath module_path(std::string_view name) {
    for (const std::string_view prefix : {"/lib/modules/", "/usr/lib/modules/"}) {
        if (name.substr(0, prefix.size()) != prefix) {
            continue;
        }
        const std::string_view below = name.substr(prefix.size());
        const auto slash = std::min(below.find('/'), below.size());
        if (kernel::is_release(below.substr(0, slash))) {
            return {below.substr(0, slash), below.substr(std::min(slash + 1, below.size()))};
        }
    }
    return {};
}

bool concerns_a_kernel(const RpmFile & package) {
    return std::any_of(
               package.files.begin(),
               package.files.end(),
               [](const std::string & name) {
                   return !module_path(name).release.empty() || !release_in_boot(name).empty();
               }) ||
           std::any_of(package.provides.begin(), package.provides.end(), is_uname_r) ||
           std::any_of(package.requires_.begin(), package.requires_.end(), is_uname_r);
}

std::vector<Group> groups_of(const std::vector<const Member *> & packages) {
    std::map<std::string, std::string> spelling;  // comparable → as directories have it, else as provides do
    std::map<std::pair<std::string, std::string>, Group> groups;
    for (const Member * member : packages) {
        for (auto & [release, share] : shares_of(member->package, spelling)) {
            share.member = member;
            groups[{release, member->package.arch}].shares.push_back(std::move(share));
        }
    }
    std::vector<Group> result;
    for (auto & [key, group] : groups) {
        group.release = spelling.at(key.first);
        const bool kernel = std::any_of(group.shares.begin(), group.shares.end(), [](const Share & share) {
            return share.image != Image::NONE || share.provides_kernel;
        });
        if (kernel) {
            result.push_back(std::move(group));
        }
    }
    return result;
}

}  // namespace bootbudget::packages
