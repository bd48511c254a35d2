// SPDX-License-Identifier: GPL-2.0-or-later
#include "run/means.hpp"

#include <gtest/gtest.h>

namespace bootbudget::run {

namespace {

constexpr std::uint64_t MIB = std::uint64_t{1} << 20U;

TEST(JobsWithin, AreAsManyGuestsAsMemoryHolds) {
    EXPECT_EQ(jobs_within(4, 1280 * MIB, 4 * 1536 * MIB), 4);
    EXPECT_EQ(jobs_within(4, 1280 * MIB, 4 * 1536 * MIB - 1), 3);
    EXPECT_EQ(jobs_within(64, 128 * MIB, std::uint64_t{1} << 60U), 64);
}

TEST(JobsWithin, IsAtLeastOneAndAllWhereMemoryIsUnknown) {
    EXPECT_EQ(jobs_within(4, 1280 * MIB, 0), 1);
    EXPECT_EQ(jobs_within(4, 1280 * MIB, std::nullopt), 4);
}

}  // namespace

}  // namespace bootbudget::run
