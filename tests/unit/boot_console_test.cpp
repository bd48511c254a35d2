// SPDX-License-Identifier: GPL-2.0-or-later
// Every recorded console is read to what is known of that run.
#include "boot/console.hpp"
#include "boot/console_text.hpp"
#include "support/recorded_log.hpp"

#include <gmock/gmock.h>

#include <algorithm>

namespace bootbudget::boot {
namespace {

using test::recorded_log;
using test::text_of;
using test::timed;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

struct Known {
    std::string log;
    std::string release;
    std::string libguestfs, qemu;
    bool cached;
    double max_rss_kib;
    std::vector<Phase> phases;
    int up_line;    ///< where "appliance is up" stands, from 1; 0 for never
    int exit_line;  ///< where QEMU's end is noticed
};

const std::vector<Phase> ALL(std::begin(ALL_PHASES), std::end(ALL_PHASES));

const std::vector<Known> KNOWN = {
    {"debian-6.1-appliance-built.log", "6.1.0-57-amd64", "1.48.6", "7.2", false, 597212, ALL, 1083, 1157},
    {"debian-6.1-appliance-cached.log", "6.1.0-57-amd64", "1.48.6", "7.2", true, 597200, ALL, 1043, 1116},
    {"mini-6.1-nodebug.log", "6.1.192", "1.48.6", "7.2", true, 473780, ALL, 716, 790},
    {"mini-6.1-debug.log", "6.1.192+debug", "1.48.6", "7.2", true, 616688, ALL, 733, 806},
    {"mini-6.1-panic-no-root.log",
     "6.1.192",
     "1.48.6",
     "7.2",
     true,
     136720,
     {Phase::APPLIANCE, Phase::FIRMWARE},
     0,
     340},
    {"mini-6.1-launch-timeout-4s.log",
     "6.1.192",
     "1.48.6",
     "7.2",
     true,
     0,
     {Phase::APPLIANCE, Phase::FIRMWARE, Phase::KERNEL, Phase::INITRAMFS},
     0,
     0},
    {"kvm-msr-abort.log", "", "1.48.6", "7.2", false, 0, {Phase::APPLIANCE}, 0, 132},
    {"newer-1.54-mini-nodebug.log", "6.1.192", "1.54.1", "10.0", false, 271692, ALL, 769, 835},
    {"newer-1.60-mini-nodebug.log", "6.1.192", "1.60.1", "11.1.3 (Debian 1:11.1.3+ds-1)", false, 266792, ALL, 791, 913},
    {"newer-1.60-mini-debug.log",
     "6.1.192+debug",
     "1.60.1",
     "11.1.3 (Debian 1:11.1.3+ds-1)",
     false,
     324684,
     ALL,
     813,
     935},
    {"newer-1.60-debian-7.2.log",
     "7.2.13+deb14-amd64",
     "1.60.1",
     "11.1.3 (Debian 1:11.1.3+ds-1)",
     false,
     453408,
     ALL,
     1084,
     1201},
    {"newer-1.60-debian-7.2-module-addresses.log",
     "7.2.13+deb14-amd64",
     "1.60.1",
     "11.1.3 (Debian 1:11.1.3+ds-1)",
     true,
     481488,
     ALL,
     2287,
     2402},
};

class RecordedConsole : public ::testing::TestWithParam<Known> {
protected:
    const Known & known = GetParam();
    const Reading reading = read_console(timed(text_of(recorded_log(known.log))));
};

TEST_P(RecordedConsole, SaysWhoRan) {
    EXPECT_EQ(reading.guest_release, known.release);
    EXPECT_EQ(reading.libguestfs_version, known.libguestfs);
    EXPECT_EQ(reading.qemu_version, known.qemu);
    EXPECT_EQ(reading.supermin_version, "5.2.2");
    EXPECT_EQ(reading.appliance_cached, known.cached);
    if (!known.release.empty()) {
        EXPECT_THAT(reading.guest_version, StartsWith("Linux version " + known.release + " ("));
    }
}

TEST_P(RecordedConsole, HasThePhasesThatEnded) {
    const auto times = phases_of(reading);
    std::vector<Phase> phases;
    std::transform(times.begin(), times.end(), std::back_inserter(phases), [](const auto & t) { return t.phase; });
    EXPECT_THAT(phases, ElementsAreArray(known.phases));
    for (const auto & time : times) {
        EXPECT_GT(time.seconds, 0) << to_string(time.phase);
    }
}

TEST_P(RecordedConsole, PutsItsMarksAtTheRightLines) {
    const auto at = [](int line) { return static_cast<double>(line - 1) / 10; };
    EXPECT_EQ(reading.up, known.up_line == 0 ? std::nullopt : std::optional(at(known.up_line)));
    EXPECT_EQ(reading.qemu_end, known.exit_line == 0 ? std::nullopt : std::optional(at(known.exit_line)));
    EXPECT_EQ(reading.test_finished_ok, known.up_line != 0);
    EXPECT_EQ(reading.qemu_max_rss_bytes.value_or(0), known.max_rss_kib * 1024);
}

TEST_P(RecordedConsole, KeepsBothCommandLinesWhole) {
    EXPECT_THAT(reading.qemu_command, HasSubstr("qemu-system-x86_64 -global virtio-blk-pci.scsi=off -no-user-config "));
    EXPECT_THAT(reading.qemu_command, HasSubstr(" -append \"panic=1 console=ttyS0 "));
    EXPECT_THAT(reading.qemu_command, Not(HasSubstr("\\ ")));
    // the serial port lost characters of the kernel's own copy in three of the recordings
    EXPECT_THAT(
        reading.guest_command_line,
        StartsWith("panic=1 console=ttyS0 edd=off udevtimeout=6000 udev.event-timeout=6000 no_timer_check "));
    EXPECT_THAT(reading.guest_command_line, HasSubstr(" printk.time=1 cgroup_disable=memory "));
    EXPECT_THAT(reading.guest_command_line, HasSubstr(" guestfs_verbose=1 TERM="));
}

TEST_P(RecordedConsole, ReportsNothingThatIsNotThere) {
    EXPECT_THAT(reading.findings, IsEmpty());
    EXPECT_FALSE(reading.lockdep_off);
}

INSTANTIATE_TEST_SUITE_P(All, RecordedConsole, ::testing::ValuesIn(KNOWN), [](const auto & instance) {
    auto name = instance.param.log;
    std::replace_if(
        name.begin(), name.end(), [](char c) { return c == '-' || c == '.'; }, '_');
    return name;
});

TEST(Console, EveryRecordingIsInTheTable) {
    std::vector<std::string> found, listed;
    for (const auto & path : test::recorded_logs()) {
        found.push_back(path.filename().string());
    }
    for (const auto & known : KNOWN) {
        listed.push_back(known.log);
    }
    EXPECT_THAT(found, ::testing::UnorderedElementsAreArray(listed));
}

TEST(Console, ReadsThePanic) {
    const auto reading = read_console(timed(text_of(recorded_log("mini-6.1-panic-no-root.log"))));
    EXPECT_TRUE(reading.panicked);
    EXPECT_EQ(reading.panic_line, "Kernel panic - not syncing: VFS: Unable to mount root fs on unknown-block(0,0)");
    EXPECT_EQ(reading.panic_at, 32.0);
}

TEST(Console, ReadsWhoFailedFirst) {
    const auto reading = read_console(timed(text_of(recorded_log("kvm-msr-abort.log"))));
    EXPECT_TRUE(reading.qemu_died);
    EXPECT_EQ(reading.qemu_error_line, "qemu-system-x86_64: error: failed to set MSR 0x10a to 0x69");
    EXPECT_EQ(
        reading.error_line,
        "libguestfs: error: appliance closed the connection unexpectedly, see earlier error messages");
}

TEST(Console, ReadsTheGuestsClockWhereItIsNear) {
    // ten lines a second put the kernel's last stamp well within half a second of "Run /init"
    const auto reading = read_console(timed(text_of(recorded_log("mini-6.1-debug.log"))));
    EXPECT_EQ(reading.guest_init, 12.785988);
    EXPECT_EQ(reading.guest_root_switch, 12.922453);
    EXPECT_FALSE(reading.guest_up) << "the nearest stamp is 35 lines, 3.5 s, before";
    const auto phases = phases_of(reading);
    ASSERT_EQ(phases.size(), 7U);
    EXPECT_EQ(phases[2].guest_seconds, 12.785988);
    EXPECT_FALSE(phases[1].guest_seconds);
}

TEST(Console, KernelStartsWhereTheFirmwaresLineEnds) {
    const auto reading = read_console({
        {"qemu-system-x86_64 \\", 1},
        {"    -append \"panic=1\"", 2},
        {"\\x1bc\\x1b[?7l\\x1b[2J\\x1b[0mSeaBIOS (version 1.16.2-debian-1.16.2-1)", 3},
        {"Booting from ROM..\x1b"
         "c\x1b[?7l\x1b[2J[    0.000000] Linux version 6.17.4-300.fc43.x86_64 (x) #1 SMP\r",
         5},
    });
    EXPECT_EQ(reading.qemu_start, 2);
    EXPECT_EQ(reading.kernel_start, 5);
    EXPECT_EQ(reading.guest_release, "6.17.4-300.fc43.x86_64");
}

TEST(Console, AFeatureProbeIsNotTheBoot) {
    const auto reading = read_console({
        {"/opt/wrapper \\", 1},
        {"    -machine none \\", 2},
        {"    -display none", 3},
        {"libguestfs: command: run: qemu-system-x86_64", 3.5},
        {"libguestfs: command: run: \\ -version", 4},
        {"/opt/wrapper \\", 5},
        {"    -append \"a b\" \\", 6},
        {"    -snapshot", 7},
    });
    EXPECT_EQ(reading.qemu_start, 7);
    EXPECT_EQ(reading.qemu_command, "/opt/wrapper -append \"a b\" -snapshot");
    EXPECT_EQ(reading.guest_command_line, "a b");
}

std::vector<TimedLine> started(std::vector<TimedLine> rest) {
    std::vector<TimedLine> lines = {{"/usr/bin/qemu-system-x86_64 \\", 1}, {"    -append \"panic=1 root=UUID=1\"", 1}};
    lines.insert(lines.end(), rest.begin(), rest.end());
    return lines;
}

TEST(Console, ReadsStampsWithACaller) {
    const auto reading = read_console(started({
        {"[    0.000000][    T0] Linux version 6.17.4+debug (x) #1 SMP", 2},
        {"[    3.250000][    T1] Run /init as init process", 3},
        {"[    3.500000][  T123] Kernel panic - not syncing: Attempted to kill init! exitcode=0x00007f00", 4},
    }));
    EXPECT_EQ(reading.guest_release, "6.17.4+debug");
    EXPECT_EQ(reading.guest_init, 3.25);
    EXPECT_EQ(reading.panic_line, "Kernel panic - not syncing: Attempted to kill init! exitcode=0x00007f00");
}

TEST(Console, MendsAReleaseThatLostCharacters) {
    const auto reading = read_console(started({
        {"[    0.000000] Linux version 6.14+debug (x) #1 SMP", 2},
        {"Linux (none) 6.17.4+debug #1 SMP PREEMPT_DYNAMIC Debian x86_64 GNU/Linux", 9},
    }));
    EXPECT_EQ(reading.guest_release, "6.17.4+debug");
}

TEST(Console, DoesNotMendOneReleaseIntoAnother) {
    const auto reading = read_console(started({
        {"[    0.000000] Linux version 6.17.4+debug (x) #1 SMP", 2},
        {"Linux (none) 6.17.4 #1 SMP PREEMPT_DYNAMIC Debian x86_64 GNU/Linux", 9},
    }));
    EXPECT_EQ(reading.guest_release, "6.17.4+debug");
}

TEST(Console, AKernelWithOptionsBuiltInSaysMoreThanQemu) {
    const auto reading = read_console(started({
        {"[    0.000000] Linux version 6.17.4 (x) #1 SMP", 2},
        {"[    0.000000] Command line: slub_debug=FZ panic=1 root=UUID=1", 3},
    }));
    EXPECT_EQ(reading.guest_command_line, "slub_debug=FZ panic=1 root=UUID=1");
}

TEST(Console, AQuietKernelIsKnownByItsUserSpace) {
    const auto reading = read_console(started({
        {"supermin: mounting /proc", 4},
        {"supermin: chroot", 5},
        {"Linux (none) 6.17.4 #1 SMP PREEMPT_DYNAMIC x86_64 GNU/Linux", 6},
        {"libguestfs: appliance is up", 8},
    }));
    EXPECT_FALSE(reading.kernel_start);
    EXPECT_EQ(reading.guest_release, "6.17.4");
    EXPECT_EQ(reading.up, 8);
    EXPECT_TRUE(guest_spoke(reading));
}

TEST(Console, NothingIsUpBeforeQemuRuns) {
    const auto reading = read_console({
        {"libguestfs: appliance is up", 1},
        {"[    0.000000] Linux version 6.17.4 (x) #1 SMP", 2},
        {"===== TEST FINISHED OK =====", 3},
    });
    EXPECT_FALSE(reading.up);
    EXPECT_FALSE(reading.kernel_start);
    EXPECT_FALSE(reading.test_finished_ok);
}

TEST(Console, PhasesFollowTheMarks) {
    Reading reading;
    EXPECT_FALSE(current_phase(reading));
    std::vector<Phase> seen;
    for (const auto & line : timed(text_of(recorded_log("newer-1.60-debian-7.2.log")))) {
        read_line(reading, line);
        if (const auto phase = current_phase(reading); phase && (seen.empty() || seen.back() != *phase)) {
            seen.push_back(*phase);
        }
    }
    EXPECT_THAT(seen, ElementsAreArray(ALL));
    EXPECT_FALSE(current_phase(reading));
}

TEST(ConsoleText, LosesEscapesOfBothSpellings) {
    EXPECT_EQ(
        clean_text("\\x1b[0;1;38;5;185mred\\x1b[0m\x1b[2J\x1b"
                   "c\ttab\\t\a\r"),
        "red tab ");
    EXPECT_EQ(clean_text("\x1b["), "");
    EXPECT_EQ(clean_text("\x1b"), "");
    EXPECT_EQ(clean_text("a\\x1b"), "a");
}

TEST(ConsoleText, FindsStampsAnywhere) {
    const auto stamp = find_stamp("uptime: [x] [12] [   11.229536]  sda: sda1");
    ASSERT_TRUE(stamp);
    EXPECT_EQ(stamp->seconds, 11.229536);
    EXPECT_FALSE(find_stamp("[    1.23] no"));
    EXPECT_FALSE(find_stamp("[    1.2345678] no"));
    EXPECT_FALSE(find_stamp("[[[["));
    EXPECT_FALSE(find_stamp("[    0.123456"));
}

TEST(ConsoleText, KnowsADamagedCopy) {
    EXPECT_TRUE(lost_characters("panic=1 consolyS0", "panic=1 console=ttyS0"));
    EXPECT_FALSE(lost_characters("panic=1", "panic=1"));
    EXPECT_FALSE(lost_characters("panik", "panic=1"));
    EXPECT_FALSE(lost_characters("", "panic=1"));
}

}  // namespace
}  // namespace bootbudget::boot
