// SPDX-License-Identifier: GPL-2.0-or-later
// The order of a round: fixed by the seed on every platform, and fair.
#include "measure/order.hpp"

#include <gmock/gmock.h>

#include <map>

using bootbudget::measure::Order;
using testing::ElementsAre;

// Computed once by a separate implementation of MT19937-64, which gives the standard's own check value (the 10000th number of the default seed is
// 9981545732273789042).
TEST(Order, of_a_seed_is_the_same_everywhere) {
    Order order(20261130);
    EXPECT_THAT(order.shuffled(6), ElementsAre(0, 5, 4, 3, 1, 2));
    EXPECT_THAT(order.shuffled(6), ElementsAre(5, 3, 0, 1, 2, 4));
    EXPECT_THAT(order.shuffled(3), ElementsAre(0, 1, 2));
}

TEST(Order, of_nothing_and_of_one) {
    Order order(1);
    EXPECT_TRUE(order.shuffled(0).empty());
    EXPECT_THAT(order.shuffled(1), ElementsAre(0));
}

TEST(Order, is_fair) {
    Order order(7);
    std::map<std::vector<std::size_t>, int> seen;
    for (int i = 0; i < 6000; ++i) {
        ++seen[order.shuffled(3)];
    }
    EXPECT_EQ(seen.size(), 6U);
    for (const auto & [permutation, times] : seen) {
        EXPECT_NEAR(times, 1000, 150);
    }
}
