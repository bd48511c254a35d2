// SPDX-License-Identifier: GPL-2.0-or-later
// Two counted boots that agree, and what their tolerance makes of a mean and a ratio.
#include "measure/agreement.hpp"

#include <gtest/gtest.h>
#include <cmath>

using namespace bootbudget;
using namespace bootbudget::measure;

TEST(Spread, is_the_range_by_the_mean) {
    EXPECT_DOUBLE_EQ(spread_of({99, 100, 101}), 0.02);
    EXPECT_DOUBLE_EQ(spread_of({7}), 0);
    EXPECT_TRUE(std::isinf(spread_of({0, 0})));
    EXPECT_THROW(spread_of({}), BugError);
}

TEST(AgreedInterval, is_the_tolerance_about_the_mean) {
    const auto interval = agreed_interval({999, 1001}, std::nullopt, Statistic::MEAN, 0);
    ASSERT_TRUE(interval);
    EXPECT_DOUBLE_EQ(interval->estimate, 1000);
    EXPECT_DOUBLE_EQ(interval->low, 995);
    EXPECT_DOUBLE_EQ(interval->high, 1005);
    EXPECT_DOUBLE_EQ(agreed_interval({998, 999, 1002}, std::nullopt, Statistic::MEDIAN, 0)->estimate, 999);
}

TEST(AgreedInterval, of_a_ratio_reaches_as_far_as_both_tolerances) {
    const auto interval = agreed_interval({1999, 2001}, std::vector<double>{999, 1001}, Statistic::MEAN, 0);
    ASSERT_TRUE(interval);
    EXPECT_DOUBLE_EQ(interval->estimate, 2);
    EXPECT_NEAR(interval->low, 2000 * 0.995 / 1005, 1e-12);
    EXPECT_NEAR(interval->high, 2000 * 1.005 / 995, 1e-12);
}

TEST(AgreedInterval, needs_two_boots_of_each_side_that_agree) {
    EXPECT_FALSE(agreed_interval({1000}, std::nullopt, Statistic::MEAN, 0));
    EXPECT_TRUE(agreed_interval({1000, 1004}, std::nullopt, Statistic::MEAN, 0));
    EXPECT_FALSE(agreed_interval({1000, 1006}, std::nullopt, Statistic::MEAN, 0));
    EXPECT_FALSE(agreed_interval({1000, 1001}, std::vector<double>{1000, 1006}, Statistic::MEAN, 0));
    EXPECT_FALSE(agreed_interval({1000, 1001}, std::vector<double>{1000}, Statistic::MEAN, 0));
}

TEST(AgreedInterval, of_a_phase_reaches_further_by_the_error_of_its_reading) {
    const auto phase = [](const std::vector<double> & values, const std::optional<std::vector<double>> & baseline) {
        return agreed_interval(values, baseline, Statistic::MEAN, PHASE_READING_ERROR);
    };
    const auto interval = phase({99e6, 101e6}, std::nullopt);  // apart by 2 %, which is less than 0.5 % and 2.4 M
    ASSERT_TRUE(interval);
    EXPECT_DOUBLE_EQ(interval->low, 99.5e6 - 2.4e6);
    EXPECT_DOUBLE_EQ(interval->high, 100.5e6 + 2.4e6);
    EXPECT_FALSE(phase({98e6, 101e6}, std::nullopt));
    const auto ratio = phase({200e6, 200e6}, std::vector<double>{100e6, 100e6});
    ASSERT_TRUE(ratio);
    EXPECT_DOUBLE_EQ(ratio->estimate, 2);
    EXPECT_NEAR(ratio->low, 196.6 / 102.9, 1e-12);
    EXPECT_NEAR(ratio->high, 203.4 / 97.1, 1e-12);
    EXPECT_DOUBLE_EQ(phase({1e6, 1e6}, std::nullopt)->low, 0);
    EXPECT_FALSE(phase({200e6, 200e6}, std::vector<double>{2e6, 2e6})) << "a baseline that may be nothing";
}
