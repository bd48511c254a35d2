// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bootbudget/quantity.hpp>

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bootbudget {

/// How one boot ended.
enum class Outcome {
    OK,
    LAUNCH_TIMEOUT,    ///< cut off by boot.timeout
    PANIC,             ///< "Kernel panic - not syncing"
    STALL,             ///< no console output for boot.stall
    NO_KERNEL_OUTPUT,  ///< QEMU ran, but no line of a kernel was seen
    WRONG_KERNEL,      ///< the guest's "Linux version" is not the release under test
    QEMU_FAILED,       ///< QEMU ended by itself before the kernel or was killed from outside
    APPLIANCE_FAILED,  ///< supermin could not build the appliance
    TOOL_FAILED,       ///< libguestfs-test-tool failed otherwise, or could not be started
    CANCELLED          ///< stopped by the user
};

/// The outcome's name in the report: "ok", "launch_timeout", …
BOOTBUDGET_API std::string_view to_string(Outcome outcome) noexcept;

/// One list of phases, in the order in which they happen.
enum class Phase { APPLIANCE, FIRMWARE, KERNEL, INITRAMFS, USERSPACE, SESSION, SHUTDOWN };

inline constexpr Phase ALL_PHASES[] = {
    Phase::APPLIANCE,
    Phase::FIRMWARE,
    Phase::KERNEL,
    Phase::INITRAMFS,
    Phase::USERSPACE,
    Phase::SESSION,
    Phase::SHUTDOWN};

/// "appliance", "firmware", "kernel", "initramfs", "userspace", "session", "shutdown".
BOOTBUDGET_API std::string_view to_string(Phase phase) noexcept;

/// How long one phase took. A phase that never ended (a cut-off boot) is left out of a sample.
struct PhaseTime {
    Phase phase = Phase::APPLIANCE;
    double seconds = 0;                   ///< by the host's monotonic clock, at the arrival of the console lines
    std::optional<double> guest_seconds;  ///< by the guest's own printk clock, where both ends were stamped
    std::optional<double> instructions;   ///< guest instructions, in counted boots

    bool operator==(const PhaseTime &) const = default;
};

/// Something noticed in a console log that is not itself an outcome.
enum class FindingKind {
    RCU_STALL,
    SOFT_LOCKUP,
    HUNG_TASK,
    LOCKDEP_REPORT,
    KASAN_REPORT,
    KERNEL_WARNING,
    OOM,
    MODULE_REJECTED,
    SYSTEMD_OR_UDEV_TIMEOUT
};

inline constexpr FindingKind ALL_FINDING_KINDS[] = {
    FindingKind::RCU_STALL,
    FindingKind::SOFT_LOCKUP,
    FindingKind::HUNG_TASK,
    FindingKind::LOCKDEP_REPORT,
    FindingKind::KASAN_REPORT,
    FindingKind::KERNEL_WARNING,
    FindingKind::OOM,
    FindingKind::MODULE_REJECTED,
    FindingKind::SYSTEMD_OR_UDEV_TIMEOUT};

/// "rcu_stall", "soft_lockup", …: the keys of the policy's `findings`.
BOOTBUDGET_API std::string_view to_string(FindingKind kind) noexcept;

struct Finding {
    FindingKind kind = FindingKind::KERNEL_WARNING;
    std::string line;     ///< the console line, at most 1000 bytes, control characters escaped
    int line_number = 0;  ///< in the boot's log, from 1

    bool operator==(const Finding &) const = default;
};

/// Timed boots give seconds, counted boots give instructions.
enum class Mode { TIMED, COUNTED };
BOOTBUDGET_API std::string_view to_string(Mode mode) noexcept;

/// One boot of one variant.
struct Sample {
    int index = 0;  ///< from 0, in the order in which this variant's boots were made
    Mode mode = Mode::TIMED;
    bool warmup = false;
    bool valid =
        false;  ///< finished, and it booted the release under test; only valid samples that are no warm-up enter a summary
    Outcome outcome = Outcome::TOOL_FAILED;
    std::string detail;  ///< why, in one sentence with the decisive line; empty when ok
    std::string log;     ///< console log, relative to the report's directory
    std::vector<std::string>
        last_lines;  ///< the end of the console log when `outcome` is not OK: at most 15 lines of ≤ 200 bytes, printable

    /// By metric name: "launch", "total", "cpu", "memory", and each phase's name; in counted boots also "instructions" and
    /// "instructions:PHASE", and "instructions:decompression" where it could be told apart (a part of the firmware phase).
    std::map<std::string, Quantity> metrics;
    std::vector<PhaseTime> phases;        ///< in the order of Phase
    std::map<std::string, double> noise;  ///< what disturbed this boot: "load", "involuntary_switches", …
    std::string busy;  ///< what kept the machine busy beside this boot: "41 % CPU pressure"; empty if it was quiet
    std::map<std::string, std::string>
        outliers;  ///< metrics whose value lies far off the series, with the likely cause
    std::vector<Finding> findings;

    std::string guest_release;       ///< as the guest itself said, empty if it never did
    std::string guest_command_line;  ///< the kernel's command line
    std::string qemu_command;        ///< as libguestfs logged it
    double cut_off_seconds =
        0;  ///< launch_timeout only: how long the launch had taken when it was cut off (a lower bound)
};

}  // namespace bootbudget
