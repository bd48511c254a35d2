// SPDX-License-Identifier: GPL-2.0-or-later
// A boot has one outcome although several things may have gone wrong with it. The order here is that of what they make worthless: a boot of
// another kernel says nothing at all, a panic explains every error after it, and only then does it matter who ended the run.
#include "boot/outcome.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

namespace bootbudget::boot {

namespace {

/// The line that says most about a failure of QEMU's or the tool's.
std::string evidence(const Reading & reading) {
    if (!reading.qemu_error_line.empty()) {
        return reading.qemu_error_line;
    }
    return reading.error_line.empty() ? reading.last_line : reading.error_line;
}

std::string quoted(const std::string & line) {
    return line.empty() ? std::string("there was no output") : fmt::format("\"{}\"", line);
}

std::string end_of(const common::ProcessEnd & end) {
    return end.signal != 0 ? fmt::format("was killed by signal {}", end.signal)
                           : fmt::format("ended with exit status {}", end.exit_status);
}

bool appliance_unfinished(const Reading & reading) {
    return reading.appliance_begin && !reading.appliance_end;
}

/// Whether QEMU worked or slept while the console was silent. A spinning guest uses a whole CPU; on a loaded machine it may get
/// only part of one, an idle guest uses a few per cent for its timer.
std::string what_qemu_did(const Attempt & attempt) {
    if (!attempt.silent_cpu_seconds) {
        return "whether QEMU was idle or spinning could not be seen";
    }
    const double share = *attempt.silent_cpu_seconds / std::max(attempt.silence_seconds, 0.001);
    return fmt::format(
        "QEMU was {} ({:.1f} s of CPU time meanwhile)",
        share < 0.2 ? "idle: the guest waits for something" : "spinning: the guest is busy with something",
        *attempt.silent_cpu_seconds);
}

/// Ended by us before there was a QEMU.
Decision decide_before_qemu(const Reading & reading, const std::string & why) {
    if (appliance_unfinished(reading)) {
        return {
            Outcome::APPLIANCE_FAILED,
            fmt::format(
                "supermin was still building the appliance {}; the last line was {}.", why, quoted(reading.last_line))};
    }
    return {
        Outcome::TOOL_FAILED,
        fmt::format(
            "libguestfs-test-tool had not started QEMU {}; the last line was {}.", why, quoted(reading.last_line))};
}

Decision decide_timeout(const Reading & reading, double seconds) {
    const auto why = fmt::format("when the timeout of {:.0f} s ran out", seconds);
    if (!reading.qemu_start) {
        return decide_before_qemu(reading, why);
    }
    if (!guest_spoke(reading)) {
        return {
            Outcome::NO_KERNEL_OUTPUT,
            fmt::format(
                "QEMU ran, but no kernel had said anything {}; the last line was {}.", why, quoted(reading.last_line))};
    }
    if (reading.up) {
        return {
            Outcome::TOOL_FAILED,
            fmt::format(
                "The appliance was up, but the tool's own test was not finished {}; the last line was {}.",
                why,
                quoted(reading.last_line))};
    }
    return {
        Outcome::LAUNCH_TIMEOUT,
        fmt::format("The appliance was not up {}; the last line was {}.", why, quoted(reading.last_line))};
}

Decision decide_stall(const Reading & reading, const Attempt & attempt) {
    const auto why = fmt::format("after {:.0f} s of silence", attempt.silence_seconds);
    if (!reading.qemu_start) {
        return decide_before_qemu(reading, why);
    }
    if (!guest_spoke(reading)) {
        return {
            Outcome::NO_KERNEL_OUTPUT,
            fmt::format(
                "QEMU ran, but no kernel had said anything {} and {}; the last line was {}.",
                why,
                what_qemu_did(attempt),
                quoted(reading.last_line))};
    }
    return {
        Outcome::STALL,
        fmt::format(
            "The console was silent for {:.0f} s and {}; the last line was {}.",
            attempt.silence_seconds,
            what_qemu_did(attempt),
            quoted(reading.last_line))};
}

/// The tool ended by itself, and not well.
Decision decide_failure(const Reading & reading, const common::ProcessEnd & end) {
    if (end.signal == SIGALRM && reading.qemu_start && !reading.up) {
        return {
            Outcome::LAUNCH_TIMEOUT,
            fmt::format("The tool's own alarm ended the launch; the last line was {}.", quoted(reading.last_line))};
    }
    if (end.signal != 0) {
        return {
            Outcome::TOOL_FAILED,
            fmt::format("libguestfs-test-tool {}; the last line was {}.", end_of(end), quoted(reading.last_line))};
    }
    if (appliance_unfinished(reading)) {
        return {
            Outcome::APPLIANCE_FAILED,
            fmt::format("supermin could not build the appliance: {}.", quoted(evidence(reading)))};
    }
    if (!reading.qemu_start) {
        const bool by_qemu = reading.error_line.find("qemu") != std::string::npos;
        return {
            by_qemu ? Outcome::QEMU_FAILED : Outcome::TOOL_FAILED,
            fmt::format(
                "libguestfs-test-tool {} before QEMU was started: {}.", end_of(end), quoted(evidence(reading)))};
    }
    if (!guest_spoke(reading)) {
        return {
            Outcome::QEMU_FAILED,
            fmt::format("QEMU ended before the kernel said anything: {}.", quoted(evidence(reading)))};
    }
    if (reading.qemu_died || !reading.up) {
        return {
            Outcome::QEMU_FAILED,
            fmt::format(
                "QEMU ended by itself, or was killed from outside, {} the appliance was up: {}.",
                reading.up ? "after" : "before",
                quoted(evidence(reading)))};
    }
    return {Outcome::TOOL_FAILED, fmt::format("libguestfs-test-tool {}: {}.", end_of(end), quoted(evidence(reading)))};
}

}  // namespace

Decision decide_outcome(const Reading & reading, const Attempt & attempt) {
    const auto & end = attempt.end;
    if (end.cancelled) {
        return {Outcome::CANCELLED, "The boot was stopped on request."};
    }
    if (!reading.guest_release.empty() && reading.guest_release != attempt.expected_release) {
        return {
            Outcome::WRONG_KERNEL,
            fmt::format(
                "The guest ran release {} instead of {}: \"{}\".",
                reading.guest_release,
                attempt.expected_release,
                reading.guest_version)};
    }
    if (reading.panicked) {
        return {Outcome::PANIC, fmt::format("The kernel panicked: \"{}\".", reading.panic_line)};
    }
    switch (attempt.intervention) {
        case Intervention::TIMEOUT:
            return decide_timeout(reading, attempt.timeout_seconds);
        case Intervention::STALL:
            return decide_stall(reading, attempt);
        case Intervention::PANIC:
        case Intervention::NONE:
            break;
    }
    if (end.signal != 0 || end.exit_status != 0) {
        return decide_failure(reading, end);
    }
    if (!reading.test_finished_ok) {
        return {
            Outcome::TOOL_FAILED,
            fmt::format(
                "libguestfs-test-tool ended with exit status 0 without saying that its test was finished; the last "
                "line was {}.",
                quoted(reading.last_line))};
    }
    if (reading.guest_release.empty()) {
        return {
            Outcome::NO_KERNEL_OUTPUT,
            fmt::format(
                "The boot went through, but the guest never said which kernel it runs, so that it may be another than "
                "{}.",
                attempt.expected_release)};
    }
    return {Outcome::OK, ""};
}

}  // namespace bootbudget::boot
