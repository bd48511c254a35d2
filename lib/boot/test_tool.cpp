// SPDX-License-Identifier: GPL-2.0-or-later
// One run of libguestfs-test-tool under our eyes: its console is kept, read as it comes, and the run ends at the first limit. The tool's own alarm is set
// behind ours, because it covers the launch only and leaves no message.
#include "boot/test_tool.hpp"

#include "boot/console_log.hpp"
#include "boot/counted_run.hpp"
#include "boot/leftovers.hpp"
#include "boot/marks.hpp"
#include "boot/noise.hpp"
#include "common/program_path.hpp"

#include <bootbudget/error.hpp>

#include <fmt/format.h>
#include <algorithm>

namespace bootbudget::boot {

namespace fs = std::filesystem;
using common::Clock;

namespace {

constexpr auto TRACE_TIME = std::chrono::seconds(2);  // for the call trace after a panic; the guest reboots after one
constexpr auto ALARM_MARGIN = std::chrono::seconds(60);

double seconds_between(Clock::time_point begin, Clock::time_point end) {
    return std::chrono::duration<double>(end - begin).count();
}

/// CPU time of the tree's QEMU, if one is alive.
std::optional<double> qemu_cpu_seconds(const common::Tree & tree) {
    std::optional<double> sum;
    for (const auto & process : tree.processes()) {
        if (process.name.starts_with("qemu")) {
            sum = sum.value_or(0) + process.cpu_seconds;
        }
    }
    return sum;
}

/// The console of one run, and the decision to end it.
class ConsoleWatch {
public:
    ConsoleWatch(
        const Settings & settings,
        const fs::path & log,
        const std::function<void(Phase)> & on_phase,
        const std::function<double()> & count)
        : settings_(settings), log_(log), on_phase_(on_phase), count_(count) {}

    void output(std::string_view bytes, Clock::time_point arrival) {
        counted_ = count_ ? count_() : 0;  // first of all: the guest goes on
        log_.write(bytes);
        last_output_ = std::max(last_output_, arrival);
        silent_since_.reset();
        read(cutter_.take(bytes, seconds_between(start_, arrival)));
    }

    bool go_on(Clock::time_point now, const common::Tree & tree) {
        now_ = now;
        run_queue_.look(now);
        if (watched_.reading.panicked && now - panic_seen_ >= TRACE_TIME) {
            return end(Intervention::PANIC);
        }
        if (now - start_ >= settings_.timeout) {
            return end(Intervention::TIMEOUT);
        }
        const auto silence = now - last_output_;
        if (silence >= settings_.stall) {
            watched_.attempt.silence_seconds = seconds_between(last_output_, now);
            if (const auto cpu = qemu_cpu_seconds(tree); cpu && silent_since_ && cpu_then_) {
                // the share of the observed part stands for the whole silence
                const double observed = std::max(seconds_between(*silent_since_, now), 0.001);
                watched_.attempt.silent_cpu_seconds = (*cpu - *cpu_then_) * watched_.attempt.silence_seconds / observed;
            }
            return end(Intervention::STALL);
        }
        if (!silent_since_ && silence >= std::min<Clock::duration>(std::chrono::seconds(1), settings_.stall / 4)) {
            silent_since_ = now;
            cpu_then_ = qemu_cpu_seconds(tree);
        }
        return true;
    }

    Watched finish(const common::ProcessEnd & process_end) {
        const double ended = seconds_between(start_, Clock::now());
        counted_ = count_ ? count_() : 0;
        read(cutter_.finish(ended));
        watched_.attempt.end = process_end;
        watched_.run_queue = run_queue_.mean();
        watched_.attempt.timeout_seconds = std::chrono::duration<double>(settings_.timeout).count();
        watched_.attempt.stall_seconds = std::chrono::duration<double>(settings_.stall).count();
        watched_.ended_at =
            watched_.attempt.intervention == Intervention::NONE ? process_end.seconds : seconds_between(start_, now_);
        return std::move(watched_);
    }

private:
    void read(const std::vector<TimedLine> & lines) {
        for (const auto & line : lines) {
            const bool panicked = watched_.reading.panicked;
            read_line(watched_.reading, line);
            if (count_) {
                note_arrival(watched_.arrived, watched_.reading, counted_);
            }
            if (!panicked && watched_.reading.panicked) {
                panic_seen_ = Clock::now();
            }
            if (const auto phase = current_phase(watched_.reading); phase && phase != phase_) {
                phase_ = phase;
                if (on_phase_) {
                    on_phase_(*phase);
                }
            }
        }
    }

    bool end(Intervention why) {
        watched_.attempt.intervention = why;
        return false;
    }

