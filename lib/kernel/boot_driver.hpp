// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace bootbudget::kernel {

/// A driver without which the test tool's guest does not come up, and the option that builds it: where it is =m, its module must be unpacked.
struct BootDriver {
    std::string_view option;  ///< "CONFIG_SCSI_VIRTIO"
    std::string_view module;  ///< "virtio_scsi"
};

/// The disks' and the daemon's way into the guest, and the file system of the appliance: what supermin's small initramfs loads (src/format_ext2_initrd.ml of
/// supermin), as far as libguestfs's machine has the device.
std::span<const BootDriver> boot_drivers();

/// "kernel/drivers/scsi/virtio-scsi.ko.xz" → "virtio_scsi": names of modules and of their files use '-' and '_' alike. Empty for a file that is no module.
std::string module_name(std::string_view path);

}  // namespace bootbudget::kernel
