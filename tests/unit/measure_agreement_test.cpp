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
    const auto interval = agreed_interval({999, 1001}, std::nullopt, Statistic::MEAN);
    ASSERT_TRUE(interval);
    EXPECT_DOUBLE_EQ(interval->estimate, 1000);
    EXPECT_DOUBLE_EQ(interval->low, 995);
    EXPECT_DOUBLE_EQ(interval->high, 1005);
    EXPECT_DOUBLE_EQ(agreed_interval({998, 999, 1002}, std::nullopt, Statistic::MEDIAN)->estimate, 999);
}

TEST(AgreedInterval, of_a_ratio_reaches_as_far_as_both_tolerances) {
    const auto interval = agreed_interval({1999, 2001}, std::vector<double>{999, 1001}, Statistic::MEAN);
    ASSERT_TRUE(interval);
    EXPECT_DOUBLE_EQ(interval->estimate, 2);
    EXPECT_NEAR(interval->low, 2000 * 0.995 / 1005, 1e-12);
    EXPECT_NEAR(interval->high, 2000 * 1.005 / 995, 1e-12);
}

TEST(AgreedInterval, needs_two_boots_of_each_side_that_agree) {
    EXPECT_FALSE(agreed_interval({1000}, std::nullopt, Statistic::MEAN));
    EXPECT_TRUE(agreed_interval({1000, 1004}, std::nullopt, Statistic::MEAN));
    EXPECT_FALSE(agreed_interval({1000, 1006}, std::nullopt, Statistic::MEAN));
    EXPECT_FALSE(agreed_interval({1000, 1001}, std::vector<double>{1000, 1006}, Statistic::MEAN));
    EXPECT_FALSE(agreed_interval({1000, 1001}, std::vector<double>{1000}, Statistic::MEAN));
}
