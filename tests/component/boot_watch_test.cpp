// SPDX-License-Identifier: GPL-2.0-or-later
// The watch over a running console, with real processes that print recorded consoles: what the limits do, and what is kept.
#include "boot/console_log.hpp"
#include "boot/leftovers.hpp"
#include "boot/test_tool.hpp"
#include "common/temporary_directory.hpp"
#include "support/recorded_log.hpp"

#include <bootbudget/error.hpp>

#include <gmock/gmock.h>

#include <thread>

namespace bootbudget::boot {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using test::recorded_log;
using test::text_of;
using ::testing::ElementsAreArray;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::SizeIs;

class ConsoleWatch : public ::testing::Test {
protected:
    Watched watch(const std::string & script, const std::string & recording = "mini-6.1-nodebug.log") {
        common::Command command;
        command.argv = {"/bin/sh", "-c", script, "sh", recorded_log(recording).string()};
        command.environment = common::plain_environment();
        command.account = common::current_account();
        return watch_console(
            command, settings, log, [this](Phase phase) { phases.push_back(phase); }, stop.get_token());
    }

    common::TemporaryDirectory directory{fs::temp_directory_path()};
    fs::path log = directory.path() / "console.log";
    Settings settings;
    std::vector<Phase> phases;
    std::stop_source stop;
};

TEST_F(ConsoleWatch, KeepsTheLogByteForByteAndReadsIt) {
    const auto watched = watch("cat \"$1\"");
    EXPECT_EQ(text_of(log), text_of(recorded_log("mini-6.1-nodebug.log")));
    EXPECT_THAT(phases, ElementsAreArray(ALL_PHASES));
    const auto sample = sample_of(watched, "6.1.192");
    EXPECT_EQ(sample.outcome, Outcome::OK) << sample.detail;
}

TEST_F(ConsoleWatch, NotesTheCountAtEachBoundaryWhenItsLineArrives) {
    double calls = 0;
    common::Command command;
    command.argv = {"/bin/sh", "-c", "cat \"$1\" | while IFS= read -r line; do echo \"$line\"; done", "sh"};
    command.argv.push_back(recorded_log("mini-6.1-nodebug.log").string());
    command.environment = common::plain_environment();
    const auto watched = watch_console(command, settings, log, {}, {}, [&] { return ++calls; });
    const auto & counts = watched.arrived;
    ASSERT_TRUE(counts.kernel_start && counts.init_start && counts.root_switch && counts.up && counts.shutdown_begin);
    EXPECT_GE(*counts.kernel_start, 1);
    EXPECT_LE(*counts.kernel_start, *counts.init_start);
    EXPECT_LE(*counts.init_start, *counts.root_switch);
    EXPECT_LE(*counts.root_switch, *counts.up);
    EXPECT_LE(*counts.up, *counts.shutdown_begin);
    EXPECT_LE(*counts.shutdown_begin, calls);
    ASSERT_TRUE(watched.run_queue);
    EXPECT_GT(*watched.run_queue, 0);
}

// Counted boots of several variants run side by side: no console may see another's bytes, no end may wait for another's.
TEST_F(ConsoleWatch, FourAtOnceDoNotMeet) {
    const std::vector<std::string> recordings = {
        "mini-6.1-nodebug.log", "mini-6.1-debug.log", "mini-6.1-panic-no-root.log", "newer-1.60-mini-nodebug.log"};
    std::vector<Watched> results(recordings.size());
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < recordings.size(); ++i) {
        threads.emplace_back([&, i] {
            for (int round = 0; round < 5; ++round) {
                common::Command command;
                command.argv = {"/bin/sh", "-c", "sleep 0.1; cat \"$1\"; exit $2", "sh"};
                command.argv.push_back(recorded_log(recordings[i]).string());
                command.argv.push_back(std::to_string(i));
                command.environment = common::plain_environment();
                command.cpu_group = true;
                results[i] = watch_console(
                    command, settings, directory.path() / std::to_string(i), {}, {}, [i] { return double(i); });
            }
        });
    }
    for (auto & thread : threads) {
        thread.join();
    }
    for (std::size_t i = 0; i < recordings.size(); ++i) {
        EXPECT_EQ(text_of(directory.path() / std::to_string(i)), text_of(recorded_log(recordings[i])));
        EXPECT_EQ(results[i].attempt.end.exit_status, static_cast<int>(i));
        EXPECT_EQ(results[i].arrived.kernel_start, static_cast<double>(i));
        const auto alone = read_console(test::timed(text_of(recorded_log(recordings[i]))));
        EXPECT_EQ(results[i].reading.guest_version, alone.guest_version);
        EXPECT_EQ(results[i].reading.lines, alone.lines);
    }
}

