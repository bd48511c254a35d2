// SPDX-License-Identifier: GPL-2.0-or-later
// Bounds of a mean, a median and a ratio from few values. Everything works on the moments of a series where it can, so that the same
// formulas also answer "what if there were twenty values": that is how the number of further boots is estimated.
#include "measure/statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>

namespace bootbudget::measure {

namespace {

constexpr double LEAST_RELATIVE_SD = 0.005;
constexpr double LEAST_SD = 0.001;

double believed_sd(const Moments & moments) {
    return std::max({moments.sd, LEAST_RELATIVE_SD * std::abs(moments.mean), LEAST_SD});
}

void require_alpha(double alpha) {
    if (!(alpha > 0 && alpha <= 0.5)) {
        throw BugError("An interval was asked for at an error that is not in (0, 0.5]; please report this.");
    }
}

}  // namespace

Moments moments_of(const std::vector<double> & values) {
    if (values.empty()) {
        throw BugError("The mean of no values was asked for; please report this.");
    }
    Moments moments;
    moments.n = static_cast<int>(values.size());
    // Welford's recurrence (Technometrics 4(3), 1962): seconds that differ in the fourth digit, or bytes in the millions, lose nothing.
    double squares = 0;
    int n = 0;
    for (const double value : values) {
        ++n;
        const double difference = value - moments.mean;
        moments.mean += difference / n;
        squares += difference * (value - moments.mean);
    }
    moments.sd = n > 1 ? std::sqrt(squares / (n - 1)) : 0;
    return moments;
}

double median_of(std::vector<double> values) {
    if (values.empty()) {
        throw BugError("The median of no values was asked for; please report this.");
    }
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

Summary summarise(const std::vector<double> & values, Unit unit, double confidence) {
    const Moments moments = moments_of(values);
    Summary summary;
    summary.unit = unit;
    summary.n = moments.n;
    summary.mean = moments.mean;
    summary.sd = moments.sd;
    summary.min = *std::min_element(values.begin(), values.end());
    summary.median = median_of(values);
    if (const auto interval = mean_interval_from(moments, (1 - confidence) / 2)) {
        summary.interval_low = interval->low;
        summary.interval_high = interval->high;
    }
    return summary;
}

std::optional<Interval> mean_interval(const std::vector<double> & values, double alpha) {
    if (values.size() < 2) {
        return std::nullopt;
    }
    return mean_interval_from(moments_of(values), alpha);
}

double student_quantile(int degrees_of_freedom, double alpha) {
    require_alpha(alpha);
    const boost::math::students_t_distribution<double> distribution(degrees_of_freedom);
    return boost::math::quantile(boost::math::complement(distribution, alpha));
}

// Student, "The probable error of a mean", Biometrika 6(1), 1908.
std::optional<Interval> mean_interval_from(const Moments & moments, double alpha) {
    require_alpha(alpha);
    if (moments.n < 2) {
        return std::nullopt;
    }
    return mean_bounds(moments, student_quantile(moments.n - 1, alpha));
}

Interval mean_bounds(const Moments & moments, double t) {
    const double reach = t * believed_sd(moments) / std::sqrt(moments.n);
    return {moments.mean, moments.mean - reach, moments.mean + reach};
}

// With n values sorted, the median lies below the k-th smallest only if fewer than k values are below the median: P(Bin(n, 1/2) ≤ k - 1). The
// largest k for which that is at most alpha gives the lower bound, its mirror image the upper (Conover, "Practical Nonparametric
// Statistics", section 3.2). Equal values only make the bounds safer.
std::optional<Interval> median_interval(const std::vector<double> & values, double alpha) {
    require_alpha(alpha);
    if (values.empty()) {
        return std::nullopt;
    }
    std::vector<double> sorted = values;
    std::sort(sorted.begin(), sorted.end());
    const boost::math::binomial_distribution<double> below(static_cast<double>(sorted.size()), 0.5);
    std::size_t rank = 0;
    while (rank < sorted.size() && boost::math::cdf(below, static_cast<double>(rank)) <= alpha) {
        ++rank;
    }
    if (rank == 0) {
        return std::nullopt;
    }
    return Interval{median_of(sorted), sorted[rank - 1], sorted[sorted.size() - rank]};
}

int values_for_median(double alpha) {
    require_alpha(alpha);
    return static_cast<int>(std::ceil(-std::log2(alpha)));
}

std::optional<std::vector<double>> ratios_of_rounds(
    const std::vector<double> & numerator, const std::vector<double> & denominator) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < std::min(numerator.size(), denominator.size()); ++i) {
        if (!(numerator[i] > 0) || !(denominator[i] > 0)) {
            return std::nullopt;
        }
        ratios.push_back(numerator[i] / denominator[i]);
    }
    return ratios;
}

Moments log_moments_of(const std::vector<double> & ratios) {
    std::vector<double> logs;
    logs.reserve(ratios.size());
    for (const double ratio : ratios) {
        logs.push_back(std::log(ratio));
    }
    return moments_of(logs);
}

Interval ratio_bounds(const Moments & logs, double t, double least_sd) {
    const double sd = std::max(logs.sd, least_sd);
    const double reach = t * sd / std::sqrt(logs.n);
    return {std::exp(logs.mean), std::exp(logs.mean - reach), std::exp(logs.mean + reach)};
}

}  // namespace bootbudget::measure
