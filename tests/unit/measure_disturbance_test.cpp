// SPDX-License-Identifier: GPL-2.0-or-later
// What is called busy, and in which words.
#include "measure/disturbance.hpp"

#include <gtest/gtest.h>

using bootbudget::measure::busy_because;

namespace {

constexpr int PROCESSORS = 2;

}  // namespace

TEST(BusyBecause, a_boot_alone_is_quiet) {
    EXPECT_EQ(
        busy_because({{"cpu_pressure", 0.03}, {"steal", 0.0}, {"run_queue", 2.1}, {"load", 1.3}}, PROCESSORS), "");
    EXPECT_EQ(busy_because({}, PROCESSORS), "");
    EXPECT_EQ(busy_because({{"involuntary_switches", 50000}}, PROCESSORS), "");
}

TEST(BusyBecause, says_what_kept_the_machine_busy) {
    EXPECT_EQ(busy_because({{"cpu_pressure", 0.412}}, PROCESSORS), "41 % CPU pressure");
    EXPECT_EQ(busy_because({{"cpu_pressure", 0.02}, {"steal", 0.118}}, PROCESSORS), "12 % steal");
    EXPECT_EQ(busy_because({{"cpu_pressure", 0.98}, {"steal", 0.05}}, PROCESSORS), "98 % CPU pressure and 5 % steal");
}

TEST(BusyBecause, asks_the_run_queue_only_without_pressure_figures) {
    EXPECT_EQ(busy_because({{"run_queue", 4.2}}, PROCESSORS), "4.2 runnable tasks");
    EXPECT_EQ(busy_because({{"run_queue", 4.2}, {"cpu_pressure", 0.02}}, PROCESSORS), "");
}

TEST(BusyBecause, compares_the_run_queue_with_the_processors) {
    EXPECT_EQ(busy_because({{"run_queue", 3.1}}, 2), "3.1 runnable tasks");
    EXPECT_EQ(busy_because({{"run_queue", 3.0}}, 2), "");
    EXPECT_EQ(busy_because({{"run_queue", 12}}, 16), "");
    EXPECT_EQ(busy_because({{"run_queue", 17.5}}, 16), "17.5 runnable tasks");
}
