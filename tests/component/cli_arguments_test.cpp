// SPDX-License-Identifier: GPL-2.0-or-later
// What the command answers before it does any work: misspellings, reports and policies that are not there, ignored signals, a full disk behind the help.
#include "support/command_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <csignal>
#include <nlohmann/json.hpp>

#include <chrono>
#include <filesystem>
#include <thread>

namespace bootbudget::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

using Words = std::vector<std::string>;

struct Case {
    Words arguments;
    std::string answer;
};

TEST(CliArguments, MisspellingsAreNamedWithWhatWasMeant) {
    const Scratch scratch;
    const std::vector<Case> cases = {
        {{"chekc"}, "There is no command \"chekc\"; did you mean \"check\"? bootbudget --help lists the commands."},
        {{"chekc", "RPMS", "-p", "x"}, "There is no command \"chekc\"; did you mean \"check\"?"},
        {{"zebra"}, "There is no command \"zebra\"; bootbudget --help lists the commands."},
        {{"policy", "chek", "x"}, "There is no command \"policy chek\"; did you mean \"policy check\"?"},
        {{"check", "RPMS", "--polcy", "x"}, "There is no option --polcy of check; did you mean --policy?"},
        {{"check", "--polcy=x"}, "There is no option --polcy of check; did you mean --policy?"},
        {{"doctor", "--colour", "never"}, "There is no option --colour of doctor; did you mean --color?"},
        {{"doctor", "--zebra"}, "There is no option --zebra of doctor; bootbudget doctor --help lists them."},
        {{"--versoin"}, "There is no option --versoin; did you mean --version?"},
        {{"doctor", "zebra"}, "\"zebra\""},
        {{"doctor", "--color", "alwys"}, "--color is \"alwys\"; expected auto, always or never."},
        {{"report", "x", "--format", "jnuit"}, "--format is \"jnuit\"; expected text, junit or json."},
        {{"check"}, "WHERE"},
        {{}, "bootbudget needs a command: check, build, report, policy, doctor"},
        {{"policy"}, "policy needs a command: check, suggest"}};
    for (const auto & [arguments, answer] : cases) {
        const auto run = run_command(scratch, arguments);
        EXPECT_EQ(run.status, 2) << answer;
        EXPECT_THAT(run.out, IsEmpty()) << answer;
        EXPECT_THAT(run.err, AllOf(StartsWith("bootbudget: "), HasSubstr(answer)));
    }
}

TEST(CliArguments, HelpNamesTheCommonOptionsAndAFullDiskIsAnError) {
    const Scratch scratch;
    for (const Words & command :
         {Words{"check"},
          Words{"build"},
          Words{"report"},
          Words{"policy"},
          Words{"policy", "check"},
          Words{"doctor"}}) {
        auto arguments = command;
        arguments.emplace_back("--help");
        const auto run = run_command(scratch, arguments);
        EXPECT_EQ(run.status, 0);
        EXPECT_THAT(run.out, HasSubstr("Options of every command: -q, -v, --color WHEN (bootbudget --help)."));
    }
    EXPECT_THAT(run_command(scratch, {"--help"}).out, HasSubstr("auto|always|never"));
    for (const char * word : {"--help", "--version"}) {
        const auto run = run_command(scratch, {word}, {"sh", "-c", "exec \"$@\" >/dev/full", "sh"});
        EXPECT_EQ(run.status, 3) << word;
        EXPECT_THAT(run.err, StartsWith("bootbudget: "));
    }
}

TEST(CliArguments, ReportThatIsNotThere) {
    const Scratch scratch;
    const auto directory = run_command(scratch, {"report", scratch.path().string()});
    EXPECT_EQ(directory.status, 2);
    EXPECT_EQ(
        directory.err,
        "bootbudget: There is no report.json in " + scratch.path().string() +
            "; give the directory that bootbudget check --output wrote, or its report.json.\n");
    for (const auto & name : {std::string(), std::string(5000, 'x'), std::string("no/such/report")}) {
        const auto run = run_command(scratch, {"report", name});
        EXPECT_EQ(run.status, 2) << run.err;
        EXPECT_THAT(run.err, AllOf(HasSubstr("There is no report"), Not(HasSubstr("bug"))));
    }
}

TEST(CliArguments, ReadyPolicyBeforeADirectoryOfThatName) {
    const Scratch scratch;
    fs::create_directory(scratch.path() / "demo");
    scratch.write("developer", "no policy at all");
    const Words in_scratch{"sh", "-c", "cd '" + scratch.path().string() + "' && exec \"$@\"", "sh"};
    for (const char * name : {"demo", "developer"}) {
        const auto run = run_command(scratch, {"policy", "check", name, "--json"}, in_scratch);
        ASSERT_EQ(run.status, 0) << run.err << run.out;
        const auto answer = nlohmann::json::parse(run.out);
        EXPECT_EQ(answer.at("schema"), "bootbudget-policy-check/1");
        EXPECT_EQ(answer.at("ok"), true);
    }
    EXPECT_EQ(run_command(scratch, {"policy", "check", "./developer"}, in_scratch).status, 2);
    const auto absent = run_command(scratch, {"policy", "check", "dmo"}, in_scratch);
    EXPECT_EQ(absent.status, 2);
    EXPECT_EQ(
        absent.err,
        "bootbudget: There is no policy \"dmo\": neither a file of that name nor one of the ready policies demo, "
        "developer, koji.\n");
}

