// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "boot/boot.hpp"

#include <filesystem>
#include <set>
#include <string>

namespace bootbudget::boot {

/// The names in a directory; empty if it cannot be read.
std::set<std::string> names_in(const std::filesystem::path & directory);

/// The directory that libguestfs made for its socket, from QEMU's command; empty unless it is named libguestfsXXXXXX.
std::filesystem::path socket_directory(const std::string & qemu_command);

/// Removes what a killed tool could not: all that is new in `bootable.temporary` since `before`, the socket's directory if it is
/// the account's, and appliances that supermin was still building.
void remove_leftovers(
    const Bootable & bootable, const std::set<std::string> & before, const std::string & qemu_command);

}  // namespace bootbudget::boot
