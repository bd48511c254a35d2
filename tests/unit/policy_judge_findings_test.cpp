// SPDX-License-Identifier: GPL-2.0-or-later
// What is noticed in the consoles, and what the policy makes of it.
#include "policy_judge_examples.hpp"

#include <gmock/gmock.h>

using namespace bootbudget;
using namespace bootbudget::policy;
using testing::IsEmpty;

TEST_F(Judging, findings_are_told_once_with_the_number_of_boots) {
    policy_.budgets = {launch_budget("fast", "debug", 60)};
    policy_.findings = {{FindingKind::RCU_STALL, Consequence::WARN}};
    Variant debug = debug_;
    debug.samples[1].findings = {
        {FindingKind::RCU_STALL, "rcu: INFO: first", 7},
        {FindingKind::RCU_STALL, "rcu: INFO: second", 9},
        {FindingKind::OOM, "oom", 11}};
    debug.samples[3].findings = {{FindingKind::RCU_STALL, "rcu: INFO: third", 3}};
    auto judged = judge({debug});
    ASSERT_EQ(judged.findings.size(), 2U);
    EXPECT_EQ(judged.findings[0].finding.line, "rcu: INFO: first");
    EXPECT_EQ(judged.findings[0].sample, 1);
    EXPECT_EQ(judged.findings[0].count, 2);
    EXPECT_EQ(judged.findings[0].consequence, "warn");
    EXPECT_EQ(judged.findings[1].consequence, "note");
    EXPECT_EQ(judged.verdict, Verdict::WARN);
    EXPECT_EQ(judged.exit_status, 0);
    policy_.findings[FindingKind::RCU_STALL] = Consequence::FAIL;
    judged = judge({debug});
    EXPECT_EQ(judged.budgets.front().verdict, Verdict::PASS);
    EXPECT_EQ(judged.verdict, Verdict::FAIL);
    EXPECT_EQ(judged.exit_status, 1);
}

TEST_F(Judging, findings_of_another_kernel_are_not_this_variants) {
    policy_.findings = {{FindingKind::KASAN_REPORT, Consequence::FAIL}};
    Sample wrong = failed(Outcome::WRONG_KERNEL);
    wrong.findings = {{FindingKind::KASAN_REPORT, "BUG: KASAN", 1}};
    EXPECT_THAT(judge({variant("debug", {wrong})}).findings, IsEmpty());
    Variant debug = debug_;
    debug.samples[0].findings = {{FindingKind::KASAN_REPORT, "BUG: KASAN", 1}};  // the warm-up boot's counts
    EXPECT_EQ(judge({debug}).verdict, Verdict::FAIL);
}

TEST_F(Judging, findings_fail_warn_or_are_noted) {
    policy_.budgets = {launch_budget("fast", "debug", 60)};
    Variant debug = debug_;
    debug.samples[2].findings = {{FindingKind::SOFT_LOCKUP, "watchdog: BUG: soft lockup", 7}};
    const auto with = [&](Consequence consequence) {
        policy_.findings[FindingKind::SOFT_LOCKUP] = consequence;
        return judge({debug});
    };
    EXPECT_EQ(with(Consequence::NOTE).verdict, Verdict::PASS);
    EXPECT_EQ(with(Consequence::NOTE).findings.at(0).consequence, "note");
    EXPECT_EQ(with(Consequence::WARN).verdict, Verdict::WARN);
    EXPECT_EQ(with(Consequence::WARN).exit_status, 0);
    EXPECT_EQ(with(Consequence::FAIL).verdict, Verdict::FAIL);
    EXPECT_EQ(with(Consequence::FAIL).exit_status, 1);
}

TEST_F(Judging, findings_of_counted_boots_count_with_those_of_timed_ones) {
    policy_.budgets = {instruction_budget("debug", 2e9)};
    policy_.findings = {{FindingKind::LOCKDEP_REPORT, Consequence::FAIL}};
    Variant debug = variant("debug", counted_boots({1.38e9, 1.381e9}));
    debug.samples.push_back(boot(29));
    debug.samples[1].findings = {{FindingKind::LOCKDEP_REPORT, "WARNING: possible circular locking", 5}};
    debug.samples[3].findings = debug.samples[1].findings;
    const auto judged = judge({debug});
    ASSERT_EQ(judged.findings.size(), 1U);
    EXPECT_EQ(judged.findings[0].count, 2);
    EXPECT_EQ(judged.verdict, Verdict::FAIL);
    EXPECT_EQ(only(judged).verdict, Verdict::PASS);
}

// They are the old kernel's: to be read, but no reason to hold the new one back.
TEST_F(Judging, findings_of_the_build_against_are_noted_and_never_fail) {
    policy_.budgets = {against_budget("debug", "launch", 2)};
    policy_.findings = {{FindingKind::KASAN_REPORT, Consequence::FAIL}};
    Variant old = against("debug", boots({29, 29.5, 28.8}));
    old.samples[1].findings = {{FindingKind::KASAN_REPORT, "BUG: KASAN", 1}};
    const auto judged = judge({debug_, old});
    ASSERT_EQ(judged.findings.size(), 1U);
    EXPECT_EQ(judged.findings[0].consequence, "note");
    EXPECT_EQ(judged.findings[0].release, old.release);
    EXPECT_EQ(judged.verdict, Verdict::PASS);
}
