// SPDX-License-Identifier: GPL-2.0-or-later
// The boundaries against the t table, and against what they promise: the chance that normal values with their mean at the limit cross them.
#include "measure/boundary.hpp"

#include <bootbudget/error.hpp>

#include <gtest/gtest.h>
#include <cmath>
#include <random>

using namespace bootbudget;
using namespace bootbudget::measure;

namespace {

/// How often a run of normal values around 0 crosses the boundary at some look.
double crossings(const Looks & looks, int runs) {
    std::mt19937_64 generator(20261130);
    std::normal_distribution<double> normal;
    int crossed = 0;
    for (int run = 0; run < runs; ++run) {
        double sum = 0;
        double squares = 0;
        for (int n = 1; n <= looks.last; ++n) {
            const double value = normal(generator);
            sum += value;
            squares += value * value;
            const double sd = n > 1 ? std::sqrt((squares - sum * sum / n) / (n - 1)) : 1;
            if (n >= looks.first && sum / std::sqrt(n) > critical_t(looks, n) * sd) {
                ++crossed;
                break;
            }
        }
    }
    return static_cast<double>(crossed) / runs;
}

}  // namespace

// Half of the share is kept back for noise that is not normal. t tables: t(0.975, 2) = 4.303, t(0.975, 14) = 2.145.
TEST(CriticalT, of_a_single_look_is_that_of_the_t_table) {
    EXPECT_NEAR(critical_t({0.05, 3, 3}, 3), 4.303, 0.001);
    EXPECT_NEAR(critical_t({0.05, 15, 15}, 15), 2.145, 0.001);
    EXPECT_NEAR(nominal_error({0.05, 15, 15}, 15), 0.025, 1e-6);
}

TEST(CriticalT, is_crossed_as_often_as_may_be_spent) {
    constexpr int RUNS = 40000;
    for (const Looks looks : {Looks{0.05, 3, 15}, Looks{0.2, 2, 6}, Looks{0.2, 3, 40}}) {
        const double expected = looks.share / 2;
        const double deviation = std::sqrt(expected * (1 - expected) / RUNS);
        EXPECT_NEAR(crossings(looks, RUNS), expected, 4 * deviation) << looks.share << " up to " << looks.last;
    }
}

TEST(CriticalT, is_tighter_than_dividing_the_error_into_a_sum) {
    const Looks looks{0.05, 3, 15};
    double sum = 0;
    for (int n = looks.first; n <= looks.last; ++n) {
        sum += nominal_error(looks, n);
    }
    EXPECT_GT(sum, 1.5 * looks.share / 2);  // what a union bound would have to stay below
}

TEST(CriticalT, falls_as_the_share_grows_and_is_the_same_each_time) {
    const double strict = critical_t({0.01, 3, 15}, 7);
    EXPECT_GT(strict, critical_t({0.05, 3, 15}, 7));
    EXPECT_DOUBLE_EQ(critical_t({0.01, 3, 15}, 7), strict);
}

TEST(CriticalT, refuses_looks_that_make_no_sense) {
    EXPECT_THROW(critical_t({0.05, 3, 15}, 2), BugError);
    EXPECT_THROW(critical_t({0.05, 3, 15}, 16), BugError);
    EXPECT_THROW(critical_t({0.05, 1, 15}, 3), BugError);
    EXPECT_THROW(critical_t({0.05, 5, 4}, 5), BugError);
    EXPECT_THROW(critical_t({0, 3, 15}, 3), BugError);
}
