// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "measure/statistics.hpp"

#include <optional>
#include <vector>

namespace bootbudget::measure {

/// How far apart counted boots of one kernel may lie, (max - min) / mean: what ten of them keep under icount also on a starved machine, with room
/// (docs/measurement.md has the measured spreads). Boots that agree so far are taken to tell the mean as exactly as this.
inline constexpr double COUNTED_TOLERANCE = 0.005;

/// (max - min) / mean of n ≥ 1 values with a positive mean; infinity if the mean is not positive. BugError for none.
double spread_of(const std::vector<double> & values);

/// Bounds from counted boots that agree, two of each side or more: value · (1 ± tolerance); of a ratio, the least and the greatest quotient of such values.
/// nullopt if they disagree or there are too few.
std::optional<Interval> agreed_interval(
    const std::vector<double> & values, const std::optional<std::vector<double>> & baseline, Statistic statistic);

}  // namespace bootbudget::measure
