// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/process.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace bootbudget::boot {

/// The CPU time of a machine since its start, in ticks: all of it, and what a hypervisor gave to other guests while this one wanted to run.
struct ProcessorTicks {
    double total = 0;
    double steal = 0;

    bool operator==(const ProcessorTicks &) const = default;
};

/// The seconds since the machine's start in which some task waited for a CPU: "some … total=MICROSECONDS" of /proc/pressure/cpu (Linux'
/// Documentation/accounting/psi.rst). Nothing if the text has no such line.
std::optional<double> parse_pressure(std::string_view text);

/// The line "cpu USER NICE SYSTEM IDLE IOWAIT IRQ SOFTIRQ STEAL GUEST GUEST_NICE" of /proc/stat (proc_stat(5)). USER and NICE hold the last two
/// already. Nothing if a number is missing (kernels before 2.6.11) or damaged.
std::optional<ProcessorTicks> parse_processor_ticks(std::string_view text);

/// The tasks that run or could run at this moment: the R of "LOAD LOAD LOAD R/TASKS PID" in /proc/loadavg (proc_loadavg(5)).
std::optional<double> parse_runnable(std::string_view text);

/// What else the machine is doing, at one moment. What its kernel does not tell is absent.
struct Disturbance {
    std::optional<double> load;              ///< one-minute load average, getloadavg(3)
    std::optional<double> pressure_seconds;  ///< parse_pressure()
    std::optional<ProcessorTicks> ticks;
};

Disturbance look_at_machine();

/// The mean number of runnable tasks of the machine, looked at ten times a second. The boot's own tasks are among them, and so is the one that looks: 2 is
/// QEMU on a quiet machine.
class RunQueue {
public:
    /// To be called often; looks at most every 100 ms.
    void look(common::Clock::time_point now);

    /// Nothing before the first look, or where /proc/loadavg cannot be read.
    std::optional<double> mean() const;

private:
    std::optional<common::Clock::time_point> last_;
    double sum_ = 0;
    int looks_ = 0;
};

/// The sample's `noise`. "load": at the boot's start. "cpu_pressure": share of the boot, 0…1, in which some task of the machine waited for a CPU. "steal": share of
/// the machine's CPU time, 0…1, that its hypervisor took away. "run_queue": RunQueue::mean(). "cpu_share": CPU seconds that the tool's own tree got per second.
/// "involuntary_switches": of that tree. Each is absent where it cannot be known.
std::map<std::string, double> noise_of(
    const Disturbance & before,
    const Disturbance & after,
    const std::optional<double> & run_queue,
    const common::ProcessEnd & end);

}  // namespace bootbudget::boot
