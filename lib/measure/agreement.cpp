// SPDX-License-Identifier: GPL-2.0-or-later
// Student's bounds from two values are useless: t at one degree of freedom is 12.7 and more. But guest instructions under icount have a measured
// spread, and two boots that show it need not show it anew. If they do not agree, that knowledge does not hold here, and nothing is assumed.
#include "measure/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bootbudget::measure {

namespace {

bool agree(const std::vector<double> & values) {
    return values.size() >= 2 && spread_of(values) <= COUNTED_TOLERANCE;
}

double estimate_of(const std::vector<double> & values, Statistic statistic) {
    return statistic == Statistic::MEDIAN ? median_of(values) : moments_of(values).mean;
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
    const std::vector<double> & values, const std::optional<std::vector<double>> & baseline, Statistic statistic) {
    if (!agree(values) || (baseline && !agree(*baseline))) {
        return std::nullopt;
    }
    const double value = estimate_of(values, statistic);
    if (!baseline) {
        return Interval{value, value * (1 - COUNTED_TOLERANCE), value * (1 + COUNTED_TOLERANCE)};
    }
    const double ratio = value / estimate_of(*baseline, statistic);
    const double widening = (1 + COUNTED_TOLERANCE) / (1 - COUNTED_TOLERANCE);
    return Interval{ratio, ratio / widening, ratio * widening};
}

}  // namespace bootbudget::measure