    const Settings & settings_;
    ConsoleLog log_;
    const std::function<void(Phase)> & on_phase_;
    const std::function<double()> & count_;
    double counted_ = 0;  // at the arrival of the newest output
    RunQueue run_queue_;
    LineCutter cutter_;
    Watched watched_;
    std::optional<Phase> phase_;
    Clock::time_point start_ = Clock::now();
    Clock::time_point now_ = start_;
    Clock::time_point last_output_ = start_;
    Clock::time_point panic_seen_ = start_;
    std::optional<Clock::time_point> silent_since_;  // when QEMU's CPU time was looked at in this silence
    std::optional<double> cpu_then_;
};

}  // namespace

fs::path find_test_tool(const std::string & search_path) {
    if (const auto found = common::program_path("libguestfs-test-tool", search_path)) {
        return *found;
    }
    throw SystemError(fmt::format(
        "libguestfs-test-tool is not installed (looked in {}). Install it with \"dnf install libguestfs\" on Fedora or "
        "\"apt install libguestfs-tools\" on Debian.",
        search_path));
}

Watched watch_console(
    const common::Command & command,
    const Settings & settings,
    const fs::path & log,
    const std::function<void(Phase)> & on_phase,
    std::stop_token stop,
    const std::function<double()> & count) {
    ConsoleWatch console(settings, log, on_phase, count);
    common::Watch watch;
    watch.on_output = [&](std::string_view bytes, Clock::time_point arrival) { console.output(bytes, arrival); };
    watch.go_on = [&](Clock::time_point now, const common::Tree & tree) { return console.go_on(now, tree); };
    const auto end = common::run(command, watch, std::move(stop));
    return console.finish(end);
}

Sample sample_of(const Watched & watched, const std::string & expected_release) {
    const auto & reading = watched.reading;
    auto attempt = watched.attempt;
    attempt.expected_release = expected_release;
    const auto decision = decide_outcome(reading, attempt);

    Sample sample;
    sample.outcome = decision.outcome;
    sample.detail = decision.detail;
    sample.valid = decision.outcome == Outcome::OK;
    if (!sample.valid) {
        sample.last_lines = reading.last_lines;
    }
    sample.phases = phases_of(reading);
    sample.findings = reading.findings;
    sample.guest_release = reading.guest_release;
    sample.guest_command_line = reading.guest_command_line;
    sample.qemu_command = reading.qemu_command;

    auto & metrics = sample.metrics;
    for (const auto & phase : sample.phases) {
        metrics[std::string(to_string(phase.phase))] = {phase.seconds, Unit::SECONDS};
    }
    if (reading.qemu_start && reading.up) {
        metrics["launch"] = {*reading.up - *reading.qemu_start, Unit::SECONDS};
    }
    metrics["total"] = {attempt.end.seconds, Unit::SECONDS};
    metrics["cpu"] = {attempt.end.use.cpu_seconds(), Unit::SECONDS};
    if (reading.qemu_max_rss_bytes) {
        metrics["memory"] = {*reading.qemu_max_rss_bytes, Unit::BYTES};
    }
    if (sample.outcome == Outcome::LAUNCH_TIMEOUT && reading.qemu_start) {
        sample.cut_off_seconds = std::max(0.0, watched.ended_at - *reading.qemu_start);
    }
    return sample;
}

void count_sample(
    Sample & sample, const BoundaryCounts & arrived, std::string_view exact_lines, const CounterPage & page) {
    auto why = why_uncounted(page);
    if (why.empty()) {
        const auto marked = marked_counts(page);
        auto counts = better_of(better_of(exact_counts(exact_lines), marked), arrived);
        if (marked.up && counts.up && marked.up < counts.up) {
            counts.up =
                marked.up;  // the daemon's own word; the line that stands for it is the library's, or a later one
        }
        if (counts.qemu_end) {
            counts.qemu_end = static_cast<double>(total(page));
        }
        add_instructions(sample, counts, page);
        if (!sample.metrics.contains("instructions")) {
            why = "The launch's instructions were not counted, although the counter ran.";
        }
    }
    if (sample.valid && !why.empty()) {
        sample.valid = false;
        sample.outcome = Outcome::QEMU_FAILED;
        sample.detail = why;
    }
}

Sample boot_once(
    const Bootable & bootable,
    const Settings & settings,
    const fs::path & log,
    const Turn & turn,
    const std::function<void(Phase)> & on_phase,
    std::stop_token stop) {
    common::Command command;
    command.environment = boot_environment(bootable, settings);
    command.account = bootable.account;
    command.cpu_group = true;
    Settings limits = settings;
    if (turn.mode == Mode::COUNTED) {
        limits.timeout *= COUNTED_PATIENCE;
        limits.stall *= COUNTED_PATIENCE;
    }
    const auto alarm = std::chrono::ceil<std::chrono::seconds>(limits.timeout) + ALARM_MARGIN;
    command.argv = {find_test_tool(command.environment["PATH"]).string(), "-t", std::to_string(alarm.count())};

    const auto present = names_in(bootable.temporary);
    std::optional<CountedRun> counted;
    std::function<double()> count;
    if (turn.mode == Mode::COUNTED) {
        if (!settings.counting) {
            throw BugError("A counted boot was to be made without a counter; please report this.");
        }
        counted.emplace(bootable, *settings.counting, settings.memory_bytes);
        command.environment["LIBGUESTFS_HV"] = counted->wrapper().string();
        if (is_relocated(bootable.tree)) {
            auto & append = command.environment["LIBGUESTFS_APPEND"];
            append += append.empty() ? "nokaslr" : " nokaslr";
        }
        count = [&] { return static_cast<double>(total(counted->page())); };
    }
    const auto before = look_at_machine();
    Watched watched;
    try {
        watched = watch_console(command, limits, log, on_phase, std::move(stop), count);
    } catch (...) {
        remove_leftovers(bootable, present, "");
        throw;
    }
    const auto after = look_at_machine();
    const auto page = counted ? counted->page() : CounterPage{};
    const auto exact_lines = counted ? counted->lines() : "";
    remove_leftovers(bootable, present, watched.reading.qemu_command);
    if (watched.attempt.end.cancelled) {
        throw Cancelled("The boot was stopped on request.");
    }
    auto sample = sample_of(watched, bootable.tree.release);
    sample.index = turn.index;
    sample.mode = turn.mode;
    sample.warmup = turn.warmup;
    sample.log = log.string();
    sample.noise = noise_of(before, after, watched.run_queue, watched.attempt.end);
    if (counted) {
        sample.qemu_command = counted->true_command(sample.qemu_command);
        count_sample(sample, watched.arrived, exact_lines, page);
    }
    return sample;
}

}  // namespace bootbudget::boot
