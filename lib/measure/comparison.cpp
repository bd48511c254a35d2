// SPDX-License-Identifier: GPL-2.0-or-later
// A comparison is looked at again after each boot until it is settled. Looking often makes wrong verdicts more likely, so that the error that the
// whole check may make is divided beforehand: equally over the comparisons, then over each comparison's looks.
#include "measure/comparison.hpp"

#include <cmath>

namespace bootbudget::measure {

namespace {

constexpr int MOST_FURTHER_VALUES = 1000;

std::optional<Interval> interval_of(const Comparison & comparison, double alpha) {
    const bool median = comparison.statistic == Statistic::MEDIAN;
    if (comparison.baseline) {
        return median ? median_ratio_interval(comparison.values, *comparison.baseline, alpha)
                      : ratio_interval(comparison.values, *comparison.baseline, alpha);
    }
    return median ? median_interval(comparison.values, alpha) : mean_interval(comparison.values, alpha);
}

Standing standing_of(const Interval & interval, double limit) {
    if (interval.high <= limit) {
        return Standing::KEPT;
    }
    return interval.low > limit ? Standing::EXCEEDED : Standing::OPEN;
}

}  // namespace

// Proof that the whole check errs with probability at most 1 - confidence, whatever the looks depend on each other: a comparison whose true
// value keeps the limit can only be judged wrongly by a lower bound above it, at look i with probability at most a_i; one whose true
// value exceeds the limit only by an upper bound at or below it, likewise. By Boole's inequality a comparison errs at any of its looks with at most
// the sum of its a_i, which is its share, and any comparison with at most the sum of the shares, which is 1 - confidence.
//
// How a share is spent over the looks is free (Lan and DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70, 1983). Most
// budgets are kept or exceeded by a wide margin and are settled at the first look, which therefore gets half.
double alpha_of_look(double confidence, int comparisons, int look, int looks) {
    if (!(confidence > 0 && confidence < 1) || comparisons < 1 || looks < 1 || look < 1 || look > looks) {
        throw BugError(
            "A share of the check's error was asked for with numbers that make no sense; please report this.");
    }
    const double share = (1 - confidence) / comparisons;
    if (looks == 1) {
        return share;
    }
    return look == 1 ? share / 2 : share / 2 / (looks - 1);
}

Judgement judge(const Comparison & comparison, double alpha) {
    Judgement judgement;
    judgement.interval = interval_of(comparison, alpha);
    if (judgement.interval) {
        judgement.standing = standing_of(*judgement.interval, comparison.limit);
    }
    return judgement;
}

std::optional<int> further_values(const Comparison & comparison, double alpha) {
    if (comparison.values.size() < 2 || (comparison.baseline && comparison.baseline->size() < 2)) {
        return std::nullopt;
    }
    // A median needs about pi / 2 times as many values as a mean for the same precision (asymptotic relative efficiency under normal noise).
    const double efficiency = comparison.statistic == Statistic::MEDIAN ? 1.5707963267948966 : 1.0;
    const Moments values = moments_of(comparison.values);
    const auto settled_with = [&](int further) {
        const auto grown = [&](Moments moments) {
            moments.n += further;
            moments.sd *= std::sqrt(efficiency);
            return moments;
        };
        const auto interval = comparison.baseline
                                  ? ratio_interval_from(grown(values), grown(moments_of(*comparison.baseline)), alpha)
                                  : mean_interval_from(grown(values), alpha);
        return interval && standing_of(*interval, comparison.limit) != Standing::OPEN;
    };
    if (!settled_with(MOST_FURTHER_VALUES)) {
        return std::nullopt;
    }
    int too_few = 0;
    int enough = MOST_FURTHER_VALUES;
    while (enough - too_few > 1) {  // more values never widen the bounds
        const int middle = (too_few + enough) / 2;
        (settled_with(middle) ? enough : too_few) = middle;
    }
    return enough;
}

}  // namespace bootbudget::measure
