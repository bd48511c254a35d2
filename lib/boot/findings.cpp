// SPDX-License-Identifier: GPL-2.0-or-later
// A kernel's report is recognised by the message that printk put after its time stamp, never by words in the middle of one: options on
// a command line and configuration names carry the same words. Text of user space (udev, supermin, systemd) has no stamp.
#include "boot/findings.hpp"

#include "common/units.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace bootbudget::boot {

namespace {

using namespace std::string_view_literals;

bool has(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

bool any_of(std::string_view text, std::initializer_list<std::string_view> parts) {
    return std::any_of(parts.begin(), parts.end(), [&](auto part) { return has(text, part); });
}

/// "WARNING: CPU: 0 PID: 1 at kernel/x.c:12 f+0x1/0x2" and, since Linux 6.19, "WARNING: kernel/x.c:12 at f+0x1/0x2, CPU#0: …".
bool is_warning(std::string_view message) {
    if (!message.starts_with("WARNING: "sv)) {
        return false;
    }
    return has(message, "CPU: ") || (has(message, " at ") && has(message, "CPU#"));
}

/// Titles of lockdep's reports: kernel/locking/lockdep.c.
constexpr std::array LOCKDEP_TITLES = {
    "possible circular locking dependency detected"sv,
    "possible recursive locking detected"sv,
    "possible irq lock inversion dependency detected"sv,
    "inconsistent lock state"sv,
    "lock order detected"sv,
    "bad unlock balance detected"sv,
    "bad contention detected"sv,
    "held lock freed"sv,
    "lock held when returning to user space"sv,
    "Nested lock was not taken"sv,
    "Invalid wait context"sv,
    "trying to register non-static key"sv,
    "turning off the locking correctness validator"sv,
    "DEBUG_LOCKS_WARN_ON"sv,
    "lockdep is turned off"sv,
    "suspicious RCU usage"sv,
};

std::string_view lockdep_title(std::string_view message) {
    const auto title =
        std::find_if(LOCKDEP_TITLES.begin(), LOCKDEP_TITLES.end(), [&](auto part) { return has(message, part); });
    return title == LOCKDEP_TITLES.end() ? std::string_view() : *title;
}

std::optional<FindingKind> in_kernel_message(std::string_view message) {
    if (has(message, "ommand line")) {  // Command line:, Kernel command line:, Unknown kernel command line parameters
        return std::nullopt;
    }
    if (has(message, "INFO: rcu") && has(message, " stall")) {
        return FindingKind::RCU_STALL;
    }
    if (any_of(message, {"BUG: soft lockup", "Watchdog detected hard LOCKUP", "BUG: workqueue lockup"})) {
        return FindingKind::SOFT_LOCKUP;
    }
    if (message.starts_with("INFO: task ") && has(message, "blocked for more than")) {
        return FindingKind::HUNG_TASK;
    }
    if (!lockdep_title(message).empty()) {
        return FindingKind::LOCKDEP_REPORT;
    }
    if (message.starts_with("BUG: KASAN:")) {
        return FindingKind::KASAN_REPORT;
    }
    if (message.starts_with("Out of memory") || has(message, "invoked oom-killer") ||
        message.starts_with("Memory cgroup out of memory")) {
        return FindingKind::OOM;
    }
    if (any_of(message, {"disagrees about version of symbol", ": version magic '", ": Unknown symbol "}) ||
        (message.starts_with("Loading of ") && has(message, " is rejected"))) {
        return FindingKind::MODULE_REJECTED;
    }
    if (is_warning(message) || message.starts_with("BUG: ") || message.starts_with("UBSAN: ") ||
        message.starts_with("Oops: ") || message.starts_with("general protection fault")) {
        return FindingKind::KERNEL_WARNING;
    }
    return std::nullopt;
}

/// The init script's own trace ("+ cmd", "++ cmd"; since libguestfs 1.60 "/init: cmd", "//init: cmd") shows commands, not results.
bool is_trace(std::string_view text) {
    return text.starts_with("+") || text.starts_with("/init: ") || text.starts_with("//init: ") ||
           text.starts_with("supermin: cmdline:") || has(text, "commandrvf: ");
}

std::optional<FindingKind> in_user_text(std::string_view text) {
    if (is_trace(text)) {
        return std::nullopt;
    }
    if (any_of(text, {"insmod: init_module: ", "Invalid module format"}) ||
        (any_of(text, {"could not insert", "insmod: ERROR", "modprobe: ERROR"}) &&
         any_of(text, {"Exec format error", "Key was rejected", "Unknown symbol"}))) {
        return FindingKind::MODULE_REJECTED;
    }
    if (any_of(
            text,
            {"Timed out for waiting the udev queue",
             "Timed out waiting for ",
             "is taking a long time",
             " timed out, killing"}) ||
        (has(text, "Worker [") && any_of(text, {"timeout", "timed out"}))) {
        return FindingKind::SYSTEMD_OR_UDEV_TIMEOUT;
    }
    return std::nullopt;
}

/// The text without what differs between two reports of the same thing: numbers, addresses, stamps.
std::string shape_of(std::string_view line) {
    std::string shape;
    for (std::size_t i = 0; i < line.size();) {
        if (std::isdigit(static_cast<unsigned char>(line[i])) == 0) {
            shape += line[i++];
            continue;
        }
        shape += '#';
        while (i < line.size() && (std::isxdigit(static_cast<unsigned char>(line[i])) != 0 || line[i] == 'x')) {
            ++i;
        }
    }
    shape.erase(std::remove(shape.begin(), shape.end(), ' '), shape.end());
    return shape;
}

}  // namespace

std::optional<FindingKind> finding_in(std::string_view text, const std::optional<Stamp> & stamp) {
    if (stamp) {
        return in_kernel_message(text.substr(stamp->message));
    }
    return in_user_text(text);
}

bool turns_lockdep_off(std::string_view text) {
    const auto title = lockdep_title(text);
    return !title.empty() && title != "suspicious RCU usage"sv;
}

void add_finding(std::vector<Finding> & findings, FindingKind kind, std::string_view text, int line_number) {
    if (findings.size() >= MAX_FINDINGS) {
        return;
    }
    auto line = common::printable(text);
    const auto shape = shape_of(line);
    const bool known = std::any_of(findings.begin(), findings.end(), [&](const Finding & finding) {
        return finding.kind == kind && shape_of(finding.line) == shape;
    });
    if (!known) {
        findings.push_back({kind, std::move(line), line_number});
    }
}

}  // namespace bootbudget::boot
