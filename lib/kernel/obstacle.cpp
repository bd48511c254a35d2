// SPDX-License-Identifier: GPL-2.0-or-later
// A kernel that lacks an option ends in a panic or in silence minutes later; its configuration tells so at once. The list is what supermin's init (src/init.c
// of supermin), the appliance's init script and guestfsd need of a kernel, and no more: whatever else is off may be what is measured.
#include "kernel/boot_tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace bootbudget::kernel {

namespace {

// Met when all options of one of the alternatives are on, built in or as modules.
struct Need {
    std::string_view what;
    std::array<std::array<std::string_view, 2>, 2> alternatives;
    std::array<std::string_view, 2> arches = {};  // none: all
};

constexpr std::array NEEDS{
    Need{"an initramfs", {{{"CONFIG_BLK_DEV_INITRD"}}}},
    Need{"programs", {{{"CONFIG_BINFMT_ELF"}}}},
    Need{"scripts as programs, such as the appliance's /init", {{{"CONFIG_BINFMT_SCRIPT"}}}},
    Need{"messages on the console", {{{"CONFIG_PRINTK"}}}},
    Need{"terminals", {{{"CONFIG_TTY"}}}},
    Need{"/proc", {{{"CONFIG_PROC_FS"}}}},
    Need{"/sys", {{{"CONFIG_SYSFS"}}}},
    Need{"/dev", {{{"CONFIG_DEVTMPFS"}}}},
    Need{"/run", {{{"CONFIG_TMPFS"}}}},
    Need{"udev's sockets", {{{"CONFIG_UNIX"}}}},
    Need{"the virtio bus", {{{"CONFIG_VIRTIO_PCI"}}}, {"x86_64", "ppc64le"}},
    Need{"the virtio bus", {{{"CONFIG_VIRTIO_PCI"}, {"CONFIG_VIRTIO_MMIO"}}}, {"aarch64", "riscv64"}},
    Need{"the virtio bus", {{{"CONFIG_S390_GUEST"}}}, {"s390x"}},
    Need{"virtio SCSI disks", {{{"CONFIG_SCSI_VIRTIO"}}}},
    Need{"SCSI disks", {{{"CONFIG_BLK_DEV_SD"}}}},
    Need{"virtio serial ports", {{{"CONFIG_VIRTIO_CONSOLE"}}}},
    Need{"the appliance's ext2 file system", {{{"CONFIG_EXT2_FS"}, {"CONFIG_EXT4_FS", "CONFIG_EXT4_USE_FOR_EXT2"}}}},
    Need{"the serial console", {{{"CONFIG_SERIAL_8250_CONSOLE"}}}, {"x86_64", "riscv64"}},
    Need{"the serial console", {{{"CONFIG_SERIAL_AMBA_PL011_CONSOLE"}}}, {"aarch64"}},
    Need{"the serial console", {{{"CONFIG_HVC_CONSOLE"}}}, {"ppc64le"}},
    Need{"the serial console", {{{"CONFIG_SCLP_CONSOLE"}}}, {"s390x"}},
};

bool applies(const Need & need, const std::string & arch) {
    return need.arches[0].empty() || std::find(need.arches.begin(), need.arches.end(), arch) != need.arches.end();
}

bool is_met(const Need & need, const Configuration & configuration) {
    return std::any_of(need.alternatives.begin(), need.alternatives.end(), [&](const auto & options) {
        return !options[0].empty() && std::all_of(options.begin(), options.end(), [&](std::string_view option) {
            return option.empty() || value_of(configuration, option) == "y" || value_of(configuration, option) == "m";
        });
    });
}

std::string in_words(const Need & need) {
    std::string options;
    for (const auto & alternative : need.alternatives) {
        if (alternative[0].empty()) {
            continue;
        }
        options += options.empty() ? "" : " or ";
        options += alternative[0];
        if (!alternative[1].empty()) {
            options += fmt::format(" with {}", alternative[1]);
        }
    }
    return fmt::format("{} ({})", options, need.what);
}

}  // namespace

std::string obstacle(const BootTree & tree, const std::string & host_arch) {
    if (tree.arch != host_arch) {
        return fmt::format(
            "The kernel {} is for {}, and this machine is {}: check it on a machine of its own architecture.",
            tree.release,
            tree.arch,
            host_arch);
    }
    std::string missing;
    for (const Need & need : NEEDS) {
        if (applies(need, tree.arch) && !is_met(need, tree.configuration)) {
            missing += (missing.empty() ? "" : ", ") + in_words(need);
        }
    }
    return missing.empty() ? std::string()
                           : fmt::format(
                                 "The kernel {} cannot boot the test tool's guest, its configuration lacks {}.",
                                 tree.release,
                                 missing);
}

}  // namespace bootbudget::kernel
