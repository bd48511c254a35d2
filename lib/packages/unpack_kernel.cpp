// SPDX-License-Identifier: GPL-2.0-or-later
// From packages to something that boots. Files land in lib/modules whether their package says /lib or /usr/lib; what is wrong with an image or a configuration is
// said with the package's name, since the user does not know our temporary tree.
#include "packages/where.hpp"

#include "kernel/boot_driver.hpp"
#include "kernel/boot_file.hpp"
#include "packages/boot_set.hpp"
#include "packages/placement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace bootbudget::packages {

namespace fs = std::filesystem;

namespace {

// Only image and configuration, or all that a boot needs.
Placement placement_for(const std::string & release, bool config_only) {
    return [release, config_only](std::string_view name) -> std::optional<std::string> {
        const auto is_wanted = [config_only](std::string_view file) {
            return config_only ? file == "vmlinuz" || file == "vmlinux" || file == "config"
                               : kernel::is_boot_file(file);
        };
        if (const ModulePath path = module_path(name); path.release == release) {
            if (path.rest.empty()) {
                return fmt::format("lib/modules/{}", release);
            }
            return is_wanted(path.rest) ? std::optional(fmt::format("lib/modules/{}/{}", release, path.rest))
                                        : std::nullopt;
        }
        // Elsewhere than in Fedora.
        for (const std::string_view file : {"vmlinuz", "vmlinux", "config", "System.map"}) {
            if (is_wanted(file) && name == fmt::format("/boot/{}-{}", file, release)) {
                return std::string(name.substr(1));
            }
        }
        return std::nullopt;
    };
}

bool holds(const std::vector<RpmFile> & packages, std::string_view module) {
    return std::any_of(packages.begin(), packages.end(), [module](const RpmFile & package) {
        return std::any_of(package.files.begin(), package.files.end(), [module](const std::string & file) {
            return kernel::module_name(file) == module;
        });
    });
}

kernel::BootTree unpack_packages(
    const FoundKernel & kernel, const fs::path & root, bool read_config_only, std::stop_token stop) {
    const Placement placement = placement_for(kernel.release, read_config_only);
    // The image's package, which comes first, has the configuration too.
    const std::size_t count = read_config_only ? 1 : kernel.boot_set.size();
    for (std::size_t i = 0; i < count; ++i) {
        unpack_placed(kernel.boot_set.at(i), root, placement, {}, stop);
    }
    try {
        return kernel::describe_tree(root, kernel.release);
    } catch (const UserError & error) {
        throw UserError(
            fmt::format("the package {} cannot be booted: {}", kernel.boot_set.front().path.string(), error.what()));
    }
}

}  // namespace

// Without such a module the guest waits for its disk for minutes, and the log does not say why.
std::string missing_driver(const kernel::BootTree & tree, const FoundKernel & kernel) {
    for (const kernel::BootDriver & driver : kernel::boot_drivers()) {
        const bool is_module = kernel::value_of(tree.configuration, driver.option) == "m";
        if (!kernel.boot_set.empty() && is_module && !holds(kernel.boot_set, driver.module)) {
            return fmt::format(
                "The kernel {} has {}=m, but none of its packages holds {}.ko, which a boot needs: add the package "
                "that does (…-modules-core or …-modules).",
                kernel.release,
                driver.option,
                driver.module);
        }
    }
    return "";
}

kernel::BootTree unpack_kernel(
    const FoundBuild & build,
    const FoundKernel & kernel,
    const fs::path & root,
    bool read_config_only,
    std::stop_token stop) {
    if (!kernel.not_bootable.empty() && (!read_config_only || kernel.boot_set.empty())) {
        throw UserError(kernel.not_bootable);
    }
    if (build.is_tree) {
        const kernel::BootTree given = kernel::describe_tree(build.directory, kernel.release);
        if (read_config_only) {
            return given;
        }
        kernel::BootTree copy = kernel::shadow_tree(given, root);
        kernel::run_depmod(copy, stop);
        return copy;
    }
    kernel::BootTree tree = unpack_packages(kernel, fs::absolute(root), read_config_only, stop);
    if (!read_config_only) {
        if (const std::string missing = missing_driver(tree, kernel); !missing.empty()) {
            throw UserError(missing);
        }
        kernel::run_depmod(tree, stop);
    }
    return tree;
}

}  // namespace bootbudget::packages
