// SPDX-License-Identifier: GPL-2.0-or-later
// A comparison is looked at again after each boot until it is settled. Looking often makes wrong verdicts more likely, so that the error that the
// whole check may make is divided beforehand: equally over the comparisons, then over each comparison's looks.
#include "measure/comparison.hpp"

#include <cmath>

namespace bootbudget::measure {

namespace {

constexpr int MOST_FURTHER_VALUES = 1000;

/// What bounds are taken of: the values themselves, or the rounds' ratios.
std::optional<std::vector<double>> judged_values(const Comparison & comparison) {
    return comparison.baseline ? ratios_of_rounds(comparison.values, *comparison.baseline)
                               : std::optional(comparison.values);
}

Interval bounds_of(const Comparison & comparison, const Moments & moments, double t) {
    return comparison.baseline ? ratio_bounds(moments, t, comparison.least_ratio_sd) : mean_bounds(moments, t);
}

Moments moments_for(const Comparison & comparison, const std::vector<double> & values) {
    return comparison.baseline ? log_moments_of(values) : moments_of(values);
}

double median_alpha(const Looks & looks, int n) {
    return alpha_of_look(1 - looks.share, 1, n - looks.first + 1, looks.last - looks.first + 1);
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
    if (looks < 1 || look < 1 || look > looks) {
        throw BugError("A look was asked for that is not among the looks at a comparison; please report this.");
    }
    const double share = share_of(confidence, comparisons);
    if (looks == 1) {
        return share;
    }
    return look == 1 ? share / 2 : share / 2 / (looks - 1);
}

double share_of(double confidence, int comparisons) {
    if (!(confidence > 0 && confidence < 1) || comparisons < 1) {
        throw BugError(
            "A share of the check's error was asked for with numbers that make no sense; please report this.");
    }
    return (1 - confidence) / comparisons;
}

Standing standing_of(const Interval & interval, double limit) {
    if (interval.high <= limit) {
        return Standing::KEPT;
    }
    return interval.low > limit ? Standing::EXCEEDED : Standing::OPEN;
}

Judgement judge(const Comparison & comparison, const Looks & looks) {
    Judgement judgement;
    const auto values = judged_values(comparison);
    if (!values || std::ssize(*values) < looks.first) {
        return judgement;
    }
    const int n = static_cast<int>(values->size());
    if (comparison.statistic == Statistic::MEDIAN) {
        judgement.interval = median_interval(*values, median_alpha(looks, n));
    } else {
        judgement.interval = bounds_of(comparison, moments_for(comparison, *values), critical_t(looks, n));
    }
    if (judgement.interval) {
        judgement.standing = standing_of(*judgement.interval, comparison.limit);
    }
    return judgement;
}

std::optional<int> further_values(const Comparison & comparison, const Looks & looks) {
    const auto values = judged_values(comparison);
    if (!values || values->size() < 2) {
        return std::nullopt;
    }
    // A median needs about pi / 2 times as many values as a mean for the same precision (asymptotic relative efficiency under normal noise).
    const bool median = comparison.statistic == Statistic::MEDIAN;
    const double efficiency = median ? 1.5707963267948966 : 1.0;
    const double alpha = median ? median_alpha(looks, looks.last) : nominal_error(looks, looks.last);
    const Moments moments = moments_for(comparison, *values);
    const auto settled_with = [&](int further) {
        Moments grown = moments;
        grown.n += further;
        grown.sd *= std::sqrt(efficiency);
        const auto interval = bounds_of(comparison, grown, student_quantile(grown.n - 1, alpha));
        return standing_of(interval, comparison.limit) != Standing::OPEN;
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
