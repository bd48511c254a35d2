// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "boot/counter_page.hpp"
#include "boot/instructions.hpp"
#include "kernel/boot_tree.hpp"

#include <array>
#include <cstdint>

namespace bootbudget::boot {

/// The addresses at which phases of this kernel begin or end, for the counter's `marks`; 0 where the tree does not tell: no System.map, or no such function.
///
/// In order: `start_kernel` (init/main.c; a few lines later comes "Linux version"), `rcu_end_inkernel_boot` (called just before "Run /init"), chroot(2)
/// (supermin's init calls it once, and says so), and `port_fops_write` (drivers/char/virtio_console.c; the first thing that is ever written to a virtio port
/// is the daemon's word that it is up, from which the library says "appliance is up").
std::array<std::uint64_t, CounterPage::MARKS> mark_addresses(const kernel::BootTree & tree);

/// The argument of the counter, "A:B:C:D" in hexadecimal; empty if there is no address.
std::string marks_argument(const std::array<std::uint64_t, CounterPage::MARKS> & addresses);

/// The boundaries that the page's marks stand for. None if they were not passed in their order: then the addresses were not this kernel's.
BoundaryCounts marked_counts(const CounterPage & page);

/// Whether the kernel has to be told nokaslr for its addresses to be those of System.map.
bool is_relocated(const kernel::BootTree & tree);

}  // namespace bootbudget::boot
