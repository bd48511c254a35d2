// SPDX-License-Identifier: GPL-2.0-or-later
// However a check ends, and whenever: no QEMU, no supermin, no half-written report, and what a SIGKILL leaves on disk is gone after the next start.
#include "support/command_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <random>
#include <thread>

namespace bootbudget::test {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;

const char * const POLICY = R"(schema: bootbudget-policy/1
sampling: {warmup: 1, runs: {min: 50, max: 50}}
variants:
  - {name: nodebug, kind: nodebug, flavour: base}
  - {name: debug, kind: debug, flavour: base}
budgets:
  - {name: launch, variant: "*", metric: launch, limit: 10m, on_exceed: fail}
)";

class Interruption : public testing::TestWithParam<int> {};

TEST_P(Interruption, LeavesNothingAtTenRandomMoments) {
    const int signal = GetParam();
    const auto seed = std::random_device{}();
    RecordProperty("seed", static_cast<int>(seed));
    std::mt19937 random(seed);
    // From the reading of the packages over the building of the appliance to the end of the first boot.
    std::uniform_real_distribution<double> moment(0.02, 12.0);

    const Scratch scratch;
    // Too long for the names of UNIX sockets, which then are somewhere else, and must not stay there.
    const auto work = scratch.path() / "ein Arbeitsverzeichnis mit Leerzeichen – und größer als nötig";
    const auto results = scratch.path() / "results";
    const auto before = names_in("/tmp");
    fs::create_directory(work);
    fs::create_directory(results);
    const auto policy = scratch.write("policy.yaml", POLICY);
    const std::string kernels = BOOTBUDGET_FIXTURES "/kernels";
    const std::vector<std::string> arguments{
        "check", kernels, "-p", policy.string(), "-o", (results / "out").string(), "--work-dir", work.string()};
    for (int i = 0; i < 10; ++i) {
        const double seconds = moment(random);
        SCOPED_TRACE("seed " + std::to_string(seed) + ", after " + std::to_string(seconds) + " s");
        CommandRun run(scratch, arguments);
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
        ASSERT_FALSE(run.has_ended()) << run.err();
        ::kill(run.pid(), signal);
        const auto killed = std::chrono::steady_clock::now();
        ASSERT_TRUE(run.ends_within(5)) << "five seconds were not enough";
        const std::chrono::duration<double> used = std::chrono::steady_clock::now() - killed;
        EXPECT_THAT(processes_left_after(work, 5 - used.count()), IsEmpty());
        EXPECT_FALSE(fs::exists(results / "out"));
        if (signal == SIGKILL) {
            EXPECT_EQ(run.status(), 1000 + SIGKILL);
        } else {
            // Before the command has set up its signals it dies of them, and has left nothing either.
            EXPECT_THAT(run.status(), testing::AnyOf(128 + signal, 1000 + signal)) << run.err();
            EXPECT_THAT(names_in(work), IsEmpty());
            EXPECT_THAT(names_in(results), IsEmpty());
        }
    }
    // The next start sweeps: the work directory at once, an unfinished report when its place is wanted again.
    EXPECT_EQ(
        run_command(scratch, {"check", kernels, "-p", policy.string(), "--work-dir", work.string(), "-n"}).status, 0);
    EXPECT_THAT(names_in(work), IsEmpty());
    const auto left = names_in(results);
    CommandRun next(scratch, arguments);
    const auto swept = [&] {
        const auto now = names_in(results);  // its own unfinished report, and none of the earlier ones
        return now.size() == 1 && std::find(left.begin(), left.end(), now.front()) == left.end();
    };
    while (!swept() && !next.has_ended()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    ASSERT_FALSE(next.has_ended()) << next.err();
    ::kill(next.pid(), SIGTERM);
    EXPECT_THAT(processes_left_after(work, 5), IsEmpty());
    next.wait();
    EXPECT_THAT(names_in(results), IsEmpty());
    for (const auto & name : names_in("/tmp")) {
        const bool ours = name.rfind("bootbudget-", 0) == 0 || name.rfind("libguestfs", 0) == 0;
        EXPECT_TRUE(!ours || std::find(before.begin(), before.end(), name) != before.end())
            << name << " stayed in /tmp";
    }
}

INSTANTIATE_TEST_SUITE_P(
    Signals, Interruption, testing::Values(SIGINT, SIGTERM, SIGKILL), [](const testing::TestParamInfo<int> & each) {
        return std::string(sigabbrev_np(each.param));
    });

}  // namespace
}  // namespace bootbudget::test
