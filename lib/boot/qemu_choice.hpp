// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/account.hpp"

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace bootbudget::boot {

/// The names under which QEMU's emulator for an architecture may be installed, in the order in which libguestfs's configure and, since 1.55, its launch
/// try them. Fedora and RHEL have qemu-kvm, RHEL in /usr/libexec only.
std::vector<std::string> qemu_names(const std::string & arch);

/// The QEMU of a boot as an absolute path: `given`, a path or a name in PATH; if that is empty what libguestfs itself would run, which guestfish(1) knows
/// (guestfs_get_hv: LIBGUESTFS_HV is never set in our environment, so it is what libguestfs was built with), else the first of qemu_names().
/// Empty if there is none, or if `given` is no file. Throws Cancelled.
std::filesystem::path choose_qemu(
    const std::filesystem::path & given, const common::Account & account, std::stop_token stop);

}  // namespace bootbudget::boot