TEST(CliArguments, SuggestedPoliciesCanBeChecked) {
    const Scratch scratch;
    const std::string report = BOOTBUDGET_TEST_DATA "/reports/all-pass.json";
    const auto suggested = run_command(scratch, {"policy", "suggest", report, "--margin", "0%"});
    ASSERT_EQ(suggested.status, 0) << suggested.err;
    scratch.write("suggested.yaml", suggested.out);
    const auto checked = run_command(scratch, {"policy", "check", (scratch.path() / "suggested.yaml").string()});
    EXPECT_EQ(checked.status, 0) << checked.out << suggested.out;
    EXPECT_NE(checked.out.find("2 variants, 5 budgets: no mistakes."), std::string::npos) << checked.out;
    for (const char * margin : {"10", "-1%", "1001%", "%", "", "x%"}) {
        const auto refused = run_command(scratch, {"policy", "suggest", report, std::string("--margin=") + margin});
        EXPECT_EQ(refused.status, 2) << margin;
        EXPECT_EQ(refused.out, "") << margin;
    }
    EXPECT_EQ(run_command(scratch, {"policy", "suggest", scratch.path().string()}).status, 2);
}

TEST(CliArguments, CommandAloneSaysWhereItLookedForPolicies) {
    const Scratch scratch;
    fs::create_directory(scratch.path() / "bin");
    const auto alone = scratch.path() / "bin" / "bootbudget";
    fs::copy_file(BOOTBUDGET_COMMAND, alone);
    // "$1" is the command of the build; the copy runs in its place.
    const auto run = run_command(
        scratch, {"policy", "check", "demo"}, {"sh", "-c", "shift; exec '" + alone.string() + "' \"$@\"", "sh"});
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(
        run.err,
        AllOf(
            HasSubstr("There is no file \"demo\", and no ready policies were found (looked in "),
            HasSubstr((scratch.path() / "bin" / "policies").string())));
}

TEST(CliArguments, DoctorReportsAMissingWorkDirectoryLikeAnythingElse) {
    const Scratch scratch;
    const auto run = run_command(scratch, {"doctor", "--work-dir", "/nope", "--json"});
    EXPECT_EQ(run.status, 3) << run.err;
    bool seen = false;
    const auto answer = nlohmann::json::parse(run.out);
    for (const auto & examination : answer.at("examinations")) {
        if (examination.at("what") == "work directory") {
            seen = true;
            EXPECT_EQ(examination.at("health"), "missing");
            EXPECT_EQ(examination.at("remedy"), "mkdir -p /nope, or choose another with --work-dir");
        }
    }
    EXPECT_TRUE(seen);
}

/// The signals of a mask in /proc/PID/status, such as "SigBlk".
unsigned long mask(pid_t pid, const std::string & name) {
    const auto status = slurp("/proc/" + std::to_string(pid) + "/status");
    const auto at = status.find(name + ":\t");
    return at == std::string::npos ? 0 : std::stoul(status.substr(at + name.size() + 2, 16), nullptr, 16);
}

TEST(CliArguments, SignalsThatWereIgnoredStayIgnored) {
    const Scratch scratch;
    const auto bit = [](int number) { return 1UL << static_cast<unsigned>(number - 1); };
    // The doctor's look at the machine takes long enough to read its masks.
    CommandRun run(scratch, {"doctor"}, {"sh", "-c", "trap '' HUP; exec \"$@\"", "sh"});
    // While it starts a program it blocks all signals for a moment; what counts is that SIGHUP is not among those it waits for.
    const auto waits_for_some = [&] {
        const auto blocked = mask(run.pid(), "SigBlk");
        return (blocked & bit(SIGTERM)) != 0 && (blocked & bit(SIGHUP)) == 0;
    };
    while (!run.has_ended() && !waits_for_some()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ASSERT_FALSE(run.has_ended()) << "it never waited for SIGTERM without SIGHUP, or was too quick to be looked at";
    EXPECT_NE(mask(run.pid(), "SigIgn") & bit(SIGHUP), 0U);
    ::kill(run.pid(), SIGHUP);
    run.wait();
    EXPECT_THAT(run.status(), testing::AnyOf(0, 3)) << run.err();
    EXPECT_THAT(run.out(), HasSubstr("bootbudget check can"));
}

}  // namespace
}  // namespace bootbudget::test
