// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/account.hpp"

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace bootbudget::boot {

/// The files among what QEMU's monitor lists at "info roms" (hw/core/loader.c): lines with name="FILE". Tables that QEMU makes itself have names like
/// "etc/acpi/tables". Sorted.
std::vector<std::string> parse_roms(std::string_view text);

/// The directories that "qemu -L help" lists, one a line.
std::vector<std::filesystem::path> parse_directories(std::string_view text);

/// Every firmware file that this QEMU loads for libguestfs's machine, with its SHA-256: "bios-256k.bin 2da2…, kvmvapic.bin 0c1f…, linuxboot_dma.bin 77aa…". QEMU
/// itself is asked, under a machine that does not run. Empty where there are none, or where QEMU does not say. Throws Cancelled.
std::string firmware_of(
    const std::filesystem::path & qemu,
    const std::string & arch,
    const common::Account & account,
    std::stop_token stop);

}  // namespace bootbudget::boot
