// SPDX-License-Identifier: GPL-2.0-or-later
// The words by which the report and the policy call the public face's values. Each table stands beside the enumeration's order, so that a
// new value without a name does not compile (-Wswitch) instead of printing nothing.
#include <bootbudget/report.hpp>

namespace bootbudget {

std::string_view to_string(Unit unit) noexcept {
    switch (unit) {
        case Unit::SECONDS:
            return "s";
        case Unit::BYTES:
            return "B";
        case Unit::COUNT:
            return "1";
        case Unit::RATIO:
            return "x";
    }
    return "?";
}

std::string_view to_string(Outcome outcome) noexcept {
    switch (outcome) {
        case Outcome::OK:
            return "ok";
        case Outcome::LAUNCH_TIMEOUT:
            return "launch_timeout";
        case Outcome::PANIC:
            return "panic";
        case Outcome::STALL:
            return "stall";
        case Outcome::NO_KERNEL_OUTPUT:
            return "no_kernel_output";
        case Outcome::WRONG_KERNEL:
            return "wrong_kernel";
        case Outcome::QEMU_FAILED:
            return "qemu_failed";
        case Outcome::APPLIANCE_FAILED:
            return "appliance_failed";
        case Outcome::TOOL_FAILED:
            return "tool_failed";
        case Outcome::CANCELLED:
            return "cancelled";
    }
    return "?";
}

std::string_view to_string(Phase phase) noexcept {
    switch (phase) {
        case Phase::APPLIANCE:
            return "appliance";
        case Phase::FIRMWARE:
            return "firmware";
        case Phase::KERNEL:
            return "kernel";
        case Phase::INITRAMFS:
            return "initramfs";
        case Phase::USERSPACE:
            return "userspace";
        case Phase::SESSION:
            return "session";
        case Phase::SHUTDOWN:
            return "shutdown";
    }
    return "?";
}

std::string_view to_string(FindingKind kind) noexcept {
    switch (kind) {
        case FindingKind::RCU_STALL:
            return "rcu_stall";
        case FindingKind::SOFT_LOCKUP:
            return "soft_lockup";
        case FindingKind::HUNG_TASK:
            return "hung_task";
        case FindingKind::LOCKDEP_REPORT:
            return "lockdep_report";
        case FindingKind::KASAN_REPORT:
            return "kasan_report";
        case FindingKind::KERNEL_WARNING:
            return "kernel_warning";
        case FindingKind::OOM:
            return "oom";
        case FindingKind::MODULE_REJECTED:
            return "module_rejected";
        case FindingKind::SYSTEMD_OR_UDEV_TIMEOUT:
            return "systemd_or_udev_timeout";
    }
    return "?";
}

std::string_view to_string(Mode mode) noexcept {
    return mode == Mode::TIMED ? "timed" : "counted";
}

std::string_view to_string(Kind kind) noexcept {
    switch (kind) {
        case Kind::UNKNOWN:
            return "unknown";
        case Kind::NODEBUG:
            return "nodebug";
        case Kind::DEBUG:
            return "debug";
    }
    return "?";
}

std::string_view to_string(BuildRole role) noexcept {
    return role == BuildRole::SUBJECT ? "subject" : "against";
}

std::string_view to_string(Verdict verdict) noexcept {
    switch (verdict) {
        case Verdict::SKIPPED:
            return "skipped";
        case Verdict::PASS:
            return "pass";
        case Verdict::WARN:
            return "warn";
        case Verdict::INCONCLUSIVE:
            return "inconclusive";
        case Verdict::ERROR:
            return "error";
        case Verdict::FAIL:
            return "fail";
    }
    return "?";
}

Verdict worse(Verdict a, Verdict b) noexcept {
    return static_cast<int>(a) < static_cast<int>(b) ? b : a;  // declared from best to worst
}

}  // namespace bootbudget
