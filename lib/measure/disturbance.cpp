// SPDX-License-Identifier: GPL-2.0-or-later
// A boot under emulation keeps about one processor running, so that a machine which has nothing else to do shows hardly any waiting. What is beyond that
// comes from others.
#include "measure/disturbance.hpp"

#include <fmt/format.h>

namespace bootbudget::measure {

namespace {

/// Share of the boot in which some task waited for a processor (Documentation/accounting/psi.rst). A boot alone on two idle processors shows 0.03, for
/// QEMU's threads wait for each other a little; one beside as many busy tasks as there are processors nearly 1. In between, a tenth of the time can cost up to a tenth of the
/// boot: more than a verdict in seconds may be off.
constexpr double MOST_CPU_PRESSURE = 0.10;

/// Share of the processors' time that the hypervisor gave to others (proc_stat(5), "steal"). It slows a boot by as much, and a quiet
/// machine of one's own has none at all.
constexpr double MOST_STEAL = 0.02;

/// Mean number of runnable tasks of the machine, beyond its processors: what looks at the queue is one of them. With one more all the time, somebody waits.
/// Asked only where the kernel keeps no pressure figures.
constexpr double MOST_BEYOND_PROCESSORS = 1.0;

}  // namespace

std::string busy_because(const std::map<std::string, double> & noise, int processors) {
    std::string why;
    const auto add = [&](const std::string & reason) { why += (why.empty() ? "" : " and ") + reason; };
    const auto pressure = noise.find("cpu_pressure");
    if (pressure != noise.end() && pressure->second > MOST_CPU_PRESSURE) {
        add(fmt::format("{:.0f} % CPU pressure", pressure->second * 100));
    }
    if (const auto steal = noise.find("steal"); steal != noise.end() && steal->second > MOST_STEAL) {
        add(fmt::format("{:.0f} % steal", steal->second * 100));
    }
    const auto queue = noise.find("run_queue");
    if (pressure == noise.end() && queue != noise.end() && queue->second > processors + MOST_BEYOND_PROCESSORS) {
        add(fmt::format("{:.1f} runnable tasks", queue->second));
    }
    return why;
}

}  // namespace bootbudget::measure
