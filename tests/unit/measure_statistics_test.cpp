// SPDX-License-Identifier: GPL-2.0-or-later
// Bounds against published tables and against each other.
#include "measure/statistics.hpp"

#include <gtest/gtest.h>
#include <cmath>

using namespace bootbudget;
using namespace bootbudget::measure;

TEST(Moments, of_known_values) {
    const auto moments = moments_of({2, 4, 4, 4, 5, 5, 7, 9});
    EXPECT_EQ(moments.n, 8);
    EXPECT_DOUBLE_EQ(moments.mean, 5);
    EXPECT_NEAR(moments.sd, std::sqrt(32.0 / 7), 1e-12);
}

TEST(Moments, small_differences_of_large_values_are_not_lost) {
    const auto moments = moments_of({1e12 + 1, 1e12 + 2, 1e12 + 3});
    EXPECT_NEAR(moments.sd, 1, 1e-3);
}

TEST(Moments, of_nothing_is_a_bug) {
    EXPECT_THROW(moments_of({}), BugError);
    EXPECT_THROW(median_of({}), BugError);
    EXPECT_THROW(measure::summarise({}, Unit::SECONDS, 0.95), BugError);
}

TEST(Median, of_odd_and_even_numbers_of_values) {
    EXPECT_DOUBLE_EQ(median_of({9, 1, 5}), 5);
    EXPECT_DOUBLE_EQ(median_of({9, 1, 5, 6}), 5.5);
}

// t tables: t(0.95, 4) = 2.132, t(0.975, 4) = 2.776.
TEST(MeanInterval, agrees_with_the_t_table) {
    const std::vector<double> values{10, 12, 14, 16, 18};
    const double standard_error = std::sqrt(10.0) / std::sqrt(5.0);
    const auto interval = mean_interval(values, 0.05);
    ASSERT_TRUE(interval);
    EXPECT_DOUBLE_EQ(interval->estimate, 14);
    EXPECT_NEAR(interval->high, 14 + 2.132 * standard_error, 0.001);
    EXPECT_NEAR(interval->low, 14 - 2.132 * standard_error, 0.001);
    EXPECT_NEAR(mean_interval(values, 0.025)->high, 14 + 2.776 * standard_error, 0.001);
}

TEST(MeanInterval, one_value_shows_nothing) {
    EXPECT_FALSE(mean_interval(std::vector<double>{1}, 0.05));
    EXPECT_FALSE(mean_interval(std::vector<double>{}, 0.05));
}

TEST(MeanInterval, equal_values_do_not_give_certainty) {
    const auto seconds = mean_interval({30, 30}, 0.05);
    ASSERT_TRUE(seconds);
    EXPECT_GT(seconds->high, 30.6);
    EXPECT_LT(seconds->high, 30.7);
    const auto nothing = mean_interval({0, 0, 0}, 0.05);
    EXPECT_GT(nothing->high, 0);
    EXPECT_LT(nothing->high, 0.01);
}

TEST(MeanInterval, an_error_that_is_none_is_a_bug) {
    EXPECT_THROW(mean_interval({1, 2}, 0), BugError);
    EXPECT_THROW(mean_interval({1, 2}, 0.6), BugError);
}

