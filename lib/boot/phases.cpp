// SPDX-License-Identifier: GPL-2.0-or-later
// A phase lies between two marks of a reading. One table says which; a phase with a mark missing did not end and is left out.
#include "boot/console.hpp"

namespace bootbudget::boot {

namespace {

struct Span {
    Phase phase;
    std::optional<double> begin, end;              // host's clock
    std::optional<double> guest_begin, guest_end;  // guest's clock
};

std::vector<Span> spans_of(const Reading & r) {
    // printk's clock is near 0 at the kernel's first line
    const std::optional<double> guest_kernel = r.kernel_start ? std::optional(0.0) : std::nullopt;
    return {
        {Phase::APPLIANCE, r.appliance_begin, r.appliance_end, {}, {}},
        {Phase::FIRMWARE, r.qemu_start, r.kernel_start, {}, {}},
        {Phase::KERNEL, r.kernel_start, r.init_start, guest_kernel, r.guest_init},
        {Phase::INITRAMFS, r.init_start, r.root_switch, r.guest_init, r.guest_root_switch},
        {Phase::USERSPACE, r.root_switch, r.up, r.guest_root_switch, r.guest_up},
        {Phase::SESSION, r.up, r.shutdown_begin, {}, {}},
        {Phase::SHUTDOWN, r.shutdown_begin, r.qemu_end, {}, {}},
    };
}

}  // namespace

std::vector<PhaseTime> phases_of(const Reading & reading) {
    std::vector<PhaseTime> phases;
    for (const auto & span : spans_of(reading)) {
        if (!span.begin || !span.end || !(*span.end >= *span.begin)) {
            continue;
        }
        PhaseTime time;
        time.phase = span.phase;
        time.seconds = *span.end - *span.begin;
        if (span.guest_begin && span.guest_end && *span.guest_end >= *span.guest_begin) {
            time.guest_seconds = *span.guest_end - *span.guest_begin;
        }
        phases.push_back(time);
    }
    return phases;
}

bool guest_spoke(const Reading & reading) {
    return reading.kernel_start || reading.init_start || reading.root_switch || reading.up || reading.panicked;
}

std::optional<Phase> current_phase(const Reading & reading) {
    std::optional<Phase> current;
    for (const auto & span : spans_of(reading)) {
        if (span.begin) {
            current = span.end ? std::nullopt : std::optional(span.phase);
        }
    }
    return current;
}

}  // namespace bootbudget::boot
