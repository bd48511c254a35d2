// SPDX-License-Identifier: GPL-2.0-or-later
// The probe for the counter and the wrapper of counted boots, with scripts for QEMUs, which show every word that they get, and the installed QEMU.
#include "boot/boot.hpp"
#include "boot/counted_run.hpp"
#include "boot/counter_place.hpp"
#include "boot/icount.hpp"
#include "boot/leftovers.hpp"
#include "boot/qemu_choice.hpp"
#include "common/process.hpp"
#include "common/temporary_directory.hpp"
#include "support/recorded_log.hpp"

#include <bootbudget/error.hpp>

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>
#include <cstring>

namespace bootbudget::boot {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class Scripted : public ::testing::Test {
protected:
    void TearDown() override { ::unsetenv(COUNTER_VARIABLE); }

    /// A program with the given script.
    fs::path script(const std::string & name, const std::string & text) const {
        const auto path = directory.path() / name;
        std::ofstream(path) << "#!/bin/sh\n" << text;
        fs::permissions(path, static_cast<fs::perms>(0755));
        return path;
    }

    static void counter_is(const fs::path & path) { ::setenv(COUNTER_VARIABLE, path.c_str(), 1); }

    common::TemporaryDirectory directory{fs::temp_directory_path()};
    common::Account account = common::account_for_boots("");
};

class CounterProbe : public Scripted {
protected:
    void SetUp() override { counter_is(script("counter.so", "")); }

    CounterSupport probe(const std::string & text) const {
        return probe_counter(script("qemu-system-fake", text), directory.path(), account, {});
    }
};

TEST_F(CounterProbe, AQemuWithoutPlugins) {
    const auto support =
        probe("case \"$*\" in *-plugin*) echo \"qemu-system-fake: -plugin: invalid option\" >&2; exit 1;; esac\n");
    EXPECT_FALSE(support.counting);
    EXPECT_EQ(support.obstacle, CounterObstacle::NO_PLUGINS);
    EXPECT_THAT(
        describe(support),
        AllOf(
            StartsWith("unavailable: the QEMU " + (directory.path() / "qemu-system-fake").string()),
            HasSubstr("has no plugin support"),
            HasSubstr("-plugin: invalid option")));
}

TEST_F(CounterProbe, AnApiOfTheFuture) {
    auto support = probe("echo 'bootbudget-counter: this QEMU has plugin API 8 to 9.' >&2\nexit 1\n");
    EXPECT_FALSE(support.counting);
    EXPECT_EQ(support.obstacle, CounterObstacle::UNKNOWN_API);
    EXPECT_THAT(support.unavailable, HasSubstr("has plugin API versions 8 to 9, which this version"));
    support = probe(
        "echo 'Could not load plugin x: plugin requires API version 7, but this QEMU supports only a minimum version "
        "of "
        "9'\nexit 1\n");
    EXPECT_EQ(support.obstacle, CounterObstacle::UNKNOWN_API);
    EXPECT_THAT(support.unavailable, HasSubstr("has plugin API version 9, which this version"));
}

TEST_F(CounterProbe, AsksWithTheCounterItselfAsTheBootsAccount) {
    const auto support = probe(
        "[ \"$BOOTBUDGET_COUNTER_PROBE\" = 1 ] || exit 1\n"
        "for word; do case $word in */bootbudget-counter.so) [ -r \"$word\" ] || exit 1;; esac; done\n"
        "[ $(id -u) = " +
        std::to_string(account.uid) +
        " ] || exit 1\n"
        "echo 'bootbudget-counter: this QEMU has plugin API 2 to 4.' >&2\nexit 1\n");
    ASSERT_TRUE(support.counting) << support.unavailable;
    EXPECT_EQ(support.counting->api, 4);
    EXPECT_EQ(support.counting->qemu, directory.path() / "qemu-system-fake");
    EXPECT_EQ(support.counting->plugin, directory.path() / "counter.so");
    EXPECT_EQ(support.unavailable, "");
}

TEST_F(CounterProbe, ACounterThatIsNotThere) {
    counter_is("/nonexistent/counter.so");
    const auto support = probe("exit 1");
    EXPECT_EQ(support.obstacle, CounterObstacle::NO_COUNTER);
    EXPECT_THAT(support.unavailable, HasSubstr("$BOOTBUDGET_COUNTER names /nonexistent/counter.so"));
}

TEST_F(CounterProbe, AQemuThatIsNotThere) {
    const auto support = probe_counter(directory.path() / "nothing", directory.path(), account, {});
    EXPECT_EQ(support.obstacle, CounterObstacle::NO_QEMU);
    EXPECT_THAT(support.unavailable, HasSubstr("is no program"));
}

TEST_F(CounterProbe, IsCancelled) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(
        probe_counter(script("qemu-system-fake", "sleep 1000"), directory.path(), account, stop.get_token()),
        Cancelled);
}

