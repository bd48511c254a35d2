// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "measure/boundary.hpp"
#include "measure/statistics.hpp"

#include <optional>
#include <vector>

namespace bootbudget::measure {

/// Where a comparison stands: value ≤ limit is shown, value > limit is shown, or neither.
enum class Standing { KEPT, EXCEEDED, OPEN };

/// A metric of one series against a limit, absolute or as a ratio to a second series that was booted in turn with it.
struct Comparison {
    std::vector<double> values;
    std::optional<std::vector<double>>
        baseline;  ///< present: the limit is a ratio, judged by the rounds that both have
    double limit = 0;
    Statistic statistic = Statistic::MEAN;
    double least_ratio_sd = LEAST_RATIO_SD;  ///< with a baseline: see ratio_bounds
};

/// Kept if the upper bound is at or below the limit, exceeded if the lower bound is above it, else open.
Standing standing_of(const Interval & interval, double limit);

struct Judgement {
    Standing standing = Standing::OPEN;
    std::optional<Interval> interval;  ///< nullopt while there are too few values
};

/// How much error one look at one comparison may make, such that all looks at all comparisons together stay below 1 - confidence, whatever depends on
/// what: half of the share at the first look, the other half equally over the others. Looks are numbered from 1 (the first, at runs.min) to
/// `looks` = runs.max - runs.min + 1. For medians; means have exact boundaries (boundary.hpp). Source and proof (union bound) in the .cpp. BugError for numbers
/// outside these.
double alpha_of_look(double confidence, int comparisons, int look, int looks);

/// The share of 1 - confidence that each of so many comparisons may err with.
double share_of(double confidence, int comparisons);

/// The look after as many values as there are (for a ratio: rounds). Open without an interval for fewer values than looks.first, or where a ratio has a value that is not positive; BugError for more than looks.last.
Judgement judge(const Comparison & comparison, const Looks & looks);

/// How many further values of each series would probably settle an open comparison: those after which the bounds of a mean (or mean ratio) with the
/// present mean and standard deviation would leave the limit out, at the error of the last look. nullopt if there are too few values to tell, or no
/// number up to 1000 would do.
std::optional<int> further_values(const Comparison & comparison, const Looks & looks);

}  // namespace bootbudget::measure
