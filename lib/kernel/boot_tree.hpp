// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "kernel/configuration.hpp"

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace bootbudget::kernel {

/// One kernel unpacked on disk, with what a boot needs. Paths are absolute.
struct BootTree {
    std::filesystem::path root;  ///< directory that holds lib/modules (or usr/lib/modules)
    std::string release;
    std::string arch;               ///< "x86_64", "aarch64", … read from the image
    std::filesystem::path image;    ///< vmlinuz (or vmlinux)
    std::filesystem::path modules;  ///< …/lib/modules/RELEASE
    Configuration configuration;
    std::filesystem::path configuration_file;
};

/// What an image file is, by its own bytes.
struct ImageFormat {
    std::string arch;  ///< "x86_64", "aarch64", …
    std::string name;  ///< "bzImage", "arm64 Image", "EFI zboot", "ELF vmlinux", "s390 image"
};

/// Reads the magic bytes (bzImage: 0x1fe = 55 aa and "HdrS" at 0x202, Documentation/arch/x86/boot.rst; arm64: "ARMd" at 56,
/// Documentation/arch/arm64/booting.rst; EFI zboot; ELF). A unified kernel image (a PE file with sections .linux and .osrel) and anything else: UserError that
/// names the file and what it is.
ImageFormat identify_image(const std::filesystem::path & image);

/// The releases below root's lib/modules or usr/lib/modules that have an image there (or in root's boot/), sorted. Directories with no image are left out.
std::vector<std::string> releases_in(const std::filesystem::path & root);

/// Describes one release. Throws UserError: no image, image is no kernel, no configuration (neither lib/modules/R/config nor boot/config-R).
BootTree describe_tree(const std::filesystem::path & root, const std::string & release);

/// Why this kernel cannot be booted here, empty if it can: other architecture than `host_arch`, options a boot needs that are off
/// (virtio SCSI, virtio console/serial port, ext4 or ext2, serial console, initramfs, devtmpfs, …), named.
std::string obstacle(const BootTree & tree, const std::string & host_arch);

/// Writes modules.dep and the other lists into the tree with depmod(8): `modules` must be ours to write.
/// SystemError if depmod is missing or fails; UserError if it found no module although there are some (compression it cannot read), naming one.
void run_depmod(const BootTree & tree, std::stop_token stop = {});

/// A copy at `copy_root`, an existing directory of ours, of what a boot needs of a tree that must not be written to: image, configuration, modules; the lists are left
/// to depmod. Copies, sharing blocks where the file system can, and not links: supermin puts a link into the appliance as a link. Returns the description of the copy.
/// SystemError, with the next step when the disk is full.
BootTree shadow_tree(const BootTree & given, const std::filesystem::path & copy_root);

}  // namespace bootbudget::kernel