TEST(CounterOfThisTree, WorksInTheInstalledQemu) {
    const auto account = common::account_for_boots("");
    const auto qemu = choose_qemu({}, account, {});
    if (qemu.empty()) {
        GTEST_SKIP() << "QEMU is not installed";
    }
    const auto support = probe_counter({}, fs::temp_directory_path(), account, {});
    ASSERT_TRUE(support.counting) << support.unavailable;
    EXPECT_GE(support.counting->api, 1);
    EXPECT_EQ(support.counting->qemu, qemu);
    EXPECT_EQ(support.counting->plugin.filename(), COUNTER_FILE);
}

class Wrapper : public Scripted {
protected:
    void SetUp() override {
        bootable.account = account;
        bootable.counter = directory.path() / "it's, a dir";
        fs::create_directory(bootable.counter);
        fs::permissions(directory.path(), static_cast<fs::perms>(0755));
        counting.plugin = script("counter.so", "not really\n");
        fs::create_directory(directory.path() / "the qemu");
        counting.qemu = script("the qemu/qemu-system-fake", "for word; do echo \"<$word>\"; done\n");
    }

    std::vector<std::string> ask(const fs::path & wrapper, std::vector<std::string> words) const {
        common::Command command;
        command.argv = {wrapper.string()};
        command.argv.insert(command.argv.end(), words.begin(), words.end());
        command.environment = common::plain_environment();
        command.account = account;
        std::istringstream output(common::capture(command).output);
        std::vector<std::string> lines;
        for (std::string line; std::getline(output, line);) {
            lines.push_back(line);
        }
        return lines;
    }

    Bootable bootable;
    Counting counting;
};

TEST_F(Wrapper, LeavesFeatureProbesAlone) {
    const CountedRun counted(bootable, counting, 1342177280);
    EXPECT_THAT(
        ask(counted.wrapper(), {"-display", "none", "-append-like", "a  'b'", ""}),
        ElementsAre("<-display>", "<none>", "<-append-like>", "<a  'b'>", "<>"));
    EXPECT_THAT(ask(counted.wrapper(), {}), ElementsAre());
    EXPECT_EQ(counted.page().magic, 0U);
}

TEST_F(Wrapper, AddsTheCounterToTheBoot) {
    const CountedRun counted(bootable, counting, 1342177280);
    const auto doubled = doubled_commas((bootable.counter / "run").string());
    EXPECT_THAT(
        ask(counted.wrapper(), {"-m", "1280", "-append", "panic=1 dyndbg=\"func x +p\""}),
        ElementsAre(
            "<-m>",
            "<1280>",
            "<-append>",
            "<panic=1 dyndbg=\"func x +p\">",
            "<-icount>",
            "<" + icount_option() + ">",
            "<-plugin>",
            "<" + doubled + "/bootbudget-counter.so,page=" + doubled + "/page,ram=1342177280,lines=" + doubled +
                "/lines>"));
}

TEST_F(Wrapper, HasItsQemusNameAndDate) {
    const CountedRun counted(bootable, counting, 1);
    EXPECT_EQ(counted.wrapper().filename(), "qemu-system-fake");
    EXPECT_EQ(fs::last_write_time(counted.wrapper()), fs::last_write_time(counting.qemu));
    EXPECT_THAT(
        counted.true_command("\"" + counted.wrapper().string() + "\""),
        StartsWith(counting.qemu.string() + " -icount " + icount_option() + " -plugin "));
}

TEST_F(Wrapper, WhatTheCounterWritesIsSeenWhileItRuns) {
    const CountedRun counted(bootable, counting, 1);
    EXPECT_EQ(total(counted.page()), 0U);
    EXPECT_EQ(counted.lines(), "");
    CounterPage page{};
    page.magic = CounterPage::MAGIC;
    page.firmware = 5;
    page.kernel = 7;
    std::string bytes(sizeof page, '\0');
    std::memcpy(bytes.data(), &page, sizeof page);
    {
        std::fstream file(bootable.counter / "run" / "page", std::ios::in | std::ios::out | std::ios::binary);
        file << bytes;
    }
    std::ofstream(bootable.counter / "run" / "lines") << "12 [    0.000000] Linux\n";
    EXPECT_EQ(total(counted.page()), 12U);
    EXPECT_EQ(counted.lines(), "12 [    0.000000] Linux\n");
    fs::resize_file(bootable.counter / "run" / "page", 0);
    EXPECT_EQ(counted.page().magic, 0U) << "a page that was cut short is no page";
}

TEST_F(Wrapper, IsGoneWithItsBoot) {
    fs::create_directories(bootable.counter / "run" / "of a boot that was killed");
    {
        const CountedRun counted(bootable, counting, 1);
        EXPECT_TRUE(fs::exists(counted.wrapper()));
    }
    EXPECT_THAT(names_in(bootable.counter), ElementsAre());
    counting.plugin = "/nonexistent/counter.so";
    EXPECT_THROW(CountedRun(bootable, counting, 1), SystemError);
    EXPECT_THAT(names_in(bootable.counter), ElementsAre());
}

}  // namespace
}  // namespace bootbudget::boot
