// SPDX-License-Identifier: GPL-2.0-or-later
// However a build ends: no rpmbuild, no half-filled directory of results.
#include "support/command_run.hpp"

#include <gmock/gmock.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <random>
#include <thread>

namespace bootbudget::test {
namespace {

namespace fs = std::filesystem;
using testing::IsEmpty;

const char * const SLOW_SPEC = R"(Name: slow
Version: 1
Release: 1
Summary: Takes its time
License: GPL-2.0-or-later
BuildArch: noarch
%description
Takes its time.
%prep
%build
for i in $(seq 600); do sleep 0.1; done
%install
%files
)";

class BuildInterruption : public testing::TestWithParam<int> {};

TEST_P(BuildInterruption, LeavesNothingAtRandomMoments) {
    const int signal = GetParam();
    const auto seed = std::random_device{}();
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> moment(0.02, 8.0);
    const Scratch scratch;
    const auto work = scratch.path() / "work";
    const auto results = scratch.path() / "results";
    fs::create_directory(work);
    fs::create_directory(results);
    const auto spec = scratch.write("slow.spec", SLOW_SPEC);
    for (int i = 0; i < 3; ++i) {
        const double seconds = moment(random);
        SCOPED_TRACE("seed " + std::to_string(seed) + ", after " + std::to_string(seconds) + " s");
        CommandRun run(
            scratch,
            {"build", spec.string(), "-o", (results / "RPMS").string(), "--nodeps", "--work-dir", work.string()});
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
        ASSERT_FALSE(run.has_ended()) << run.err();
        ::kill(run.pid(), signal);
        const auto killed = std::chrono::steady_clock::now();
        ASSERT_TRUE(run.ends_within(5)) << "five seconds were not enough";
        const std::chrono::duration<double> used = std::chrono::steady_clock::now() - killed;
        EXPECT_THAT(processes_left_after(work, 5 - used.count()), IsEmpty());
        EXPECT_FALSE(fs::exists(results / "RPMS"));
        if (signal != SIGKILL) {
            EXPECT_THAT(names_in(work), IsEmpty());
        }
    }
}

INSTANTIATE_TEST_SUITE_P(
    Signals,
    BuildInterruption,
    testing::Values(SIGINT, SIGTERM, SIGKILL),
    [](const testing::TestParamInfo<int> & each) { return std::string(sigabbrev_np(each.param)); });

}  // namespace
}  // namespace bootbudget::test
