// SPDX-License-Identifier: GPL-2.0-or-later
// Boots that go wrong, each in its own way, with the real tool, the real QEMU and the installed kernel; after each of them nothing is left.
#include "boot/boot.hpp"
#include "boot/distro_tree.hpp"
#include "support/recorded_log.hpp"

#include <bootbudget/error.hpp>

#include <gmock/gmock.h>

#include <signal.h>
#include <functional>
#include <thread>

namespace bootbudget::boot {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::distro_bootable;
using test::distro_work;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class BootOutcome : public ::testing::Test {
protected:
    void SetUp() override {
        if (distro_work().empty()) {
            GTEST_SKIP() << "no boot tree: the test distro_tree_make says what is missing";
        }
        bootable = distro_bootable();
        log = distro_work() / (std::string(::testing::UnitTest::GetInstance()->current_test_info()->name()) + ".log");
        settings.timeout = 400s;
    }

    void TearDown() override {
        if (distro_work().empty()) {
            return;
        }
        std::vector<std::string> left;
        for (int i = 0; i < 50; ++i) {
            left.clear();
            for (const auto & process : test::processes_with(bootable.temporary.string())) {
                left.push_back(process.command);
            }
            if (left.empty()) {
                break;
            }
            std::this_thread::sleep_for(100ms);
        }
        EXPECT_THAT(left, IsEmpty());
        EXPECT_TRUE(fs::is_empty(bootable.temporary));
    }

    Sample boot_it(const std::function<void(Phase)> & on_phase = {}) {
        auto sample = boot_once(bootable, settings, log, {}, on_phase, {});
        std::cout << to_string(sample.outcome) << " after " << sample.metrics.at("total").value
                  << " s: " << sample.detail << "\n";
        return sample;
    }

    /// Stops QEMU without ending it, when the boot comes to `wanted`.
    void freeze_qemu_at(Phase wanted, Phase phase) const {
        if (phase != wanted) {
            return;
        }
        for (const auto & process : test::processes_with(bootable.temporary.string())) {
            if (process.command.find("qemu-system-") != std::string::npos) {
                ::kill(process.pid, SIGSTOP);
            }
        }
    }

    /// A cache with the shared appliance in it, but for its kernel.
    fs::path cache_with_kernel(const std::string & name, const std::string & image) const {
        const auto from = bootable.cache / (".guestfs-" + std::to_string(bootable.account.uid)) / "appliance.d";
        const auto cache = distro_work() / name;
        const auto to = cache / from.parent_path().filename() / "appliance.d";
        fs::create_directories(to);
        for (const auto * file : {"initrd", "root"}) {
            fs::create_hard_link(from / file, to / file);
        }
        std::ofstream(to / "kernel", std::ios::binary) << image;
        for (const auto & path : {cache, to.parent_path(), to, to / "kernel"}) {
            common::give_to(path, bootable.account);
        }
        return cache;
    }

    Bootable bootable;
    Settings settings;
    fs::path log;
};

// supermin does not look at the kernel again once it has an appliance: with a cache that two trees share, the second one boots the first one's.
TEST_F(BootOutcome, AForeignCacheIsFoundOutByTheGuestsOwnWord) {
    const auto real = bootable.tree.release;
    bootable.tree.release = "9.9.9-other";
    const auto sample = boot_it();
    EXPECT_EQ(sample.outcome, Outcome::WRONG_KERNEL);
    EXPECT_FALSE(sample.valid);
    EXPECT_THAT(sample.detail, AllOf(HasSubstr(real), HasSubstr("9.9.9-other")));
}

TEST_F(BootOutcome, APanicEndsTheBootAndKeepsItsTrace) {
    settings.append = "rdinit=/nonexistent init=/nonexistent";
    const auto sample = boot_it();
    EXPECT_EQ(sample.outcome, Outcome::PANIC);
    EXPECT_THAT(sample.detail, HasSubstr("Kernel panic - not syncing"));
    EXPECT_LT(sample.metrics.at("total").value, std::chrono::duration<double>(settings.timeout).count());
    EXPECT_THAT(test::text_of(log), AllOf(HasSubstr("Kernel panic - not syncing"), HasSubstr("Call Trace:")));
}

// How long it takes to the kernel's first line depends on the machine: a limit that was too short for that is doubled.
TEST_F(BootOutcome, ALaunchIsCutOff) {
    Sample sample;
    for (settings.timeout = 25s; settings.timeout < 400s; settings.timeout *= 2) {
        sample = boot_it([this](Phase phase) { freeze_qemu_at(Phase::KERNEL, phase); });
        if (sample.outcome == Outcome::LAUNCH_TIMEOUT) {
            break;
        }
    }
    EXPECT_EQ(sample.outcome, Outcome::LAUNCH_TIMEOUT);
    EXPECT_GT(sample.cut_off_seconds, 0);
    EXPECT_LT(sample.cut_off_seconds, sample.metrics.at("total").value);
    EXPECT_FALSE(sample.metrics.contains("launch"));
}

TEST_F(BootOutcome, ASilentGuestStallsIdle) {
    Sample sample;
    for (settings.stall = 15s; settings.stall < 200s; settings.stall *= 2) {
        sample = boot_it([this](Phase phase) { freeze_qemu_at(Phase::INITRAMFS, phase); });
        if (sample.outcome == Outcome::STALL && sample.metrics.contains("kernel")) {
            break;
        }
    }
    EXPECT_EQ(sample.outcome, Outcome::STALL);
    EXPECT_THAT(sample.detail, HasSubstr("QEMU was idle"));
}

// A bzImage by its header, whose code is one jump to itself.
TEST_F(BootOutcome, AnImageThatIsNoKernelSaysNothing) {
    std::string image(65536, '\0');
    image[0x1f1] = 4;  // setup_sects
    image.replace(0x1fe, 2, "\x55\xaa");
    image.replace(0x200, 2, "\xeb\xfe");
    image.replace(0x202, 4, "HdrS");
    image.replace(0x206, 2, "\x0c\x02");
    image[0x211] = 1;                             // LOADED_HIGH
    image.replace(0x22c, 4, "\xff\xff\xff\x7f");  // initrd_addr_max
    bootable.cache = cache_with_kernel("garbage-cache", image);
    settings.stall = 15s;
    const auto sample = boot_it();
    EXPECT_EQ(sample.outcome, Outcome::NO_KERNEL_OUTPUT);
    EXPECT_THAT(sample.detail, HasSubstr("QEMU was spinning"));
    EXPECT_TRUE(sample.guest_release.empty());
}

TEST_F(BootOutcome, CancelledInTheMiddle) {
    std::stop_source stop;
    EXPECT_THROW(
        boot_once(
            bootable,
            settings,
            log,
            {},
            [&](Phase phase) {
                if (phase == Phase::KERNEL) {
                    stop.request_stop();
                }
            },
            stop.get_token()),
        Cancelled);
    EXPECT_THAT(test::text_of(log), HasSubstr("Linux version"));
}

TEST_F(BootOutcome, SuperminCannotReadTheModules) {
    bootable = distro_bootable("failing-cache");
    bootable.tree.modules = distro_work() / "no-such-directory";
    const auto sample = boot_it();
    EXPECT_EQ(sample.outcome, Outcome::APPLIANCE_FAILED);
    EXPECT_THAT(sample.detail, HasSubstr("no-such-directory"));
}

}  // namespace
}  // namespace bootbudget::boot
