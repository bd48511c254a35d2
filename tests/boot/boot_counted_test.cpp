// SPDX-License-Identifier: GPL-2.0-or-later
// Counted boots of the installed kernel: what is counted, that two of them agree, and that a newer QEMU counts exactly.
#include "boot/boot.hpp"
#include "boot/distro_tree.hpp"
#include "boot/icount.hpp"
#include "support/recorded_log.hpp"

#include <bootbudget/error.hpp>

#include <gmock/gmock.h>

namespace bootbudget::boot {
namespace {

namespace fs = std::filesystem;
using test::distro_bootable;
using test::distro_work;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Counted : public ::testing::Test {
protected:
    void SetUp() override {
        if (distro_work().empty()) {
            GTEST_SKIP() << "no boot tree: the test distro_tree_make says what is missing";
        }
        bootable = distro_bootable();
        settings.timeout = std::chrono::minutes(15);
    }

    Sample boot_it(int index) {
        const auto name = std::string(::testing::UnitTest::GetInstance()->current_test_info()->name());
        const auto log = distro_work() / (name + std::to_string(index) + ".log");
        auto sample = boot_once(bootable, settings, log, {index, Mode::COUNTED, false}, {}, {});
        std::cout << to_string(sample.outcome) << " " << sample.detail << "\n";
        for (const auto & [metric, quantity] : sample.metrics) {
            if (metric.starts_with("instructions")) {
                std::cout << metric << " " << std::fixed << quantity.value << "\n";
            }
        }
        for (const auto & [noise, value] : sample.noise) {
            std::cout << noise << " " << value << "\n";
        }
        return sample;
    }

    static double of(const Sample & sample, const std::string & metric) {
        const auto found = sample.metrics.find(metric);
        EXPECT_NE(found, sample.metrics.end()) << metric;
        return found == sample.metrics.end() ? 0 : found->second.value;
    }

    static void expect_counted(const Sample & sample) {
        ASSERT_TRUE(sample.valid) << sample.detail;
        EXPECT_EQ(sample.mode, Mode::COUNTED);
        const double launch = of(sample, "instructions");
        EXPECT_GT(launch, 1e8);
        double sum = 0;
        for (const auto * phase : {"firmware", "kernel", "initramfs", "userspace"}) {
            const double count = of(sample, std::string("instructions:") + phase);
            EXPECT_GT(count, 0) << phase;
            sum += count;
        }
        EXPECT_NEAR(sum, launch, launch / 100);
        EXPECT_GT(of(sample, "instructions:session"), 1e6);
        EXPECT_GT(of(sample, "instructions:shutdown"), 0);
        EXPECT_LE(of(sample, "instructions:decompression"), of(sample, "instructions:firmware"));
        EXPECT_GT(of(sample, "instructions:decompression"), 0);
        for (const auto & time : sample.phases) {
            EXPECT_EQ(time.instructions.has_value(), time.phase != Phase::APPLIANCE) << to_string(time.phase);
        }
        EXPECT_THAT(sample.qemu_command, HasSubstr(" -icount " + icount_option() + " -plugin "));
    }

    Bootable bootable;
    Settings settings;
};

TEST_F(Counted, TwoBootsOfTheInstalledQemuAgree) {
    const auto support = probe_counter({}, distro_work(), bootable.account, {});
    ASSERT_TRUE(support.counting) << support.unavailable;
    settings.counting = support.counting;
    const auto first = boot_it(0);
    expect_counted(first);
    EXPECT_THAT(first.qemu_command, StartsWith(support.counting->qemu.string() + " "));
    for (const auto * noise : {"load", "steal", "run_queue", "cpu_share", "involuntary_switches"}) {
        EXPECT_TRUE(first.noise.contains(noise)) << noise;
    }
    EXPECT_TRUE(fs::is_empty(bootable.temporary));

    const auto second = boot_it(1);
    expect_counted(second);
    const double launch = of(first, "instructions");
    EXPECT_NEAR(of(second, "instructions"), launch, launch * 0.005);
    // libguestfs asks its QEMU for features unless it knows it already: the second boot's is the same to it
    EXPECT_THAT(
        test::text_of(distro_work() / "TwoBootsOfTheInstalledQemuAgree1.log"), Not(HasSubstr("QEMU emulator version")));

    auto environment = probe_environment({}, bootable.account, {});
    EXPECT_THAT(environment.host.at("firmware"), AllOf(HasSubstr(", "), Not(HasSubstr("not found"))));
    EXPECT_EQ(fingerprint(environment, first, "a"), fingerprint(environment, second, "a"));
}

TEST_F(Counted, ANewerQemuCountsExactlyAtEachLine) {
    fs::path qemu;
    for (const auto * suite : {"sid", "trixie"}) {
        const auto candidate = fs::path(BOOTBUDGET_FIXTURES) / "qemu" / suite / "qemu-system-x86_64";
        std::error_code error;
        if (qemu.empty() && fs::exists(candidate, error)) {
            qemu = candidate;
        }
    }
    if (qemu.empty()) {
        GTEST_SKIP() << "no newer QEMU was unpacked below " << BOOTBUDGET_FIXTURES
                     << "/qemu: the fixture that does so says what is missing";
    }
    const auto support = probe_counter(qemu, distro_work(), bootable.account, {});
    ASSERT_TRUE(support.counting) << support.unavailable;
    EXPECT_GE(support.counting->api, 3);
    EXPECT_TRUE(support.counting->exact_lines);
    settings.counting = support.counting;
    settings.qemu = qemu;
    const auto sample = boot_it(0);
    expect_counted(sample);
    EXPECT_THAT(sample.qemu_command, StartsWith(qemu.string() + " "));
    EXPECT_NE(probe_environment(qemu, bootable.account, {}).qemu, probe_environment({}, bootable.account, {}).qemu);
}

// A file that is no plugin: QEMU says so and ends, and nobody takes that for a count.
TEST_F(Counted, ACounterThatCannotBeLoadedIsAFailureAndNoSample) {
    Counting counting;
    counting.plugin = distro_work() / "no-counter.so";
    std::ofstream(counting.plugin) << "no shared object";
    counting.qemu = probe_counter({}, distro_work(), bootable.account, {}).counting.value_or(counting).qemu;
    ASSERT_FALSE(counting.qemu.empty());
    settings.counting = counting;
    const auto sample = boot_it(0);
    EXPECT_FALSE(sample.valid);
    EXPECT_EQ(sample.outcome, Outcome::QEMU_FAILED);
    EXPECT_FALSE(sample.metrics.contains("instructions"));
}

}  // namespace
}  // namespace bootbudget::boot
