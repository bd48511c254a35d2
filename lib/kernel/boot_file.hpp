// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string_view>

namespace bootbudget::kernel {

/// Whether a boot needs this file of a release's module directory, by its name from there ("kernel/fs/ext4/ext4.ko.xz"): image and configuration, the modules
/// wherever they lie, the lists that depmod(8) reads (modules.order, modules.builtin, modules.builtin.modinfo) and System.map, by which the counter finds the
/// kernel's functions. Not the lists that depmod writes, and not what is for building modules (build, symvers.xz), for verifying or signing the image
/// (.vmlinuz.hmac) or for debugging (vdso): supermin would copy all of it into the appliance.
bool is_boot_file(std::string_view name);

}  // namespace bootbudget::kernel
