// SPDX-License-Identifier: GPL-2.0-or-later
// A console line's count is late by whatever the guest did until we had read the line, and on a busy machine that is some milliseconds. The kernel's own
// functions are passed at the same moments, and QEMU sees them pass without anybody having to hurry.
#include "boot/marks.hpp"

#include "kernel/symbols.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace bootbudget::boot {

std::array<std::uint64_t, CounterPage::MARKS> mark_addresses(const kernel::BootTree & tree) {
    // Linux' arch/*/include/asm/syscall_wrapper.h
    const std::string system_call = tree.arch == "aarch64"  ? "__arm64_sys_chroot"
                                    : tree.arch == "x86_64" ? "__x64_sys_chroot"
                                                            : "sys_chroot";
    const std::vector<std::string> functions{"start_kernel", "rcu_end_inkernel_boot", system_call, "port_fops_write"};
    const auto known = kernel::addresses_of(tree, functions);
    std::array<std::uint64_t, CounterPage::MARKS> addresses{};
    for (std::size_t i = 0; i < functions.size(); ++i) {
        if (const auto found = known.find(functions[i]); found != known.end()) {
            addresses.at(i) = found->second;
        }
    }
    return addresses;
}

std::string marks_argument(const std::array<std::uint64_t, CounterPage::MARKS> & addresses) {
    if (std::all_of(addresses.begin(), addresses.end(), [](std::uint64_t address) { return address == 0; })) {
        return "";
    }
    return fmt::format("{:x}", fmt::join(addresses, ":"));
}

BoundaryCounts marked_counts(const CounterPage & page) {
    std::uint64_t last = 0;
    for (const auto mark : page.marks) {
        if (mark != 0 && mark < last) {
            return {};
        }
        last = std::max(last, mark);
    }
    const auto count = [](std::uint64_t mark) {
        return mark == 0 ? std::nullopt : std::optional(static_cast<double>(mark));
    };
    BoundaryCounts counts;
    counts.kernel_start = count(page.marks[0]);
    counts.init_start = count(page.marks[1]);
    counts.root_switch = count(page.marks[2]);
    counts.up = count(page.marks[3]);
    return counts;
}

bool is_relocated(const kernel::BootTree & tree) {
    return kernel::value_of(tree.configuration, "CONFIG_RANDOMIZE_BASE") == "y";
}

}  // namespace bootbudget::boot
