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

/// Needs n ≥ 1; the interval of Summary is two-sided at `confidence`.
Summary summarise(const std::vector<double> & values, Unit unit, double confidence);

/// One-sided Student bounds of the mean at error `alpha` each side. nullopt for n < 2.
std::optional<Interval> mean_interval(const std::vector<double> & values, double alpha);

/// Distribution-free order-statistic bounds of the median (binomial); nullopt where n is too small for alpha.
std::optional<Interval> median_interval(const std::vector<double> & values, double alpha);

/// Of mean(numerator)/mean(denominator), independent samples, on the log scale by the delta method with Welch's degrees of freedom.
/// nullopt for n < 2 on either side or a mean that is not positive.
std::optional<Interval> ratio_interval(
    const std::vector<double> & numerator, const std::vector<double> & denominator, double alpha);

}  // namespace bootbudget::measure
