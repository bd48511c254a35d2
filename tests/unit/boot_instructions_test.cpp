// SPDX-License-Identifier: GPL-2.0-or-later
#include "boot/instructions.hpp"
#include "boot/test_tool.hpp"
#include "support/recorded_log.hpp"

#include <gmock/gmock.h>

namespace bootbudget::boot {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::string_view LINES =
    "4000000 SeaBIOS (version 1.16.2-debian-1.16.2-1)\n"
    "210000000 Booting from ROM..\x1b"
    "c[    0.000000] Linux version 6.1.192 (root@vm) (gcc) #1 SMP\n"
    "211000000 [    0.000000] Command line: panic=1 console=ttyS0\n"
    "288000000 [    0.900000] Run /init as init process\n"
    "288100000 supermin: mounting /proc\n"
    "288700000 supermin: chroot\n"
    "290000000 Starting /init script ...\n"
    "800000000 guestfsd --verbose\n"
    "824000000 trying to open virtio-serial channel '/dev/virtio-ports/org.libguestfs.channel.0'\n"
    "825000000 guestfsd: <= part_disk (0xd2) request length 60 bytes\n"
    "922000000 guestfsd: => part_disk (0xd2) took 0.94 secs\n"
    "1000000000 guestfsd: <= internal_autosync (0x11a) request length 40 bytes\n"
    "1030000000 guestfsd: => internal_autosync (0x11a) took 0.19 secs\n";

CounterPage page_of(std::uint64_t firmware, std::uint64_t decompression, std::uint64_t kernel) {
    CounterPage page{};
    page.magic = CounterPage::MAGIC;
    page.api = 4;
    page.state = CounterPage::ENDED;
    page.firmware = firmware;
    page.decompression = decompression;
    page.kernel = kernel;
    return page;
}

TEST(Instructions, ExactBoundariesOfTheGuestsOwnLines) {
    const auto counts = exact_counts(LINES);
    EXPECT_EQ(counts.kernel_start, 210e6);
    EXPECT_EQ(counts.init_start, 288e6);
    EXPECT_EQ(counts.root_switch, 288.7e6);
    EXPECT_EQ(counts.up, 825e6) << "the daemon's first request";
    EXPECT_EQ(counts.shutdown_begin, 1000e6);
    EXPECT_EQ(counts.qemu_end, std::nullopt);
}

TEST(Instructions, DamagedLinesArePassedOver) {
    EXPECT_EQ(exact_counts(""), BoundaryCounts());
    EXPECT_EQ(exact_counts("\n\n \n12\n12 \nLinux version 6.1 x\n"), BoundaryCounts());
    const auto counts = exact_counts(
        "-5 [    0.000000] Linux version 6.1.0 (a) #1\n"
        "99999999999999999999999 [    0.000000] Linux version 6.1.0 (a) #1\n"
        "7x [    0.000000] Linux version 6.1.0 (a) #1\n"
        "100 [    0.000000] Linux version 6.1.0 (a) #1\n"
        "90 [    0.100000] Run /init as init process\n"
        "120 [    0.100000] Run /init as init process");
    EXPECT_EQ(counts.kernel_start, 100);
    EXPECT_EQ(counts.init_start, 120) << "counts do not go back";
}

// A request before the guest's user space has begun can only be somebody else's text.
TEST(Instructions, ARequestTooEarlyIsNone) {
    EXPECT_EQ(exact_counts("5 guestfsd: <= x (0x1) request length 40 bytes\n").up, std::nullopt);
}

TEST(Instructions, ArrivalsAreNotedOnce) {
    BoundaryCounts counts;
    Reading reading;
    note_arrival(counts, reading, 1);
    EXPECT_EQ(counts, BoundaryCounts());
    reading.kernel_start = 0.5;
    note_arrival(counts, reading, 2);
    note_arrival(counts, reading, 3);
    EXPECT_EQ(counts.kernel_start, 2);
    reading.up = 0.7;
    note_arrival(counts, reading, 4);
    EXPECT_EQ(counts.up, 4);
    EXPECT_EQ(counts.init_start, std::nullopt);
}

TEST(Instructions, ExactBeforeArrivedBoundaryByBoundary) {
    BoundaryCounts exact;
    exact.kernel_start = 10;
    BoundaryCounts arrived;
    arrived.kernel_start = 11;
    arrived.up = 50;
    const auto best = better_of(exact, arrived);
    EXPECT_EQ(best.kernel_start, 10);
    EXPECT_EQ(best.up, 50);
    EXPECT_EQ(best.init_start, std::nullopt);
}

TEST(Instructions, OfEachPhaseSumUpToTheLaunch) {
    Sample sample;
    for (const auto phase : ALL_PHASES) {
        sample.phases.push_back({phase, 1, {}, {}});
    }
    auto counts = exact_counts(LINES);
    counts.qemu_end = 1040e6;
    add_instructions(sample, counts, page_of(150000000, 55000000, 835000000));
    const auto value = [&](const std::string & name) { return sample.metrics.at(name).value; };
    EXPECT_EQ(sample.metrics.at("instructions"), (Quantity{825e6, Unit::COUNT}));
    EXPECT_EQ(value("instructions:firmware"), 210e6);
    EXPECT_EQ(value("instructions:decompression"), 55e6);
    EXPECT_EQ(
        value("instructions:firmware") + value("instructions:kernel") + value("instructions:initramfs") +
            value("instructions:userspace"),
        value("instructions"));
    EXPECT_EQ(value("instructions:session"), 175e6);
    EXPECT_EQ(value("instructions:shutdown"), 40e6);
    EXPECT_FALSE(sample.metrics.contains("instructions:appliance"));
    EXPECT_FALSE(sample.phases[0].instructions) << "supermin runs on the host";
    for (std::size_t i = 1; i < sample.phases.size(); ++i) {
        EXPECT_EQ(
            sample.phases[i].instructions, value("instructions:" + std::string(to_string(sample.phases[i].phase))));
    }
}

TEST(Instructions, OnlyOfPhasesThatEnded) {
    Sample sample;
    BoundaryCounts counts;
    counts.kernel_start = 200;
    counts.init_start = 150;  // read late and early
    add_instructions(sample, counts, page_of(100, 0, 100));
    EXPECT_EQ(sample.metrics.size(), 2U);
    EXPECT_EQ(sample.metrics.at("instructions:firmware").value, 200);
    EXPECT_EQ(sample.metrics.at("instructions:decompression").value, 0);
}

TEST(Instructions, DecompressionIsLeftOutWhereItIsNotToldApart) {
    Sample sample;
    BoundaryCounts counts;
    counts.kernel_start = 200;
    auto page = page_of(0, 0, 200);
    page.flags = COUNTER_PARTS_NOT_TOLD_APART;
    add_instructions(sample, counts, page);
    EXPECT_FALSE(sample.metrics.contains("instructions:decompression"));
    add_instructions(sample, {}, page_of(100, 20, 0));
    EXPECT_FALSE(sample.metrics.contains("instructions:decompression")) << "no kernel was reached";
}

TEST(CountedSample, WithoutTheCounterIsNoneAndSaysWhy) {
    Sample sample;
    sample.valid = true;
    sample.outcome = Outcome::OK;
    BoundaryCounts arrived;
    arrived.up = 0;
    count_sample(sample, arrived, "", CounterPage{});
    EXPECT_FALSE(sample.valid);
    EXPECT_EQ(sample.outcome, Outcome::QEMU_FAILED);
    EXPECT_THAT(sample.detail, HasSubstr("without the instruction counter"));
    EXPECT_THAT(sample.metrics, IsEmpty());
}

TEST(CountedSample, CountersThatDidNotMoveAreNone) {
    for (auto page : {page_of(0, 0, 0), page_of(1, 1, 1)}) {
        page.flags = COUNTER_SAMPLER_MISSING;
        Sample sample;
        sample.valid = true;
        sample.outcome = Outcome::OK;
        count_sample(sample, {}, LINES, page);
        EXPECT_EQ(sample.outcome, Outcome::QEMU_FAILED);
        EXPECT_THAT(sample.metrics, IsEmpty());
    }
}

TEST(CountedSample, AFailedBootKeepsItsOwnReason) {
    Sample sample;
    sample.outcome = Outcome::PANIC;
    sample.detail = "The kernel panicked.";
    count_sample(sample, {}, "", CounterPage{});
    EXPECT_EQ(sample.outcome, Outcome::PANIC);
    EXPECT_EQ(sample.detail, "The kernel panicked.");
}

TEST(CountedSample, TheShutdownEndsWithTheLastCount) {
    Sample sample;
    sample.valid = true;
    sample.outcome = Outcome::OK;
    BoundaryCounts arrived;
    arrived.qemu_end = 1;  // read when the host's line came; the page is final by now
    count_sample(sample, arrived, LINES, page_of(200000000, 0, 900000000));
    EXPECT_TRUE(sample.valid);
    EXPECT_EQ(sample.metrics.at("instructions:shutdown").value, 100e6);
}

}  // namespace
}  // namespace bootbudget::boot
