// SPDX-License-Identifier: GPL-2.0-or-later
// A given tree is somebody's build root and is not written to, not even a link count. The shadow holds copies and not links, because supermin copies the module
// directory into the appliance as it finds it: a symbolic link would point into nothing there. Where the file system can share blocks (Btrfs, XFS) the
// copies cost no space.
#include "common/descriptor.hpp"
#include "kernel/boot_file.hpp"
#include "kernel/boot_tree.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <bootbudget/error.hpp>

#include <cerrno>
#include <system_error>

namespace bootbudget::kernel {

namespace fs = std::filesystem;

namespace {

constexpr fs::perms DIRECTORY_PERMS = fs::perms(0755);
constexpr fs::perms FILE_PERMS = fs::perms(0644);

[[noreturn]] void fail(const fs::path & path, const fs::path & to, int error_number) {
    const bool full = error_number == ENOSPC || error_number == EDQUOT;
    throw SystemError(
        fmt::format(
            "cannot copy {} to {}{}",
            path.string(),
            to.string(),
            full ? " (free space there, or choose another directory with --work-dir)" : ""),
        error_number);
}

void make_directories(const fs::path & root, const fs::path & below) {
    fs::path path = root;
    for (const fs::path & part : below) {
        path /= part;
        std::error_code error;
        if (fs::create_directory(path, error)) {
            fs::permissions(path, DIRECTORY_PERMS, error);
        }
        if (error) {
            throw SystemError(fmt::format("cannot create the directory {}", path.string()), error.value());
        }
    }
}

void copy_one(const fs::path & from, const fs::path & to) {
    const common::Descriptor source(::open(from.c_str(), O_RDONLY | O_CLOEXEC));
    if (!source) {
        fail(from, to, errno);
    }
    const common::Descriptor target(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644));
    if (!target) {
        fail(from, to, errno);
    }
    std::error_code error;
    if (::ioctl(target.number(), FICLONE, source.number()) != 0) {
        fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
    }
    if (!error) {
        fs::permissions(to, FILE_PERMS, error);
    }
    if (error) {
        fail(from, to, error.value());
    }
}

// True for a file that really lies in the tree, itself or through links that stay in it.
bool lies_in(const fs::path & file, const fs::path & canonical_root) {
    std::error_code error;
    const fs::path resolved = fs::canonical(file, error);
    if (error || !fs::is_regular_file(resolved, error)) {
        return false;
    }
    const fs::path relative = resolved.lexically_relative(canonical_root);
    return !relative.empty() && *relative.begin() != "..";
}

// Which of the tree's it is was decided when the tree was described.
bool is_image_or_configuration(const fs::path & name) {
    return name == "vmlinuz" || name == "vmlinux" || name == "config";
}

void copy_modules(const BootTree & given, const fs::path & copy_root, const fs::path & below) {
    std::error_code error;
    const fs::path canonical_root = fs::canonical(given.root, error);
    fs::recursive_directory_iterator entry(given.modules, error);
    for (const fs::recursive_directory_iterator end; !error && entry != end; entry.increment(error)) {
        const fs::path name = entry->path().lexically_relative(given.modules);
        if (!is_boot_file(name.string()) || is_image_or_configuration(name) ||
            !lies_in(entry->path(), canonical_root)) {
            continue;
        }
        const fs::path relative = below / name;
        make_directories(copy_root, relative.parent_path());
        copy_one(entry->path(), copy_root / relative);
    }
    if (error) {
        throw SystemError(fmt::format("cannot list the modules in {}", given.modules.string()), error.value());
    }
}

}  // namespace

BootTree shadow_tree(const BootTree & given, const fs::path & copy_root) {
    const fs::path below = fs::path("lib") / "modules" / given.release;
    make_directories(copy_root, below);
    copy_one(given.image, copy_root / below / given.image.filename().string().substr(0, 7));
    copy_one(given.configuration_file, copy_root / below / "config");
    copy_modules(given, copy_root, below);
    return describe_tree(copy_root, given.release);
}

}  // namespace bootbudget::kernel
