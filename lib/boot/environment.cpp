// SPDX-License-Identifier: GPL-2.0-or-later
// The test tool gets an environment of our making. All three SUPERMIN_ variables are needed: with one of them missing supermin takes a
// kernel of the host's without a word. The rest pins what would otherwise come from the caller's shell.
#include "boot/boot.hpp"
#include "boot/test_tool.hpp"
#include "common/process.hpp"

#include <string_view>

namespace bootbudget::boot {

namespace {

/// sun_path holds 108 bytes (unix(7)); libguestfs adds "/libguestfsXXXXXX/guestfsd.sock".
constexpr std::size_t MAX_SOCKET_BASE = 108 - 1 - std::string_view("/libguestfsXXXXXX/guestfsd.sock").size();

}  // namespace

std::map<std::string, std::string> fixed_environment() {
    auto environment = common::plain_environment();
    environment["LIBGUESTFS_BACKEND"] = "direct";
    environment["LIBGUESTFS_BACKEND_SETTINGS"] = "force_tcg";
    return environment;
}

bool fits_sockets(const std::filesystem::path & temporary) {
    return temporary.string().size() <= MAX_SOCKET_BASE;
}

std::map<std::string, std::string> boot_environment(const Bootable & bootable, const Settings & settings) {
    auto environment = fixed_environment();
    environment["HOME"] = bootable.home.string();
    environment["TMPDIR"] = bootable.temporary.string();
    environment["LIBGUESTFS_TMPDIR"] = bootable.temporary.string();
    environment["LIBGUESTFS_CACHEDIR"] = bootable.cache.string();
    if (fits_sockets(bootable.temporary)) {
        environment["XDG_RUNTIME_DIR"] = bootable.temporary.string();
    }
    environment["LIBGUESTFS_MEMSIZE"] = std::to_string(settings.memory_bytes >> 20U);
    environment["SUPERMIN_KERNEL"] = bootable.tree.image.string();
    environment["SUPERMIN_KERNEL_VERSION"] = bootable.tree.release;
    environment["SUPERMIN_MODULES"] = bootable.tree.modules.string();
    if (!settings.qemu.empty()) {
        environment["LIBGUESTFS_HV"] = settings.qemu.string();
    }
    if (!settings.append.empty()) {
        environment["LIBGUESTFS_APPEND"] = settings.append;
    }
    return environment;
}

}  // namespace bootbudget::boot
