// SPDX-License-Identifier: GPL-2.0-or-later
// Seconds are only as good as the machine was quiet. These figures say how quiet it was; they judge nothing. The kernel's counters are looked at before and
// after the boot; only the run queue has no counter and is sampled.
#include "boot/noise.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace bootbudget::boot {

namespace {

constexpr std::size_t MAX_TEXT = 4096;  // the first lines are the ones that count

std::string head_of(const char * file) {
    std::ifstream stream(file, std::ios::binary);
    std::string text(MAX_TEXT, '\0');
    stream.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(std::max<std::streamsize>(stream.gcount(), 0)));
    return text;
}

/// The whole number that `text` begins with, which has to end at `end` or with the text; it is taken away with its end.
std::optional<double> take_number(std::string_view & text, char end) {
    std::uint64_t number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    if (parsed.ec != std::errc()) {
        return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(parsed.ptr - text.data()));
    if (!text.empty()) {
        if (text.front() != end) {
            return std::nullopt;
        }
        text.remove_prefix(1);
    }
    return static_cast<double>(number);
}

/// The first line that begins with `key`, without it.
std::optional<std::string_view> line_of(std::string_view text, std::string_view key) {
    while (!text.empty()) {
        const auto line = text.substr(0, text.find('\n'));
        if (line.starts_with(key)) {
            return line.substr(key.size());
        }
        text.remove_prefix(std::min(line.size() + 1, text.size()));
    }
    return std::nullopt;
}

/// What a part came to be of a whole, if the whole is anything.
std::optional<double> share(double part, double whole) {
    return whole > 0 ? std::optional(std::clamp(part / whole, 0.0, 1.0)) : std::nullopt;
}

}  // namespace

std::optional<double> parse_pressure(std::string_view text) {
    constexpr std::string_view KEY = " total=";
    const auto some = line_of(text, "some ");
    const auto at = some ? some->find(KEY) : std::string_view::npos;
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    auto number = some->substr(at + KEY.size());
    const auto microseconds = take_number(number, ' ');
    return microseconds ? std::optional(*microseconds / 1e6) : std::nullopt;
}

std::optional<ProcessorTicks> parse_processor_ticks(std::string_view text) {
    auto line = line_of(text, "cpu ");
    if (!line) {
        return std::nullopt;
    }
    line->remove_prefix(std::min(line->find_first_not_of(' '), line->size()));
    constexpr int STEAL = 7;
    ProcessorTicks ticks;
    for (int i = 0; i <= STEAL; ++i) {
        const auto number = take_number(*line, ' ');
        if (!number) {
            return std::nullopt;
        }
        ticks.total += *number;
        ticks.steal = *number;
    }
    return ticks;
}

std::optional<double> parse_runnable(std::string_view text) {
    for (int i = 0; i < 3; ++i) {
        const auto blank = text.find(' ');
        if (blank == std::string_view::npos) {
            return std::nullopt;
        }
        text.remove_prefix(blank + 1);
    }
    const auto slash = text.find('/');
    return slash == std::string_view::npos ? std::nullopt : take_number(text, '/');
}

Disturbance look_at_machine() {
    Disturbance now;
    double load = 0;
    if (getloadavg(&load, 1) == 1) {
        now.load = load;
    }
    now.pressure_seconds = parse_pressure(head_of("/proc/pressure/cpu"));
    now.ticks = parse_processor_ticks(head_of("/proc/stat"));
    return now;
}

void RunQueue::look(common::Clock::time_point now) {
    constexpr auto INTERVAL = std::chrono::milliseconds(100);
    if (last_ && now - *last_ < INTERVAL) {
        return;
    }
    last_ = now;
    if (const auto runnable = parse_runnable(head_of("/proc/loadavg"))) {
        sum_ += *runnable;
        ++looks_;
    }
}

std::optional<double> RunQueue::mean() const {
    return looks_ > 0 ? std::optional(sum_ / looks_) : std::nullopt;
}

std::map<std::string, double> noise_of(
    const Disturbance & before,
    const Disturbance & after,
    const std::optional<double> & run_queue,
    const common::ProcessEnd & end) {
    std::map<std::string, double> noise;
    const auto add = [&](const char * name, const std::optional<double> & value) {
        if (value) {
            noise[name] = *value;
        }
    };
    add("load", before.load);
    if (before.pressure_seconds && after.pressure_seconds) {
        add("cpu_pressure", share(*after.pressure_seconds - *before.pressure_seconds, end.seconds));
    }
    if (before.ticks && after.ticks) {
        add("steal", share(after.ticks->steal - before.ticks->steal, after.ticks->total - before.ticks->total));
    }
    add("run_queue", run_queue);
    if (end.seconds > 0) {
        add("cpu_share", end.use.cpu_seconds() / end.seconds);
    }
    add("involuntary_switches", static_cast<double>(end.use.involuntary_switches));
    return noise;
}

}  // namespace bootbudget::boot
