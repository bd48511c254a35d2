// SPDX-License-Identifier: GPL-2.0-or-later
// Budgets against the second build: which variant is the baseline, and what happens where there is none.
#include "policy_judge_examples.hpp"

#include <gmock/gmock.h>

using namespace bootbudget;
using namespace bootbudget::policy;
using testing::ElementsAre;
using testing::HasSubstr;

TEST_F(Judging, the_build_against_is_the_baseline_of_the_same_variant) {
    policy_.budgets = {against_budget("debug", "launch", 1.03)};
    const auto old = against("debug", boots({20.0, 20.5, 19.8}));
    const auto judged = judge({debug_, nodebug_, old, against("nodebug", boots({1, 1, 1}))});
    const auto result = only(judged);
    EXPECT_EQ(result.verdict, Verdict::FAIL);
    EXPECT_EQ(result.baseline, "build against");
    EXPECT_NEAR(result.estimate.value(), 1.448, 0.005);
    EXPECT_THAT(
        result.why,
        testing::MatchesRegex("1.45x of the build against exceeds the limit of 1.03x \\(lower bound 1.[0-9]+x at 95 %, "
                              "3 boots each\\)"));
}

TEST_F(Judging, an_open_comparison_wants_both_builds) {
    policy_.budgets = {against_budget("debug", "launch", 1.0)};
    const auto judged = judge({nodebug_, debug_, against("debug", boots({29.0, 29.6, 28.7}))}, false);
    EXPECT_THAT(judged.wanted, ElementsAre(Wanted{1, Mode::TIMED}, Wanted{2, Mode::TIMED}));
}

TEST_F(Judging, without_a_build_against_it_is_skipped_or_missed) {
    policy_.budgets = {against_budget("debug", "launch", 1.03)};
    EXPECT_EQ(only(judge({debug_})).verdict, Verdict::SKIPPED);
    EXPECT_EQ(only(judge({debug_})).why, "skipped: there is no build to compare with (--against)");
    const auto other = against("nodebug", boots({10, 10, 10}));
    EXPECT_EQ(
        only(judge({debug_, other})).why,
        "skipped: no kernel of the build against is variant \"debug\" to compare with");
    policy_.variants[0].required = true;
    EXPECT_EQ(judge({debug_}).budgets.front().verdict, Verdict::SKIPPED) << "nobody asked for a comparison";
    EXPECT_EQ(judge({debug_, other}).budgets.front().verdict, Verdict::ERROR);
    EXPECT_THAT(judge({debug_, other}).budgets.front().why, HasSubstr("no kernel of the build against is"));
}

TEST_F(Judging, star_compares_each_variant_with_its_namesake) {
    policy_.budgets = {against_budget("*", "launch", 1.5)};
    const auto judged =
        judge({debug_, nodebug_, against("nodebug", boots({10, 10.1, 9.9})), against("debug", boots({29, 29.2, 29}))});
    ASSERT_EQ(judged.budgets.size(), 2U);
    for (const auto & result : judged.budgets) {
        EXPECT_EQ(result.verdict, Verdict::PASS);
        EXPECT_NEAR(result.estimate.value(), 1, 0.01);
    }
}

TEST_F(Judging, a_variant_of_the_build_against_that_fails_is_named_with_its_build) {
    policy_.budgets = {against_budget("debug", "launch", 1.03), launch_budget("fast", "debug", 60)};
    const auto judged = judge({debug_, against("debug", {failed(Outcome::PANIC, "Oops.")})});
    ASSERT_EQ(judged.budgets.size(), 2U);
    EXPECT_EQ(judged.budgets[0].verdict, Verdict::ERROR);
    EXPECT_EQ(
        judged.budgets[0].why,
        "could not be measured: boot 1 of variant \"debug\" of the build against ended in panic: Oops");
    EXPECT_EQ(judged.budgets[1].verdict, Verdict::PASS);
}

TEST_F(Judging, needs_follow_from_the_budgets) {
    const auto needs = [&](const std::vector<Variant> & variants) {
        std::vector<std::string> words;
        for (const auto & need : needs_of(policy_, variants, "x86_64")) {
            words.push_back(std::string(need.timed ? "timed" : "") + (need.counted ? "counted" : ""));
        }
        return words;
    };
    Variant unnamed = debug_;
    unnamed.name.clear();
    const std::vector<Variant> variants{debug_, nodebug_, unnamed, against("debug", {}), against("nodebug", {})};
    policy_.budgets = {instruction_budget("debug", 2e9)};
    EXPECT_THAT(needs(variants), ElementsAre("counted", "timed", "", "counted", "timed"));
    policy_.budgets.push_back(against_budget("nodebug", "launch", 1.03));
    EXPECT_THAT(needs(variants), ElementsAre("counted", "timed", "", "counted", "timed"));
    policy_.budgets.push_back(against_budget("*", "instructions", 1.03));
    EXPECT_THAT(needs(variants), ElementsAre("counted", "timedcounted", "", "counted", "timedcounted"));
}
