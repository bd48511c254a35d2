// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bootbudget/sample.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bootbudget::boot {

/// One line of the test tool's output with its arrival time in seconds after the tool's start.
struct TimedLine {
    std::string text;  ///< without the newline; may hold escapes, CR, any bytes
    double seconds = 0;
};

/// What has been read off a console so far. A value: copying it is a snapshot.
struct Reading {
    int lines = 0;
    std::optional<double> appliance_begin,
        appliance_end;                     ///< "begin building supermin appliance" … "finished building …"
    std::optional<double> qemu_start;      ///< the QEMU command line was logged (the real boot, not a feature probe)
    std::optional<double> kernel_start;    ///< "Linux version"
    std::optional<double> init_start;      ///< "Run /init as init process"
    std::optional<double> root_switch;     ///< "supermin: chroot"
    std::optional<double> up;              ///< "appliance is up"
    std::optional<double> shutdown_begin;  ///< the autosync request
    std::optional<double> end;             ///< the last line
    std::optional<double> guest_init, guest_root_switch,
        guest_up;  ///< guest clock at those points where a stamp is near, seconds since the kernel's start
    bool appliance_cached = false;  ///< supermin said the appliance was up to date
    bool test_finished_ok = false;  ///< "===== TEST FINISHED OK ====="
    bool panicked = false;
    std::optional<double> panic_at;
    std::string panic_line;
    std::string last_line;   ///< last line with any printable text
    std::string error_line;  ///< libguestfs's or supermin's own error, the first
    std::string guest_release;
    std::string guest_version;  ///< the whole "Linux version" line
    std::string guest_command_line;
    std::string qemu_command;
    std::string qemu_version, libguestfs_version, supermin_version;
    std::optional<double> qemu_max_rss_bytes;  ///< "qemu maxrss 597200K"
    bool lockdep_off = false;
    std::vector<Finding> findings;  ///< at most 100
};

/// Reads one more line; `reading` is what the lines before it came to.
void read_line(Reading & reading, const TimedLine & line);

/// Reads a whole log. Never throws for any input.
Reading read_console(const std::vector<TimedLine> & lines);

/// The phases that ended, in order.
std::vector<PhaseTime> phases_of(const Reading & reading);

}  // namespace bootbudget::boot
