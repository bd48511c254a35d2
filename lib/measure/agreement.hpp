// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "measure/statistics.hpp"

#include <optional>
#include <vector>

namespace bootbudget::measure {

/// How far apart counted boots of one kernel may lie, (max - min) / mean: what ten of them keep under icount also on a starved machine, with room
/// (docs/measurement.md has the measured spreads). Boots that agree so far are taken to tell the mean as exactly as this.
inline constexpr double COUNTED_TOLERANCE = 0.005;

/// How far a reading at the end of a phase may be off, in instructions: where QEMU's plugins cannot stop at the guest's own lines, a line of the console is read
/// when it arrives, and the guest goes on meanwhile. The launch as a whole and the decompression are not read this way.
inline constexpr double MOST_READING_ERROR = 1.2e6;

/// Of a phase, which is read at both ends.
inline constexpr double PHASE_READING_ERROR = 2 * MOST_READING_ERROR;

/// (max - min) / mean of n ≥ 1 values with a positive mean; infinity if the mean is not positive. BugError for none.
double spread_of(const std::vector<double> & values);

/// Bounds from counted boots that agree, two of each side or more: value · (1 ± tolerance) ± reading_error; of a ratio, the least and the greatest quotient of
/// such values. Boots agree if they lie no further apart than the tolerance and the reading error explain. nullopt if they disagree, if there are too few, or
/// if a baseline is no larger than its error.
std::optional<Interval> agreed_interval(
    const std::vector<double> & values,
    const std::optional<std::vector<double>> & baseline,
    Statistic statistic,
    double reading_error);

}  // namespace bootbudget::measure
