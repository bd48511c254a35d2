// SPDX-License-Identifier: GPL-2.0-or-later
// A mean and a standard deviation are themselves moved by the value in question; the median and the median deviation are not.
#include "measure/outlier.hpp"

#include "measure/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace bootbudget::measure {

namespace {

constexpr std::size_t LEAST_VALUES = 5;
constexpr double THRESHOLD = 3.5;
constexpr double SD_OF_MEDIAN_DEVIATION = 1 / 0.6745;
constexpr double SD_OF_MEAN_DEVIATION = 1.2533141373155;  // sqrt(pi / 2)
constexpr double LEAST_RELATIVE_SD = 0.001;

}  // namespace

std::vector<std::size_t> outliers_of(const std::vector<double> & values) {
    std::vector<std::size_t> outliers;
    if (values.size() < LEAST_VALUES) {
        return outliers;
    }
    const double median = median_of(values);
    std::vector<double> deviations;
    deviations.reserve(values.size());
    for (const double value : values) {
        deviations.push_back(std::abs(value - median));
    }
    double sd = median_of(deviations) * SD_OF_MEDIAN_DEVIATION;
    if (sd == 0) {
        sd = moments_of(deviations).mean * SD_OF_MEAN_DEVIATION;
    }
    sd = std::max(sd, LEAST_RELATIVE_SD * std::abs(median));
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (deviations[i] > THRESHOLD * sd) {
            outliers.push_back(i);
        }
    }
    return outliers;
}

}  // namespace bootbudget::measure
