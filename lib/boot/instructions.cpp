// SPDX-License-Identifier: GPL-2.0-or-later
// Counts are a second clock. The console is read once by the host's clock and, where the counter wrote down the guest's own lines, once more by this one; both
// readings go through the same table of boundaries, so that a phase means the same in seconds and in instructions.
#include "boot/instructions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

namespace bootbudget::boot {

namespace {

using Boundary = std::optional<double> BoundaryCounts::*;

void note(std::optional<double> & count, const std::optional<double> & reached, double value) {
    if (reached && !count) {
        count = value;
    }
}

struct Span {
    Phase phase;
    std::optional<double> begin, end;
};

std::vector<Span> spans_of(const BoundaryCounts & counts) {
    return {
        {Phase::FIRMWARE, 0.0, counts.kernel_start},
        {Phase::KERNEL, counts.kernel_start, counts.init_start},
        {Phase::INITRAMFS, counts.init_start, counts.root_switch},
        {Phase::USERSPACE, counts.root_switch, counts.up},
        {Phase::SESSION, counts.up, counts.shutdown_begin},
        {Phase::SHUTDOWN, counts.shutdown_begin, counts.qemu_end},
    };
}

/// The daemon's word for a request: guestfsd's daemon/proto.c, all versions.
bool is_request(std::string_view text) {
    return text.find("guestfsd: <= ") != std::string_view::npos ||
           text.find("guestfsd: main_loop: new request") != std::string_view::npos;
}

Quantity instructions(double count) {
    return {count, Unit::COUNT};
}

}  // namespace

void note_arrival(BoundaryCounts & counts, const Reading & reading, double count) {
    note(counts.kernel_start, reading.kernel_start, count);
    note(counts.init_start, reading.init_start, count);
    note(counts.root_switch, reading.root_switch, count);
    note(counts.up, reading.up, count);
    note(counts.shutdown_begin, reading.shutdown_begin, count);
    note(counts.qemu_end, reading.qemu_end, count);
}

BoundaryCounts exact_counts(std::string_view lines) {
    Reading reading;
    reading.qemu_start = 0;
    double last = 0;
    while (!lines.empty()) {
        const auto line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(std::min(line.size() + 1, lines.size()));
        std::uint64_t number = 0;
        const auto parsed = std::from_chars(line.data(), line.data() + line.size(), number);
        const auto digits = static_cast<std::size_t>(parsed.ptr - line.data());
        const auto count = static_cast<double>(number);
        if (parsed.ec != std::errc() || digits >= line.size() || line[digits] != ' ' || count < last) {
            continue;
        }
        last = count;
        const auto text = line.substr(digits + 1);
        if (reading.root_switch && !reading.up && is_request(text)) {
            reading.up = count;
        }
        read_line(reading, {std::string(text), count});
    }
    BoundaryCounts counts;
    counts.kernel_start = reading.kernel_start;
    counts.init_start = reading.init_start;
    counts.root_switch = reading.root_switch;
    counts.up = reading.up;
    counts.shutdown_begin = reading.shutdown_begin;
    return counts;
}

BoundaryCounts better_of(const BoundaryCounts & exact, const BoundaryCounts & arrived) {
    constexpr Boundary BOUNDARIES[] = {
        &BoundaryCounts::kernel_start,
        &BoundaryCounts::init_start,
        &BoundaryCounts::root_switch,
        &BoundaryCounts::up,
        &BoundaryCounts::shutdown_begin,
        &BoundaryCounts::qemu_end};
    BoundaryCounts counts;
    for (const auto boundary : BOUNDARIES) {
        counts.*boundary = exact.*boundary ? exact.*boundary : arrived.*boundary;
    }
    return counts;
}

void add_instructions(Sample & sample, const BoundaryCounts & counts, const CounterPage & page) {
    for (const auto & span : spans_of(counts)) {
        if (!span.begin || !span.end || *span.end < *span.begin) {
            continue;
        }
        const double count = *span.end - *span.begin;
        sample.metrics[fmt::format("instructions:{}", to_string(span.phase))] = instructions(count);
        for (auto & time : sample.phases) {
            if (time.phase == span.phase) {
                time.instructions = count;
            }
        }
    }
    if (counts.up) {
        sample.metrics["instructions"] = instructions(*counts.up);
    }
    if (counts.kernel_start && (page.flags & COUNTER_PARTS_NOT_TOLD_APART) == 0 && page.kernel > 0) {
        sample.metrics["instructions:decompression"] = instructions(static_cast<double>(page.decompression));
    }
}

std::string why_uncounted(const CounterPage & page) {
    if (page.magic != CounterPage::MAGIC) {
        return "QEMU ran without the instruction counter: it did not load it, or it was not started through the "
               "wrapper.";
    }
    if (total(page) == 0) {
        return "QEMU loaded the instruction counter, but counted nothing.";
    }
    if ((page.flags & COUNTER_SAMPLER_MISSING) != 0) {
        return "The instruction counter could not start its thread in QEMU, so that the counts of the phases are not "
               "known.";
    }
    return "";
}

}  // namespace bootbudget::boot
