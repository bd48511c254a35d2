// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bootbudget/report.hpp>

#include <optional>
#include <vector>

namespace bootbudget::measure {

enum class Statistic { MEAN, MEDIAN };

/// An estimate with a one-sided bound to each side: P(true < low) <= alpha and P(true > high) <= alpha.
struct Interval {
    double estimate = 0;
    double low = 0;
    double high = 0;
};

/// What Student's bounds need to know of a series.
struct Moments {
    int n = 0;
    double mean = 0;
    double sd = 0;  ///< with n - 1; 0 for n = 1
};

/// Of n ≥ 1 values; BugError for none.
Moments moments_of(const std::vector<double> & values);

/// The middle value, or the mean of the middle two. Needs n ≥ 1; BugError for none.
double median_of(std::vector<double> values);

/// Needs n ≥ 1; the interval of Summary is two-sided at `confidence`.
Summary summarise(const std::vector<double> & values, Unit unit, double confidence);

/// One-sided Student bounds of the mean at error `alpha` each side. nullopt for n < 2.
///
/// A standard deviation below a thousandth of the mean (and below 0.001 in the values' own unit: the clock's millisecond) is taken as that
/// much: two or three boots that agree to the last digit do not show that no boot differs, and a bound of width zero would claim just that.
std::optional<Interval> mean_interval(const std::vector<double> & values, double alpha);
std::optional<Interval> mean_interval_from(const Moments & moments, double alpha);

/// Distribution-free order-statistic bounds of the median (binomial); nullopt where n is too small for alpha.
std::optional<Interval> median_interval(const std::vector<double> & values, double alpha);

/// The smallest n for which median_interval has bounds at this alpha: 2^-n ≤ alpha.
int values_for_median(double alpha);

/// Of mean(numerator)/mean(denominator), independent samples, on the log scale by the delta method with Welch's degrees of freedom.
/// nullopt for n < 2 on either side or a mean that is not positive.
std::optional<Interval> ratio_interval(
    const std::vector<double> & numerator, const std::vector<double> & denominator, double alpha);
std::optional<Interval> ratio_interval_from(const Moments & numerator, const Moments & denominator, double alpha);

/// Of median(numerator)/median(denominator): each side's bounds at alpha / 2, divided (union bound). nullopt where either side has too
/// few values or a lower bound that is not positive.
std::optional<Interval> median_ratio_interval(
    const std::vector<double> & numerator, const std::vector<double> & denominator, double alpha);

}  // namespace bootbudget::measure
