// SPDX-License-Identifier: GPL-2.0-or-later
#include "boot/noise.hpp"

#include <gmock/gmock.h>

namespace bootbudget::boot {
namespace {

using namespace std::chrono_literals;
using ::testing::DoubleNear;
using ::testing::Optional;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

TEST(Noise, Pressure) {
    EXPECT_THAT(
        parse_pressure("some avg10=63.96 avg60=28.61 avg300=21.16 total=6554251700\n"
                       "full avg10=0.00 avg60=0.00 avg300=0.00 total=7\n"),
        Optional(DoubleNear(6554.2517, 1e-9)));
    EXPECT_THAT(parse_pressure("some total=5"), std::nullopt) << "not the kernel's form";
    for (const std::string text :
         {"",
          "\n",
          "full avg10=0.00 total=7\n",
          "some avg10=1 total=\n",
          "some avg10=1 total=x\n",
          "some avg10=1 total=-5"}) {
        EXPECT_EQ(parse_pressure(text), std::nullopt) << text;
    }
}

TEST(Noise, ProcessorTicks) {
    EXPECT_THAT(
        parse_processor_ticks("cpu  1214093 665351 329284 487819 10818 0 3405 5409 11 12\n"
                              "cpu0 600000 300000 150000 240000 5000 0 1700 2700 0 0\n"),
        Optional(ProcessorTicks{1214093 + 665351 + 329284 + 487819 + 10818 + 0 + 3405 + 5409, 5409}));
    EXPECT_THAT(parse_processor_ticks("intr 1\ncpu 1 2 3 4 5 6 7 8"), Optional(ProcessorTicks{36, 8}));
    for (const std::string text :
         {"",
          "cpu",
          "cpu ",
          "cpu  1 2 3 4 5 6 7\n",
          "cpu  1 2 3 4 5 6 7 x\n",
          "cpu  1 2 -3 4 5 6 7 8\n",
          "cpu0 1 2 3 4 5 6 7 8\n"}) {
        EXPECT_EQ(parse_processor_ticks(text), std::nullopt) << text;
    }
}

TEST(Noise, Runnable) {
    EXPECT_THAT(parse_runnable("2.74 2.03 1.67 9/139 7693\n"), Optional(9.0));
    for (const std::string text :
         {"", "2.74", "1 2 3", "1 2 3 ", "1 2 3 4", "1 2 3 x/5 6", "1 2 3 /5 6", "1 2 3 4a/5"}) {
        EXPECT_EQ(parse_runnable(text), std::nullopt) << text;
    }
}

TEST(Noise, OfABoot) {
    common::ProcessEnd end;
    end.seconds = 10;
    end.use.user_seconds = 7;
    end.use.system_seconds = 1;
    end.use.involuntary_switches = 42;
    const Disturbance before{1.5, 100.0, ProcessorTicks{1000, 10}};
    const Disturbance after{9.0, 104.1, ProcessorTicks{3000, 510}};
    EXPECT_THAT(
        noise_of(before, after, 3.25, end),
        UnorderedElementsAre(
            Pair("load", 1.5),
            Pair("cpu_pressure", DoubleNear(0.41, 1e-9)),
            Pair("steal", DoubleNear(0.25, 1e-9)),
            Pair("run_queue", 3.25),
            Pair("cpu_share", DoubleNear(0.8, 1e-9)),
            Pair("involuntary_switches", 42)));
    end.use.group_seconds = 5;
    EXPECT_DOUBLE_EQ(noise_of(before, after, 3.25, end).at("cpu_share"), 0.5);
}

TEST(Noise, WhatIsNotKnownIsAbsent) {
    common::ProcessEnd end;
    EXPECT_THAT(noise_of({}, {}, {}, end), UnorderedElementsAre(Pair("involuntary_switches", 0)));
    // a clock that stood still, and one that went back
    end.seconds = 10;
    const Disturbance later{1.0, 50.0, ProcessorTicks{1000, 10}};
    const Disturbance earlier{1.0, 40.0, ProcessorTicks{1000, 0}};
    const auto noise = noise_of(later, earlier, {}, end);
    EXPECT_EQ(noise.at("cpu_pressure"), 0);
    EXPECT_FALSE(noise.contains("steal"));
}

TEST(Noise, TheRunQueueIsLookedAtTenTimesASecondAtMost) {
    RunQueue queue;
    EXPECT_EQ(queue.mean(), std::nullopt);
    const common::Clock::time_point start{};
    for (int i = 0; i < 1000; ++i) {
        queue.look(start + std::chrono::milliseconds(i));
    }
    const auto mean = queue.mean();
    ASSERT_TRUE(mean) << "/proc/loadavg cannot be read";
    EXPECT_GE(*mean, 1) << "this test runs";
}

}  // namespace
}  // namespace bootbudget::boot
