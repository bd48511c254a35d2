// SPDX-License-Identifier: GPL-2.0-or-later
// The installed kernel boots, and what is said of that boot is sane. supermin builds the appliance here that the other boots use.
#include "boot/boot.hpp"
#include "boot/distro_tree.hpp"
#include "boot/option.hpp"
#include "support/recorded_log.hpp"

#include <bootbudget/error.hpp>

#include <gmock/gmock.h>
#include <unistd.h>

namespace bootbudget::boot {
namespace {

namespace fs = std::filesystem;
using test::distro_bootable;
using test::distro_work;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Boot, OfTheInstalledKernelIsMeasured) {
    if (distro_work().empty()) {
        GTEST_SKIP() << "no boot tree: the test distro_tree_make says what is missing";
    }
    const auto bootable = distro_bootable();
    const auto log = distro_work() / "ok.log";
    Settings settings;
    std::vector<Phase> begun;
    std::vector<uid_t> owners;
    const auto sample = boot_once(
        bootable,
        settings,
        log,
        {3, Mode::TIMED, true},
        [&](Phase phase) {
            begun.push_back(phase);
            if (phase == Phase::KERNEL) {
                for (const auto & process : test::processes_with(bootable.temporary.string())) {
                    owners.push_back(process.uid);
                }
            }
        },
        {});

    EXPECT_EQ(sample.outcome, Outcome::OK) << sample.detail;
    EXPECT_TRUE(sample.valid);
    EXPECT_TRUE(sample.warmup);
    EXPECT_EQ(sample.index, 3);
    EXPECT_EQ(sample.guest_release, bootable.tree.release);
    EXPECT_THAT(begun, ElementsAreArray(ALL_PHASES));
    EXPECT_EQ(sample.phases.size(), std::size(ALL_PHASES));
    EXPECT_THAT(sample.guest_command_line, StartsWith("panic=1 console="));
    EXPECT_THAT(sample.qemu_command, HasSubstr("accel=tcg"));
    EXPECT_EQ(option_of(sample.qemu_command, "-m"), "1280");
    for (const auto & finding : sample.findings) {
        ADD_FAILURE() << to_string(finding.kind) << ": " << finding.line;
    }

    const auto & metrics = sample.metrics;
    const double launch = metrics.at("launch").value;
    EXPECT_GT(launch, 1);
    EXPECT_LT(launch, metrics.at("total").value);
    EXPECT_NEAR(
        metrics.at("firmware").value + metrics.at("kernel").value + metrics.at("initramfs").value +
            metrics.at("userspace").value,
        launch,
        1e-6);
    EXPECT_GT(metrics.at("cpu").value, 1);
    EXPECT_GT(metrics.at("memory").value, 100e6);
    EXPECT_TRUE(sample.noise.contains("load"));
    EXPECT_GT(sample.noise.at("involuntary_switches"), 0);

    EXPECT_THAT(test::text_of(log), HasSubstr("===== TEST FINISHED OK ====="));
    EXPECT_TRUE(fs::is_empty(bootable.temporary));
    ASSERT_FALSE(owners.empty());
    for (const auto owner : owners) {
        EXPECT_EQ(owner, bootable.account.uid);
        EXPECT_NE(owner, 0U);
    }

    const auto digest = appliance_digest(bootable.cache);
    EXPECT_EQ(digest.size(), 64U);
    const auto environment = probe_environment({}, bootable.account, {});
    EXPECT_THAT(environment.qemu, HasSubstr("QEMU emulator version"));
    EXPECT_THAT(environment.libguestfs, HasSubstr("libguestfs-test-tool "));
    EXPECT_THAT(environment.supermin, HasSubstr("supermin "));
    EXPECT_EQ(fingerprint(environment, sample, digest).size(), 64U);
}

}  // namespace
}  // namespace bootbudget::boot
