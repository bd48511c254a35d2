// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/process.hpp"

#include <map>
#include <optional>
#include <string>

namespace bootbudget::boot {

/// What else the machine is doing, at one moment.
struct Disturbance {
    std::optional<double> load;              ///< one-minute load average, getloadavg(3)
    std::optional<double> pressure_seconds;  ///< time in which some task waited for a CPU, since the machine's start
};

/// /proc/pressure/cpu's "some … total=MICROSECONDS" (Documentation/accounting/psi.rst); absent where the kernel has no PSI.
Disturbance look_at_machine();

/// "load": at the start; "cpu_pressure": share of the boot, 0…1, in which some task waited for a CPU; "involuntary_switches": of the
/// tool's own tree.
std::map<std::string, double> noise_of(
    const Disturbance & before, const Disturbance & after, const common::ProcessEnd & end);

}  // namespace bootbudget::boot
