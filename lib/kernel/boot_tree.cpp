// SPDX-License-Identifier: GPL-2.0-or-later
// A tree may be a build root, a mounted image or our own unpacking. Fedora keeps all of a kernel in lib/modules/R, others keep image and configuration in boot/;
// lib may be a directory or a link to usr/lib. Absolute links are not followed: they would lead into this machine's own tree.
#include "kernel/boot_tree.hpp"

#include "kernel/release.hpp"

#include <fmt/format.h>
#include <bootbudget/error.hpp>

#include <algorithm>
#include <array>
#include <system_error>

namespace bootbudget::kernel {

namespace fs = std::filesystem;

namespace {

bool is_absolute_link(const fs::path & path) {
    std::error_code error;
    const fs::path target = fs::read_symlink(path, error);
    return !error && target.is_absolute();
}

// A file that is really in the tree.
bool is_file(const fs::path & path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && !is_absolute_link(path);
}

// The directories that hold releases; both names where both are directories of their own.
std::vector<fs::path> module_directories(const fs::path & root) {
    std::vector<fs::path> result;
    for (const char * top : {"lib", "usr/lib"}) {
        const fs::path directory = root / top / "modules";
        std::error_code error;
        if (!is_absolute_link(root / top) && !is_absolute_link(directory) && fs::is_directory(directory, error)) {
            const bool same = std::any_of(result.begin(), result.end(), [&](const fs::path & other) {
                return fs::equivalent(other, directory, error);
            });
            if (!same) {
                result.push_back(directory);
            }
        }
    }
    return result;
}

fs::path find_file(
    const fs::path & root,
    const fs::path & modules,
    const std::string & release,
    std::initializer_list<const char *> names) {
    for (const char * name : names) {
        if (is_file(modules / name)) {
            return modules / name;
        }
    }
    for (const char * name : names) {
        const fs::path path = root / "boot" / (std::string(name) + "-" + release);
        if (is_file(path)) {
            return path;
        }
    }
    return {};
}

fs::path find_image(const fs::path & root, const fs::path & modules, const std::string & release) {
    return find_file(root, modules, release, {"vmlinuz", "vmlinux"});
}

}  // namespace

std::vector<std::string> releases_in(const fs::path & root) {
    std::vector<std::string> releases;
    for (const fs::path & directory : module_directories(root)) {
        std::error_code error;
        for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
            const std::string release = entry->path().filename().string();
            std::error_code ignored;
            if (is_release(release) && entry->is_directory(ignored) && !is_absolute_link(entry->path()) &&
                !find_image(root, entry->path(), release).empty()) {
                releases.push_back(release);
            }
        }
        if (error) {
            throw SystemError(fmt::format("cannot list the directory {}", directory.string()), error.value());
        }
    }
    std::sort(releases.begin(), releases.end());
    releases.erase(std::unique(releases.begin(), releases.end()), releases.end());
    return releases;
}

BootTree describe_tree(const fs::path & root, const std::string & release) {
    if (!is_release(release)) {
        throw UserError(fmt::format("\"{}\" is not the release of a kernel.", release));
    }
    BootTree tree;
    tree.root = fs::absolute(root);
    tree.release = release;
    for (const fs::path & directory : module_directories(tree.root)) {
        std::error_code error;
        if (!fs::is_directory(directory / release, error)) {
            continue;
        }
        tree.modules = directory / release;
        tree.image = find_image(tree.root, tree.modules, release);
        if (!tree.image.empty()) {
            break;
        }
    }
    if (tree.modules.empty()) {
        throw UserError(fmt::format(
            "there is no kernel {} in {}: neither lib/modules/{} nor usr/lib/modules/{} is a directory there.",
            release,
            root.string(),
            release,
            release));
    }
    if (tree.image.empty()) {
        throw UserError(fmt::format(
            "the kernel {} has no image: there is neither vmlinuz nor vmlinux in {}, nor vmlinuz-{} in {}.",
            release,
            tree.modules.string(),
            release,
            (tree.root / "boot").string()));
    }
    tree.arch = identify_image(tree.image).arch;
    tree.configuration_file = find_file(tree.root, tree.modules, release, {"config"});
    if (tree.configuration_file.empty()) {
        throw UserError(fmt::format(
            "the kernel {} has no configuration, which tells its kind: there is neither {} nor {}.",
            release,
            (tree.modules / "config").string(),
            (tree.root / "boot" / ("config-" + release)).string()));
    }
    tree.configuration = read_configuration(tree.configuration_file);
    return tree;
}

}  // namespace bootbudget::kernel
