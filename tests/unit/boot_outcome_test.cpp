// SPDX-License-Identifier: GPL-2.0-or-later
// Each outcome, decided on recorded consoles.
#include "boot/outcome.hpp"

#include "boot/test_tool.hpp"
#include "support/recorded_log.hpp"

#include <gmock/gmock.h>

#include <csignal>

namespace bootbudget::boot {
namespace {

using test::recorded_log;
using test::text_of;
using test::timed;
using ::testing::AllOf;
using ::testing::HasSubstr;

Reading read_recorded(const std::string & name) {
    return read_console(timed(text_of(recorded_log(name))));
}

/// The recording up to and with the first line that has `mark`.
Reading read_until(const std::string & name, const std::string & mark) {
    Reading reading;
    for (const auto & line : timed(text_of(recorded_log(name)))) {
        read_line(reading, line);
        if (line.text.find(mark) != std::string::npos) {
            return reading;
        }
    }
    ADD_FAILURE() << name << " has no " << mark;
    return reading;
}

Attempt exited(int status, const std::string & release = "6.1.192") {
    Attempt attempt;
    attempt.expected_release = release;
    attempt.end.exit_status = status;
    attempt.timeout_seconds = 600;
    return attempt;
}

Attempt stopped(Intervention why) {
    auto attempt = exited(-1);
    attempt.end.signal = SIGTERM;
    attempt.end.stopped = true;
    attempt.intervention = why;
    attempt.silence_seconds = 180;
    return attempt;
}

TEST(Outcome, OkForEveryRecordingThatWasOk) {
    for (const auto & [log, release] : std::vector<std::pair<std::string, std::string>>{
             {"debian-6.1-appliance-built.log", "6.1.0-57-amd64"},
             {"debian-6.1-appliance-cached.log", "6.1.0-57-amd64"},
             {"mini-6.1-nodebug.log", "6.1.192"},
             {"mini-6.1-debug.log", "6.1.192+debug"},
             {"newer-1.54-mini-nodebug.log", "6.1.192"},
             {"newer-1.60-mini-nodebug.log", "6.1.192"},
             {"newer-1.60-mini-debug.log", "6.1.192+debug"},
             {"newer-1.60-debian-7.2.log", "7.2.13+deb14-amd64"},
             {"newer-1.60-debian-7.2-module-addresses.log", "7.2.13+deb14-amd64"},
         }) {
        const auto decision = decide_outcome(read_recorded(log), exited(0, release));
        EXPECT_EQ(decision.outcome, Outcome::OK) << log << ": " << decision.detail;
        EXPECT_EQ(decision.detail, "") << log;
    }
}

TEST(Outcome, WrongKernelThoughAllWentWell) {
    // the same version without its debug options: what a shared appliance cache makes of it
    const auto decision = decide_outcome(read_recorded("mini-6.1-nodebug.log"), exited(0, "6.1.192+debug"));
    EXPECT_EQ(decision.outcome, Outcome::WRONG_KERNEL);
    EXPECT_THAT(decision.detail, HasSubstr("ran release 6.1.192 instead of 6.1.192+debug"));
}

TEST(Outcome, WrongKernelWeighsMoreThanItsPanic) {
    EXPECT_EQ(
        decide_outcome(read_recorded("mini-6.1-panic-no-root.log"), exited(1, "6.2")).outcome, Outcome::WRONG_KERNEL);
}

TEST(Outcome, OkNeedsTheGuestsWord) {
    auto reading = read_recorded("mini-6.1-nodebug.log");
    reading.guest_release.clear();
    EXPECT_EQ(decide_outcome(reading, exited(0)).outcome, Outcome::NO_KERNEL_OUTPUT);
}

TEST(Outcome, OkNeedsTheToolsWord) {
    EXPECT_EQ(
        decide_outcome(read_until("mini-6.1-nodebug.log", "fsync /dev/sda"), exited(0)).outcome, Outcome::TOOL_FAILED);
}

TEST(Outcome, PanicWhoeverEndedTheRun) {
    const auto reading = read_recorded("mini-6.1-panic-no-root.log");
    for (const auto & attempt : {exited(1), stopped(Intervention::PANIC), stopped(Intervention::TIMEOUT)}) {
        const auto decision = decide_outcome(reading, attempt);
        EXPECT_EQ(decision.outcome, Outcome::PANIC);
        EXPECT_THAT(decision.detail, HasSubstr("VFS: Unable to mount root fs"));
    }
}

TEST(Outcome, TheToolsOwnAlarmIsALaunchTimeout) {
    auto attempt = exited(-1);
    attempt.end.signal = SIGALRM;
    const auto decision = decide_outcome(read_recorded("mini-6.1-launch-timeout-4s.log"), attempt);
    EXPECT_EQ(decision.outcome, Outcome::LAUNCH_TIMEOUT);
    EXPECT_THAT(decision.detail, HasSubstr("udevadm settle --timeout=600"));
}

TEST(Outcome, TimeoutByPlaceReached) {
    const auto attempt = stopped(Intervention::TIMEOUT);
    const auto at = [&](const std::string & mark) {
        return decide_outcome(read_until("mini-6.1-nodebug.log", mark), attempt);
    };
    EXPECT_EQ(at("supermin: version").outcome, Outcome::APPLIANCE_FAILED);
    EXPECT_EQ(at("begin testing qemu features").outcome, Outcome::TOOL_FAILED);
    EXPECT_EQ(at("-append").outcome, Outcome::NO_KERNEL_OUTPUT);
    EXPECT_EQ(at("SeaBIOS").outcome, Outcome::NO_KERNEL_OUTPUT);
    EXPECT_EQ(at("Linux version").outcome, Outcome::LAUNCH_TIMEOUT);
    EXPECT_EQ(at("Run /init").outcome, Outcome::LAUNCH_TIMEOUT);
    EXPECT_THAT(at("Run /init").detail, AllOf(HasSubstr("600 s"), HasSubstr("Run /init as init process")));
    EXPECT_EQ(at("appliance is up").outcome, Outcome::TOOL_FAILED);
}

TEST(Outcome, StallIdleOrSpinning) {
    auto attempt = stopped(Intervention::STALL);
    const auto reading = read_until("mini-6.1-nodebug.log", "udevadm settle");
    EXPECT_THAT(decide_outcome(reading, attempt).detail, HasSubstr("could not be seen"));
    attempt.silent_cpu_seconds = 1.0;
    EXPECT_EQ(decide_outcome(reading, attempt).outcome, Outcome::STALL);
    EXPECT_THAT(
        decide_outcome(reading, attempt).detail,
        AllOf(HasSubstr("QEMU was idle"), HasSubstr("silent for 180 s"), HasSubstr("udevadm settle")));
    attempt.silent_cpu_seconds = 170.0;
    EXPECT_THAT(decide_outcome(reading, attempt).detail, HasSubstr("QEMU was spinning"));
    EXPECT_EQ(
        decide_outcome(read_until("mini-6.1-nodebug.log", "SeaBIOS"), attempt).outcome, Outcome::NO_KERNEL_OUTPUT);
    EXPECT_EQ(
        decide_outcome(read_until("mini-6.1-nodebug.log", "supermin: version"), attempt).outcome,
        Outcome::APPLIANCE_FAILED);
}

TEST(Outcome, QemuThatEndsBeforeTheKernelFailed) {
    const auto decision = decide_outcome(read_recorded("kvm-msr-abort.log"), exited(1));
    EXPECT_EQ(decision.outcome, Outcome::QEMU_FAILED);
    EXPECT_THAT(decision.detail, HasSubstr("failed to set MSR 0x10a to 0x69"));
}

TEST(Outcome, QemusLoadersSpeakForThemselves) {
    auto reading = read_until("mini-6.1-nodebug.log", "-append");
    read_line(reading, {"qemu: initrd is too large, cannot support it (max: 0, need 6544896)", 9});
    read_line(reading, {"libguestfs: error: appliance closed the connection unexpectedly, see earlier messages", 9});
    EXPECT_THAT(decide_outcome(reading, exited(1)).detail, HasSubstr("initrd is too large"));
}

TEST(Outcome, QemuKilledFromOutsideFailed) {
    auto reading = read_until("mini-6.1-nodebug.log", "Run /init");
    read_line(reading, {"libguestfs: error: appliance closed the connection unexpectedly, see earlier messages", 90});
    read_line(reading, {"libguestfs: child_cleanup: 0x55: child process died", 90});
    const auto decision = decide_outcome(reading, exited(1));
    EXPECT_EQ(decision.outcome, Outcome::QEMU_FAILED);
    EXPECT_THAT(decision.detail, HasSubstr("before the appliance was up"));
}

TEST(Outcome, SuperminsErrorIsTheAppliances) {
    auto reading = read_until("debian-6.1-appliance-built.log", "supermin: ext2: populating");
    read_line(reading, {"supermin: exception: Sys_error(\"/t/modules.dep: No such file or directory\")", 9});
    read_line(reading, {"libguestfs: error: /usr/bin/supermin exited with error status 1.", 9});
    const auto decision = decide_outcome(reading, exited(1, "6.1.0-57-amd64"));
    EXPECT_EQ(decision.outcome, Outcome::APPLIANCE_FAILED);
    EXPECT_THAT(decision.detail, HasSubstr("/t/modules.dep: No such file"));
}

TEST(Outcome, QemuThatCannotBeProbedFailed) {
    auto reading = read_until("mini-6.1-nodebug.log", "begin testing qemu features");
    read_line(reading, {"libguestfs: error: qemu-system-x86_64 exited with error status 127, see debug messages", 9});
    EXPECT_EQ(decide_outcome(reading, exited(1)).outcome, Outcome::QEMU_FAILED);
}

TEST(Outcome, AnErrorAfterTheLaunchIsTheTools) {
    auto reading = read_until("mini-6.1-nodebug.log", "guestfsd: <= mkfs");
    read_line(reading, {"libguestfs: error: mkfs: ext2: /dev/sda1: mke2fs failed", 99});
    const auto decision = decide_outcome(reading, exited(1));
    EXPECT_EQ(decision.outcome, Outcome::TOOL_FAILED);
    EXPECT_THAT(decision.detail, HasSubstr("mke2fs failed"));
}

TEST(Outcome, AKilledToolFailed) {
    auto attempt = exited(-1);
    attempt.end.signal = SIGKILL;
    EXPECT_EQ(decide_outcome(read_until("mini-6.1-nodebug.log", "Run /init"), attempt).outcome, Outcome::TOOL_FAILED);
    EXPECT_EQ(decide_outcome(Reading(), attempt).outcome, Outcome::TOOL_FAILED);
}

TEST(Outcome, Cancelled) {
    auto attempt = stopped(Intervention::NONE);
    attempt.end.cancelled = true;
    EXPECT_EQ(decide_outcome(read_recorded("mini-6.1-nodebug.log"), attempt).outcome, Outcome::CANCELLED);
}

TEST(Sample, HoldsTheMetricsOfAGoodBoot) {
    Watched watched;
    watched.reading = read_recorded("mini-6.1-nodebug.log");
    watched.attempt = exited(0);
    watched.attempt.end.seconds = 80;
    watched.attempt.end.use.user_seconds = 9;
    watched.attempt.end.use.system_seconds = 1;
    const auto sample = sample_of(watched, "6.1.192");
    EXPECT_TRUE(sample.valid);
    const auto & metrics = sample.metrics;
    EXPECT_NEAR(metrics.at("launch").value, (716 - 93) / 10.0, 1e-9);
    EXPECT_NEAR(
        metrics.at("firmware").value + metrics.at("kernel").value + metrics.at("initramfs").value +
            metrics.at("userspace").value,
        metrics.at("launch").value,
        1e-9);
    EXPECT_EQ(metrics.at("total"), (Quantity{80, Unit::SECONDS}));
    EXPECT_EQ(metrics.at("cpu"), (Quantity{10, Unit::SECONDS}));
    EXPECT_EQ(metrics.at("memory"), (Quantity{473780.0 * 1024, Unit::BYTES}));
    EXPECT_EQ(sample.cut_off_seconds, 0);
    EXPECT_TRUE(sample.last_lines.empty());
}

TEST(Sample, ACutOffLaunchHasALowerBoundAndNoLaunch) {
    Watched watched;
    watched.reading = read_until("mini-6.1-nodebug.log", "Run /init");
    watched.attempt = stopped(Intervention::TIMEOUT);
    watched.ended_at = 60;
    const auto sample = sample_of(watched, "6.1.192");
    EXPECT_FALSE(sample.valid);
    EXPECT_EQ(sample.outcome, Outcome::LAUNCH_TIMEOUT);
    EXPECT_NEAR(sample.cut_off_seconds, 60 - 9.2, 1e-9);
    EXPECT_FALSE(sample.metrics.contains("launch"));
    EXPECT_TRUE(sample.metrics.contains("kernel"));
    ASSERT_EQ(sample.last_lines.size(), 15U);
    EXPECT_THAT(sample.last_lines.back(), HasSubstr("Run /init as init process"));
}

}  // namespace
}  // namespace bootbudget::boot
