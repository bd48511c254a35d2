// SPDX-License-Identifier: GPL-2.0-or-later
// Student's bounds from two values are useless: t at one degree of freedom is 12.7 and more. But guest instructions under icount have a measured
// spread, and two boots that show it need not show it anew. If they do not agree, that knowledge does not hold here, and nothing is assumed.
#include "measure/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bootbudget::measure {

namespace {

bool agree(const std::vector<double> & values, double reading_error) {
    return values.size() >= 2 && spread_of(values) <= COUNTED_TOLERANCE + reading_error / moments_of(values).mean;
}

double estimate_of(const std::vector<double> & values, Statistic statistic) {
    return statistic == Statistic::MEDIAN ? median_of(values) : moments_of(values).mean;
}

Interval about(double value, double reading_error) {
    return {
        value,
        std::max(value * (1 - COUNTED_TOLERANCE) - reading_error, 0.0),
        value * (1 + COUNTED_TOLERANCE) + reading_error};
}

}  // namespace

double spread_of(const std::vector<double> & values) {
    const double mean = moments_of(values).mean;
    if (!(mean > 0)) {
        return std::numeric_limits<double>::infinity();
    }
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    return (*greatest - *least) / mean;
}

std::optional<Interval> agreed_interval(
    const std::vector<double> & values,
    const std::optional<std::vector<double>> & baseline,
    Statistic statistic,
    double reading_error) {
    if (!agree(values, reading_error) || (baseline && !agree(*baseline, reading_error))) {
        return std::nullopt;
    }
    const Interval value = about(estimate_of(values, statistic), reading_error);
    if (!baseline) {
        return value;
    }
    const Interval against = about(estimate_of(*baseline, statistic), reading_error);
    if (!(against.low > 0)) {
        return std::nullopt;
    }
    return Interval{value.estimate / against.estimate, value.low / against.high, value.high / against.low};
}

}  // namespace bootbudget::measure
