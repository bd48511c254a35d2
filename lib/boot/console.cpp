// SPDX-License-Identifier: GPL-2.0-or-later
// The console is read a line at a time, as it comes. Every mark is looked for anywhere in its line, because the firmware, the kernel, the
// guest's user space and libguestfs write to one stream without agreeing about newlines; but only in the order in which a boot
// goes, so that a guest cannot be "up" before QEMU was started.
#include "boot/console.hpp"

#include "boot/console_text.hpp"
#include "boot/findings.hpp"
#include "common/units.hpp"
#include "kernel/release.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

namespace bootbudget::boot {

namespace {

constexpr std::size_t MAX_LINE = 16U << 10U;
constexpr std::size_t MAX_COMMAND = 64U << 10U;
constexpr std::size_t MAX_LAST_LINES = 15;
constexpr double NEAR_SECONDS = 0.5;  // a guest stamp that old still says when a host-side line was written

bool has(std::string_view text, std::string_view part) {
    return text.find(part) != std::string_view::npos;
}

/// The text after `mark`, if the line has it.
std::optional<std::string_view> after(std::string_view text, std::string_view mark) {
    const auto at = text.find(mark);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    return text.substr(at + mark.size());
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') {
        text.remove_prefix(1);
    }
    while (!text.empty() && text.back() == ' ') {
        text.remove_suffix(1);
    }
    return text;
}

std::optional<double> number_at(std::string_view text) {
    double number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    if (parsed.ec != std::errc() || !(number >= 0) || number > 1e15) {
        return std::nullopt;
    }
    return number;
}

void note_first(std::string & slot, std::string_view text) {
    if (slot.empty()) {
        slot = common::printable(trimmed(text));
    }
}

void note_first(std::optional<double> & slot, double seconds) {
    if (!slot) {
        slot = seconds;
    }
}

/// The guest's clock at `seconds`, if it showed it within half a second.
std::optional<double> guest_clock(const Reading & reading, double seconds) {
    const auto & carry = reading.carry;
    if (carry.stamp && seconds - carry.stamp_at >= 0 && seconds - carry.stamp_at <= NEAR_SECONDS) {
        return carry.stamp;
    }
    return std::nullopt;
}

/// The value of -append in a command as libguestfs prints it: in double quotes, with \" for a quote within.
std::string append_of(std::string_view command) {
    const auto value = after(command, "-append ");
    if (!value || !value->starts_with('"')) {
        return value ? std::string(word_at(*value, 0)) : std::string();
    }
    std::string text;
    for (std::size_t i = 1; i < value->size() && (*value)[i] != '"'; ++i) {
        if ((*value)[i] == '\\' && i + 1 < value->size()) {
            ++i;
        }
        text += (*value)[i];
    }
    return text;
}

/// "PROGRAM \", "    -option value \", …: libguestfs logs the boot's command over several lines; feature probes are logged in
/// another form, or without -append.
void read_command(Reading & reading, std::string_view text, double seconds) {
    auto & carry = reading.carry;
    const bool continues = text.ends_with(" \\");
    if (!carry.in_command) {
        if (!continues || text.starts_with(' ') || has(text, "libguestfs: ")) {
            return;
        }
        carry = {};
        carry.in_command = true;
    } else if (!text.starts_with(' ')) {
        carry = {};
        return;
    }
    auto part = trimmed(continues ? text.substr(0, text.size() - 2) : text);
    carry.append_seen = carry.append_seen || part.starts_with("-append ");
    if (carry.command.size() + part.size() < MAX_COMMAND) {
        carry.command += carry.command.empty() ? "" : " ";
        carry.command += part;
    }
    if (continues) {
        return;
    }
    if (carry.append_seen) {
        reading.qemu_start = seconds;
        reading.qemu_command = common::printable(carry.command, MAX_COMMAND);
        reading.guest_command_line = append_of(reading.qemu_command);
    }
    carry = {};
}

/// What libguestfs and supermin say before QEMU runs.
void read_preparation(Reading & reading, std::string_view text, double seconds) {
    if (has(text, "libguestfs: begin building supermin appliance")) {
        note_first(reading.appliance_begin, seconds);
    } else if (has(text, "libguestfs: finished building supermin appliance")) {
        if (reading.appliance_begin) {
            note_first(reading.appliance_end, seconds);
        }
    } else if (has(text, "supermin: if-newer: output does not need rebuilding")) {
        reading.appliance_cached = true;
    } else if (const auto version = after(text, "libguestfs: launch: version=")) {
        note_first(reading.libguestfs_version, *version);
    } else if (const auto supermin = after(text, "supermin: version: ")) {
        note_first(reading.supermin_version, *supermin);
    } else if (const auto qemu = after(text, "libguestfs: qemu: QEMU emulator version ")) {
        note_first(reading.qemu_version, *qemu);
    } else if (const auto number = after(text, "libguestfs: qemu version: ")) {
        note_first(reading.qemu_version, *number);
    }
    read_command(reading, text, seconds);
}

/// What libguestfs says once QEMU runs.
void read_host(Reading & reading, std::string_view text, double seconds) {
    if (has(text, "libguestfs: appliance is up")) {
        if (!reading.up) {
            reading.up = seconds;
            reading.guest_up = guest_clock(reading, seconds);
        }
    } else if (const auto kilobytes = after(text, "libguestfs: qemu maxrss ")) {
        note_first(reading.qemu_end, seconds);
        if (const auto number = number_at(*kilobytes)) {
            reading.qemu_max_rss_bytes = *number * 1024;
        }
    } else if (has(text, "libguestfs: child_cleanup:") && has(text, "child process died")) {
        reading.qemu_died = true;
        note_first(reading.qemu_end, seconds);
    } else if (has(text, "===== TEST FINISHED OK =====")) {
        reading.test_finished_ok = reading.up.has_value();
    } else if (reading.up && (has(text, "internal_autosync") || has(text, "umount-all: "))) {
        note_first(reading.shutdown_begin, seconds);
    }
    // QEMU's own words: error_report() in util/error-report.c begins with the program's name, older
    // messages of its loaders with "qemu: "
    const auto program = word_at(reading.qemu_command, 0);
    const auto name = program.substr(program.rfind('/') + 1);
    const bool named = !name.empty() && has(text, std::string(name) + ": ");
    if ((named || text.starts_with("qemu: ")) && !has(text, "terminating on signal") && !has(text, "libguestfs: ") &&
        !has(text, ": warning: ")) {
        note_first(reading.qemu_error_line, text);
    }
}

/// A release, once from the kernel's banner and once from uname -a in the init script. A banner that lost characters on its way is mended.
void read_release(Reading & reading, std::string_view text) {
    if (const auto version = after(text, "Linux version ")) {
        const auto release = word_at(*version, 0);
        if (reading.guest_version.empty() && kernel::is_release(release)) {
            reading.guest_version = common::printable(trimmed(text.substr(text.find("Linux version "))));
            if (reading.guest_release.empty()) {
                reading.guest_release = release;
            }
        }
        return;
    }
    // uname -a: "Linux HOST RELEASE #1 SMP …"
    const auto uname = after(text, "Linux ");
    if (!uname || !has(*uname, " #") || find_stamp(text)) {
        return;
    }
    const auto host = word_at(*uname, 0);
    const auto release = word_at(*uname, host.size() + 1);
    const auto rest = uname->substr(std::min(uname->size(), host.size() + release.size() + 2));
    if (kernel::is_release(release) && rest.starts_with('#') &&
        (reading.guest_release.empty() || lost_characters(reading.guest_release, release))) {
        reading.guest_release = release;
    }
}

void read_guest_clock(Reading & reading, std::string_view text, const std::optional<Stamp> & stamp, double seconds) {
    auto & carry = reading.carry;
    const auto show = [&](double guest) {
        carry.stamp = guest;
        carry.stamp_at = seconds;
    };
    if (stamp) {
        show(stamp->seconds);
        return;
    }
    if (const auto uptime = after(text, "supermin: uptime: ")) {
        if (const auto number = number_at(*uptime)) {
            show(*number);
        }
    } else if (carry.uptime_expected) {
        if (const auto number = number_at(text); number && has(text, ".")) {
            show(*number);
        }
        carry.uptime_expected = false;
    } else if (has(text, "cat /proc/uptime")) {
        carry.uptime_expected = true;
    }
}

void read_guest_command_line(Reading & reading, std::string_view text) {
    for (const auto mark : {"] Command line: ", "] Kernel command line: "}) {
        if (const auto said = after(text, mark)) {
            const auto line = common::printable(trimmed(*said), MAX_LINE);
            // The kernel's word counts (it may have options of its own built in), unless it is a damaged or wrapped copy of ours.
            const bool same = reading.guest_command_line.find(line) != std::string::npos;
            if (!same && !lost_characters(line, reading.guest_command_line)) {
                if (reading.guest_command_line.empty() || has(line, word_at(reading.guest_command_line, 0))) {
                    reading.guest_command_line = line;
                }
            }
        }
    }
}

/// What the guest itself writes.
void read_guest(Reading & reading, std::string_view text, double seconds) {
    const auto stamp = find_stamp(text);
    read_release(reading, text);
    if (!reading.kernel_start && !reading.init_start && (stamp || !reading.guest_version.empty())) {
        reading.kernel_start = seconds;
    }
    read_guest_clock(reading, text, stamp, seconds);
    read_guest_command_line(reading, text);

    if (!reading.init_start && (has(text, "Run /init as init process") || text.starts_with("supermin: "))) {
        reading.init_start = seconds;
        reading.guest_init = guest_clock(reading, seconds);
    }
    if (reading.init_start && !reading.root_switch &&
        (has(text, "supermin: chroot") || has(text, "Starting /init script"))) {
        reading.root_switch = seconds;
        reading.guest_root_switch = guest_clock(reading, seconds);
    }
    if (!reading.panicked && !has(text, "ommand line")) {
        if (const auto at = text.find("Kernel panic - not syncing"); at != std::string_view::npos) {
            reading.panicked = true;
            reading.panic_at = seconds;
            reading.panic_line = common::printable(trimmed(text.substr(at)));
        }
    }
    if (has(text, "libguestfs: ")) {
        return;
    }
    if (const auto kind = finding_in(text, stamp)) {
        add_finding(reading.findings, *kind, trimmed(text), reading.lines);
        reading.lockdep_off = reading.lockdep_off || (*kind == FindingKind::LOCKDEP_REPORT && turns_lockdep_off(text));
    }
}

}  // namespace

