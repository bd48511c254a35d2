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
/// A standard deviation below half a percent of the mean (and below 0.001 in the values' own unit: the clock's millisecond) is taken as that
/// much: two or three boots that happen to agree do not show that no boot differs, and a bound of no width would claim just that. Boots on a quiet machine differ by
/// one to four percent.
std::optional<Interval> mean_interval(const std::vector<double> & values, double alpha);
std::optional<Interval> mean_interval_from(const Moments & moments, double alpha);

/// Distribution-free order-statistic bounds of the median (binomial); nullopt where n is too small for alpha.
std::optional<Interval> median_interval(const std::vector<double> & values, double alpha);

/// The smallest n for which median_interval has bounds at this alpha: 2^-n ≤ alpha.
int values_for_median(double alpha);

/// The bounds at a given Student's t (such as critical_t, boundary.hpp) instead of that of an alpha. Needs n ≥ 2.
Interval mean_bounds(const Moments & moments, double t);

/// The distance from the mean, in standard errors, that a t-distributed value passes with probability `alpha`.
double student_quantile(int degrees_of_freedom, double alpha);

/// The ratios of two series that were booted in turn, round by round: value i of one belongs to value i of the other. As many as the shorter
/// series has; nullopt if a value is not positive.
std::optional<std::vector<double>> ratios_of_rounds(
    const std::vector<double> & numerator, const std::vector<double> & denominator);

/// The least standard deviation that is believed of the logarithm of a ratio: as for means, of both sides together.
inline constexpr double LEAST_RATIO_SD = 0.007;

/// Of a ratio of times. Rounds are not normal: most are alike, and a few lie far off, on a busy machine by a third. Three rounds seldom have one of these among
/// them, and then lie together beside the truth. With LEAST_RATIO_SD a tenth of the simulated checks a hair beside the limit were wrong; with these one in fifty
/// is, and verdicts at 0.8x and 1.25x of the limit need no more rounds (tests/unit/measure_false_verdicts_test.cpp).
inline constexpr double LEAST_TIME_RATIO_SD = 0.02;
inline constexpr double LEAST_BUSY_TIME_RATIO_SD = 0.057;  ///< if a boot of some round found the machine busy

/// Of the logarithms of the ratios.
Moments log_moments_of(const std::vector<double> & ratios);

/// Bounds of the geometric mean of the rounds' ratios, from log_moments_of. Paired, after Student ("The probable error of a mean", Biometrika 6(1), 1908, whose
/// own example is paired): what disturbs both boots of a round alike leaves their ratio, and what comes and goes between rounds does not count as noise. On
/// the log scale the bounds are symmetric, never negative, and those of the inverse ratio are their inverse.
/// A standard deviation of the logarithms below `least_sd` is taken as that much.
Interval ratio_bounds(const Moments & logs, double t, double least_sd);

}  // namespace bootbudget::measure
