// SPDX-License-Identifier: GPL-2.0-or-later
// Which values lie far off, and which only seem to.
#include "measure/outlier.hpp"

#include <gmock/gmock.h>

using bootbudget::measure::outliers_of;
using testing::ElementsAre;
using testing::IsEmpty;

// Median 10, deviations 1 0 1 2 0 1 9 …: MAD 1, the score of 19 is 0.6745 · 9 = 6.1, that of 15 is 3.37.
TEST(Outliers, are_beyond_a_score_of_three_and_a_half) {
    EXPECT_THAT(outliers_of({9, 10, 11, 12, 10, 9, 19}), ElementsAre(6));
    EXPECT_THAT(outliers_of({9, 10, 11, 12, 10, 9, 15}), IsEmpty());
    EXPECT_THAT(outliers_of({1, 10, 11, 9, 10, 9, 19}), ElementsAre(0, 6));
}

TEST(Outliers, are_told_where_more_than_half_of_the_values_are_equal) {
    EXPECT_THAT(outliers_of({10, 10, 10, 10, 10, 60, 10, 10}), ElementsAre(5));
    EXPECT_THAT(outliers_of({10, 10, 10, 10, 10, 10.5, 10.5, 10.5, 10.5}), IsEmpty());
    EXPECT_THAT(outliers_of({10, 10, 10, 10, 10}), IsEmpty());
}

TEST(Outliers, are_no_matter_of_the_last_digit) {
    EXPECT_THAT(outliers_of({10, 10, 10, 10, 10, 10, 10, 10.01}), IsEmpty());
}

TEST(Outliers, are_not_told_from_four_values) {
    EXPECT_THAT(outliers_of({10, 10.1, 9.9, 60}), IsEmpty());
    EXPECT_THAT(outliers_of({}), IsEmpty());
}
