// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "measure/statistics.hpp"

#include <optional>
#include <vector>

namespace bootbudget::measure {

/// Where a comparison stands: value ≤ limit is shown, value > limit is shown, or neither.
enum class Standing { KEPT, EXCEEDED, OPEN };

/// A metric of one series against a limit, absolute or as a ratio to a second series.
struct Comparison {
    std::vector<double> values;
    std::optional<std::vector<double>> baseline;  ///< present: the limit is a ratio
    double limit = 0;
    Statistic statistic = Statistic::MEAN;
};

struct Judgement {
    Standing standing = Standing::OPEN;
    std::optional<Interval> interval;  ///< nullopt while there are too few values
};

/// How much error one look at one comparison may make, such that all looks at all comparisons together stay below 1 - confidence. Looks are numbered from 1 (the first, at runs.min) to `looks` = runs.max - runs.min + 1.
/// Source and proof (union bound, alpha spending) in the .cpp. BugError for numbers outside these.
double alpha_of_look(double confidence, int comparisons, int look, int looks);

/// Kept if the upper bound is at or below the limit, exceeded if the lower bound is above it, else open.
Judgement judge(const Comparison & comparison, double alpha);

/// How many further values of each series would probably settle an open comparison: those after which the bounds of a mean (or ratio of means) with the
/// present mean and standard deviation would leave the limit out. nullopt if there are too few values to tell, or no number up to 1000 would do.
std::optional<int> further_values(const Comparison & comparison, double alpha);

}  // namespace bootbudget::measure
