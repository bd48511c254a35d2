// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <map>
#include <string>

namespace bootbudget::measure {

/// What kept the machine busy beside a boot, as its noise (Sample::noise) shows: "41 % CPU pressure", several joined by " and ". Empty if
/// it was quiet, or if nothing was measured that could tell. `processors`: of the whole machine, online.
std::string busy_because(const std::map<std::string, double> & noise, int processors);

}  // namespace bootbudget::measure
