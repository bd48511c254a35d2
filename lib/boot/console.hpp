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

/// What the reader must remember from one line to the next; nothing in it is a result.
struct ReadingCarry {
    std::string command;           ///< a command of libguestfs's that is still being continued with backslashes
    bool in_command = false;       ///< `command` is open
    bool append_seen = false;      ///< the open command has -append: it is the boot
    bool uptime_expected = false;  ///< the next line is what /proc/uptime holds
    std::optional<double> stamp;   ///< the guest's clock when it last showed it, seconds
    double stamp_at = 0;           ///< arrival of that
};

/// What has been read off a console so far. A value: copying it is a snapshot.
///
/// Where a line may have lost bytes on the serial port (QEMU's emulated UART drops some under load) there is a second
/// source: any printk stamp for `kernel_start`, supermin's first line for `init_start`, the init script's greeting for
/// `root_switch`, uname(1)'s line for `guest_release`, and QEMU's -append for `guest_command_line`.
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
    std::optional<double> qemu_end;        ///< libguestfs reaped QEMU ("qemu maxrss", "child process died")
    std::optional<double> end;             ///< the last line
    std::optional<double> guest_init, guest_root_switch,
        guest_up;  ///< guest clock at those points where a stamp is near (half a second), seconds since the kernel's start
    bool appliance_cached = false;  ///< supermin said the appliance was up to date
    bool test_finished_ok = false;  ///< "===== TEST FINISHED OK ====="
    bool panicked = false;
    std::optional<double> panic_at;
    std::string panic_line;
    std::string last_line;                ///< last line with any printable text
    std::vector<std::string> last_lines;  ///< the last 15 of them, each cut at 200 bytes
    std::string error_line;               ///< libguestfs's or supermin's own error, the first
    std::string qemu_error_line;          ///< QEMU's own error, the first
    bool qemu_died = false;               ///< libguestfs said that QEMU ended unasked
    std::string guest_release;
    std::string guest_version;  ///< the whole "Linux version" line
    std::string guest_command_line;
    std::string qemu_command;
    std::string qemu_version, libguestfs_version, supermin_version;
    std::optional<double> qemu_max_rss_bytes;  ///< "qemu maxrss 597200K"
    bool lockdep_off = false;                  ///< lockdep reported something and is off from then on
    std::vector<Finding> findings;             ///< at most 100, the same text (numbers aside) once
    ReadingCarry carry;
};

/// Reads one more line; `reading` is what the lines before it came to. Only the first 16 KiB of a line are looked at. Formats:
/// libguestfs lib/launch-direct.c and appliance/init, supermin init/init.c, Linux init/version.c and init/main.c; tried with
/// libguestfs 1.48, 1.54 and 1.60.
void read_line(Reading & reading, const TimedLine & line);

/// Reads a whole log. Never throws for any input.
Reading read_console(const std::vector<TimedLine> & lines);

/// The phases that ended, in order.
std::vector<PhaseTime> phases_of(const Reading & reading);

/// True once a kernel, or the user space on it, has said anything. A kernel told to be quiet has no first line.
bool guest_spoke(const Reading & reading);

/// The phase that the reading is in, nothing before the first and between `appliance` and `firmware`.
std::optional<Phase> current_phase(const Reading & reading);

}  // namespace bootbudget::boot
