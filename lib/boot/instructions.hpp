// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "boot/console.hpp"
#include "boot/counter_page.hpp"

#include <bootbudget/sample.hpp>

#include <optional>
#include <string_view>

namespace bootbudget::boot {

/// Guest instructions since QEMU's start at the boundaries of phases; absent where a boundary was not reached.
struct BoundaryCounts {
    std::optional<double> kernel_start, init_start, root_switch, up, shutdown_begin, qemu_end;

    bool operator==(const BoundaryCounts &) const = default;
};

/// Notes the count for each boundary that `reading` has and `counts` has not yet: to be called after each line with the counter's value at its arrival.
void note_arrival(BoundaryCounts & counts, const Reading & reading, double count);

/// The boundaries by the counter's own file of console lines ("COUNT TEXT\n"; see counter_page.hpp), read with the same reader as the console, a count in
/// place of the seconds. "appliance is up" is a line of the host's. What stands for it is the first request that the daemon says it got: between the two the
/// guest waits for the host, and executes its way through the wake-up and that line, some 10⁵ instructions. Damaged lines are passed over; never throws.
BoundaryCounts exact_counts(std::string_view lines);

/// Each boundary from `exact`, else from `arrived`.
BoundaryCounts better_of(const BoundaryCounts & exact, const BoundaryCounts & arrived);

/// Puts "instructions", "instructions:PHASE", "instructions:decompression" and PhaseTime::instructions into a sample that has its phases. A phase with a
/// boundary missing, or with one that lies before its beginning, has no count. Decompression is there if the counter could tell it apart and a kernel was reached.
void add_instructions(Sample & sample, const BoundaryCounts & counts, const CounterPage & page);

/// Why the page of a run that ended well gives no counts, as a sentence; empty if it does.
std::string why_uncounted(const CounterPage & page);

}  // namespace bootbudget::boot
