// SPDX-License-Identifier: GPL-2.0-or-later
// What is called busy, and in which words.
#include "measure/disturbance.hpp"

#include <gtest/gtest.h>

using bootbudget::measure::busy_because;

TEST(BusyBecause, a_boot_alone_is_quiet) {
    EXPECT_EQ(busy_because({{"cpu_pressure", 0.03}, {"steal", 0.0}, {"run_queue", 2.1}, {"load", 1.3}}), "");
    EXPECT_EQ(busy_because({}), "");
    EXPECT_EQ(busy_because({{"involuntary_switches", 50000}}), "");
}

TEST(BusyBecause, says_what_kept_the_machine_busy) {
    EXPECT_EQ(busy_because({{"cpu_pressure", 0.412}}), "41 % CPU pressure");
    EXPECT_EQ(busy_because({{"cpu_pressure", 0.02}, {"steal", 0.118}}), "12 % steal");
    EXPECT_EQ(busy_because({{"cpu_pressure", 0.98}, {"steal", 0.05}}), "98 % CPU pressure and 5 % steal");
}

TEST(BusyBecause, asks_the_run_queue_only_without_pressure_figures) {
    EXPECT_EQ(busy_because({{"run_queue", 4.2}}), "4.2 runnable tasks");
    EXPECT_EQ(busy_because({{"run_queue", 4.2}, {"cpu_pressure", 0.02}}), "");
}
