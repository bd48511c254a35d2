// SPDX-License-Identifier: GPL-2.0-or-later
// One rule for packages that are unpacked and for trees that are copied, so that both boot from the same files.
#include "kernel/boot_file.hpp"

#include "kernel/boot_driver.hpp"

#include <algorithm>
#include <array>

namespace bootbudget::kernel {

bool is_boot_file(std::string_view name) {
    using namespace std::string_view_literals;
    static constexpr std::array FILES{
        "vmlinuz"sv,
        "vmlinux"sv,
        "config"sv,
        "System.map"sv,
        "modules.order"sv,
        "modules.builtin"sv,
        "modules.builtin.modinfo"sv};
    return std::find(FILES.begin(), FILES.end(), name) != FILES.end() || !module_name(name).empty();
}

}  // namespace bootbudget::kernel