// P(Bin(10, 1/2) ≤ 1) = 11 / 1024 = 0.0107, P(≤ 2) = 56 / 1024 = 0.0547: at 5 % the second smallest and the second largest.
TEST(MedianInterval, takes_the_order_statistics_of_the_binomial_table) {
    const std::vector<double> values{10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
    const auto interval = median_interval(values, 0.05);
    ASSERT_TRUE(interval);
    EXPECT_DOUBLE_EQ(interval->estimate, 5.5);
    EXPECT_DOUBLE_EQ(interval->low, 2);
    EXPECT_DOUBLE_EQ(interval->high, 9);
    EXPECT_DOUBLE_EQ(median_interval(values, 0.06)->low, 3);
}

TEST(MedianInterval, needs_as_many_values_as_it_says) {
    for (const double alpha : {0.5, 0.1, 0.05, 0.01, 0.001}) {
        const int n = values_for_median(alpha);
        EXPECT_TRUE(median_interval(std::vector<double>(static_cast<std::size_t>(n), 1.0), alpha)) << alpha;
        EXPECT_FALSE(median_interval(std::vector<double>(static_cast<std::size_t>(n - 1), 1.0), alpha)) << alpha;
    }
    EXPECT_FALSE(median_interval({}, 0.05));
}

TEST(Ratios, are_those_of_the_rounds_that_both_sides_have) {
    EXPECT_EQ(ratios_of_rounds({20, 45, 7}, {10, 15}), (std::vector<double>{2, 3}));
    EXPECT_FALSE(ratios_of_rounds({1, 2}, {1, 0}));
    EXPECT_FALSE(ratios_of_rounds({-1, 2}, {1, 2}));
}

TEST(RatioBounds, are_symmetric_on_the_log_scale_and_turn_over) {
    const auto ratio = ratio_bounds(log_moments_of({2.9, 3, 3.1, 3.05}), 3, LEAST_RATIO_SD);
    const auto inverse = ratio_bounds(log_moments_of({1 / 2.9, 1 / 3.0, 1 / 3.1, 1 / 3.05}), 3, LEAST_RATIO_SD);
    EXPECT_NEAR(ratio.estimate, std::pow(2.9 * 3 * 3.1 * 3.05, 0.25), 1e-12);
    EXPECT_NEAR(ratio.low * inverse.high, 1, 1e-12);
    EXPECT_NEAR(ratio.high / ratio.estimate, ratio.estimate / ratio.low, 1e-12);
    EXPECT_LT(ratio.low, ratio.estimate);
}

TEST(RatioBounds, agree_with_the_formula_by_hand) {
    const double e = std::exp(1.0);
    const auto ratio =
        ratio_bounds(log_moments_of({1, e, e * e}), 2, LEAST_RATIO_SD);  // logarithms 0, 1, 2: mean 1, deviation 1
    EXPECT_NEAR(std::log(ratio.high), 1 + 2 / std::sqrt(3.0), 1e-12);
}

TEST(RatioBounds, of_equal_ratios_have_a_width) {
    const auto ratio = ratio_bounds(log_moments_of({2, 2, 2}), 2, LEAST_RATIO_SD);
    EXPECT_GT(ratio.high, 2.01);
    EXPECT_LT(ratio.high, 2.03);
}

TEST(RatioBounds, of_a_busy_machine_are_wider_unless_the_ratios_are_far_apart) {
    const auto alike = log_moments_of({2, 2.01, 2.02});
    EXPECT_GT(
        ratio_bounds(alike, 2, LEAST_BUSY_TIME_RATIO_SD).high, 1.02 * ratio_bounds(alike, 2, LEAST_RATIO_SD).high);
    EXPECT_DOUBLE_EQ(
        ratio_bounds(alike, 2, LEAST_BUSY_TIME_RATIO_SD).estimate, ratio_bounds(alike, 2, LEAST_RATIO_SD).estimate);
    const auto apart = log_moments_of({2, 2.4, 2.8});
    EXPECT_DOUBLE_EQ(
        ratio_bounds(apart, 2, LEAST_BUSY_TIME_RATIO_SD).high, ratio_bounds(apart, 2, LEAST_RATIO_SD).high);
}

TEST(Summary, has_no_interval_for_a_single_value) {
    const auto one = measure::summarise({7}, Unit::BYTES, 0.95);
    EXPECT_EQ(one.n, 1);
    EXPECT_DOUBLE_EQ(one.sd, 0);
    EXPECT_DOUBLE_EQ(one.median, 7);
    EXPECT_FALSE(one.interval_low || one.interval_high);
    EXPECT_EQ(one.unit, Unit::BYTES);
}

// Two-sided 95 % of five values: t(0.975, 4) = 2.776.
TEST(Summary, interval_is_two_sided) {
    const auto five = measure::summarise({18, 12, 14, 16, 10}, Unit::SECONDS, 0.95);
    EXPECT_DOUBLE_EQ(five.min, 10);
    ASSERT_TRUE(five.interval_high);
    EXPECT_NEAR(*five.interval_high, 14 + 2.776 * std::sqrt(2.0), 0.001);
    EXPECT_NEAR(*five.interval_low, 14 - 2.776 * std::sqrt(2.0), 0.001);
}
