// SPDX-License-Identifier: GPL-2.0-or-later
// Seconds are only as good as the machine was quiet. These figures say how quiet it was; they judge nothing.
#include "boot/noise.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>

namespace bootbudget::boot {

Disturbance look_at_machine() {
    Disturbance now;
    double load = 0;
    if (getloadavg(&load, 1) == 1) {
        now.load = load;
    }
    std::ifstream pressure("/proc/pressure/cpu");
    std::string word;
    while (pressure >> word) {
        if (word.starts_with("total=")) {
            now.pressure_seconds = std::strtod(word.c_str() + 6, nullptr) / 1e6;
            break;  // the first line is "some"
        }
    }
    return now;
}

std::map<std::string, double> noise_of(
    const Disturbance & before, const Disturbance & after, const common::ProcessEnd & end) {
    std::map<std::string, double> noise;
    if (before.load) {
        noise["load"] = *before.load;
    }
    if (before.pressure_seconds && after.pressure_seconds && end.seconds > 0) {
        noise["cpu_pressure"] =
            std::clamp((*after.pressure_seconds - *before.pressure_seconds) / end.seconds, 0.0, 1.0);
    }
    noise["involuntary_switches"] = static_cast<double>(end.use.involuntary_switches);
    return noise;
}

}  // namespace bootbudget::boot