TEST_F(ConsoleWatch, EndsAPanickedGuestAfterItsTrace) {
    const auto watched =
        watch("sed '/Rebooting in/q' \"$1\"; sleep 1; echo late trace; exec sleep 1000", "mini-6.1-panic-no-root.log");
    EXPECT_EQ(watched.attempt.intervention, Intervention::PANIC);
    EXPECT_EQ(sample_of(watched, "6.1.192").outcome, Outcome::PANIC);
    EXPECT_THAT(text_of(log), EndsWith("late trace\n"));
}

TEST_F(ConsoleWatch, EndsASilentGuest) {
    settings.stall = 2s;
    const auto watched = watch("sed '/Run .init/q' \"$1\"; exec sleep 1000");
    EXPECT_EQ(watched.attempt.intervention, Intervention::STALL);
    EXPECT_GE(watched.attempt.silence_seconds, 2);
    EXPECT_FALSE(watched.attempt.silent_cpu_seconds) << "there was no QEMU";
}

TEST_F(ConsoleWatch, EndsAtTheTimeout) {
    settings.timeout = 2s;
    const auto watched = watch("sed '/Run .init/q' \"$1\"; while sleep 0.2; do echo still here; done");
    EXPECT_EQ(watched.attempt.intervention, Intervention::TIMEOUT);
    const auto sample = sample_of(watched, "6.1.192");
    EXPECT_EQ(sample.outcome, Outcome::LAUNCH_TIMEOUT);
    EXPECT_GT(sample.cut_off_seconds, 0);
    EXPECT_THAT(sample.last_lines, SizeIs(::testing::Le(15U)));
}

TEST_F(ConsoleWatch, AnUnfinishedLastLineIsRead) {
    const auto watched = watch("printf 'supermin: error: no space left'; exit 1");
    EXPECT_EQ(watched.reading.error_line, "supermin: error: no space left");
    EXPECT_EQ(watched.attempt.end.exit_status, 1);
}

TEST_F(ConsoleWatch, IsCancelled) {
    stop.request_stop();
    EXPECT_TRUE(watch("exec sleep 1000").attempt.end.cancelled);
}

TEST_F(ConsoleWatch, ALogThatCannotBeCreatedIsNamed) {
    log = directory.path() / "missing" / "console.log";
    try {
        watch("exec sleep 1000");
        FAIL();
    } catch (const SystemError & error) {
        EXPECT_THAT(error.what(), HasSubstr(log.string()));
    }
}

TEST_F(ConsoleWatch, AFullDiskIsAnError) {
    log = "/dev/full";
    EXPECT_THROW(watch("cat \"$1\"; exec sleep 1000"), SystemError);
}

TEST(ConsoleLog, IsBoundedAndSaysSo) {
    const common::TemporaryDirectory directory(fs::temp_directory_path());
    const auto path = directory.path() / "console.log";
    ConsoleLog log(path, 10);
    log.write("12345");
    log.write("67890abc");
    log.write("def");
    EXPECT_EQ(text_of(path), "1234567890\n[bootbudget: the console log is full, the rest of it was not kept]\n");
}

TEST(LineCutter, CutsAtNewlinesWhereverTheBytesWereSplit) {
    LineCutter cutter;
    EXPECT_THAT(cutter.take("Booting from ROM..", 1), SizeIs(0));
    const auto lines = cutter.take("[0] Linux\r\nnext\nun", 2);
    ASSERT_THAT(lines, SizeIs(2));
    EXPECT_EQ(lines[0].text, "Booting from ROM..[0] Linux\r");
    EXPECT_EQ(lines[0].seconds, 2);
    EXPECT_EQ(lines[1].text, "next");
    const auto last = cutter.finish(3);
    ASSERT_THAT(last, SizeIs(1));
    EXPECT_EQ(last[0].text, "un");
    EXPECT_THAT(cutter.finish(3), SizeIs(0));
}

TEST(LineCutter, DoesNotKeepAnEndlessLine) {
    LineCutter cutter;
    for (int i = 0; i < 100; ++i) {
        EXPECT_THAT(cutter.take(std::string(100000, 'x'), 1), SizeIs(0));
    }
    EXPECT_EQ(cutter.take("\n", 1)[0].text.size(), 65536U);
}

TEST(Leftovers, OnlyWhatIsNewGoes) {
    const common::TemporaryDirectory directory(fs::temp_directory_path());
    Bootable bootable;
    bootable.account = common::current_account();
    bootable.temporary = directory.path() / "tmp";
    bootable.cache = directory.path() / "cache";
    fs::create_directories(bootable.temporary / "old");
    fs::create_directories(bootable.cache / ".guestfs-0" / "appliance.d");
    const auto before = names_in(bootable.temporary);
    fs::create_directories(bootable.temporary / "libguestfsAbCdEf");
    fs::create_directories(bootable.cache / ".guestfs-0" / "appliance.d.half-made");
    remove_leftovers(bootable, before, "");
    EXPECT_THAT(names_in(bootable.temporary), ::testing::ElementsAre("old"));
    EXPECT_THAT(names_in(bootable.cache / ".guestfs-0"), ::testing::ElementsAre("appliance.d"));
}

}  // namespace
}  // namespace bootbudget::boot
