// SPDX-License-Identifier: GPL-2.0-or-later
// One list, used both to choose packages and to see that nothing is missing from them.
#include "kernel/boot_driver.hpp"

#include <algorithm>
#include <array>

namespace bootbudget::kernel {

std::span<const BootDriver> boot_drivers() {
    static constexpr std::array DRIVERS{
        BootDriver{"CONFIG_VIRTIO_PCI", "virtio_pci"},          // the bus of every device below
        BootDriver{"CONFIG_SCSI_VIRTIO", "virtio_scsi"},        // the appliance and the disk under test
        BootDriver{"CONFIG_SCSI", "scsi_mod"},                  // what virtio_scsi builds on
        BootDriver{"CONFIG_BLK_DEV_SD", "sd_mod"},              // makes sda and sdb of them
        BootDriver{"CONFIG_VIRTIO_CONSOLE", "virtio_console"},  // the channel to guestfsd
        BootDriver{"CONFIG_EXT4_FS", "ext4"},                   // the appliance's file system, under one of
        BootDriver{"CONFIG_EXT2_FS", "ext2"},                   // these two names
        BootDriver{
            "CONFIG_CRYPTO_CRC32C", "crc32c_generic"},  // which ext4 asks for by name, so that no dependency shows it
    };
    return DRIVERS;
}

std::string module_name(std::string_view path) {
    const auto slash = path.rfind('/');
    std::string_view file = slash == std::string_view::npos ? path : path.substr(slash + 1);
    const auto suffix = file.rfind(".ko");
    if (suffix == std::string_view::npos || suffix == 0) {
        return {};
    }
    const std::string_view rest = file.substr(suffix + 3);
    if (!rest.empty() && (rest.front() != '.' || rest.size() == 1)) {
        return {};
    }
    std::string name(file.substr(0, suffix));
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
}

}  // namespace bootbudget::kernel