void read_line(Reading & reading, const TimedLine & line) {
    if (reading.lines < std::numeric_limits<int>::max()) {
        ++reading.lines;
    }
    const auto text = clean_text(std::string_view(line.text).substr(0, MAX_LINE));
    const auto visible = trimmed(text);
    if (visible.empty()) {
        return;
    }
    reading.end = line.seconds;
    reading.last_line = common::printable(visible);
    if (reading.last_lines.size() == MAX_LAST_LINES) {
        reading.last_lines.erase(reading.last_lines.begin());
    }
    reading.last_lines.push_back(common::printable(visible, 200));
    for (const auto mark :
         {"libguestfs: error: ", "supermin: error: ", "supermin: failure: ", "supermin: exception: "}) {
        if (const auto at = text.find(mark); at != std::string::npos) {
            note_first(reading.error_line, std::string_view(text).substr(at));
        }
    }
    if (!reading.qemu_start) {
        read_preparation(reading, text, line.seconds);
        return;
    }
    read_guest(reading, text, line.seconds);
    read_host(reading, text, line.seconds);
}

Reading read_console(const std::vector<TimedLine> & lines) {
    Reading reading;
    for (const auto & line : lines) {
        read_line(reading, line);
    }
    return reading;
}

}  // namespace bootbudget::boot
