// SPDX-License-Identifier: GPL-2.0-or-later
// Budgets against the second build: which variant is the baseline, and what happens where there is none.
#include "policy_judge_examples.hpp"

#include <gmock/gmock.h>

using namespace bootbudget;
using namespace bootbudget::policy;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

/// A kernel that was never booted, and never will be.
Variant not_booted(Variant variant) {
    variant.samples.clear();
    variant.not_booted = "It has no virtio_blk.";
    return variant;
}

class JudgingNeeds : public Judging {
protected:
    /// "timed", "counted", "timedcounted" or nothing for each.
    std::vector<std::string> needs(const std::vector<Variant> & variants) const {
        std::vector<std::string> words;
        for (const auto & need : needs_of(policy_, variants, "x86_64")) {
            words.push_back(std::string(need.timed ? "timed" : "") + (need.counted ? "counted" : ""));
        }
        return words;
    }
};

}  // namespace

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
    const auto judged = judge({nodebug_, debug_, against("debug", boots({29.0, 29.6, 28.7}))}, Last::NO);
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

TEST_F(JudgingNeeds, follow_from_the_budgets) {
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

TEST_F(JudgingNeeds, none_for_a_kernel_that_never_boots_nor_for_its_partner) {
    policy_.budgets = {ratio_budget(2)};
    const auto never = not_booted(debug_);
    const auto fresh = variant("nodebug", {});
    EXPECT_THAT(needs({never, fresh}), ElementsAre("", ""));
    auto judged = judge({never, nodebug_}, Last::NO);
    EXPECT_THAT(judged.wanted, IsEmpty());
    EXPECT_EQ(only(judged).verdict, Verdict::ERROR);
    EXPECT_EQ(only(judged).why, "could not be measured: variant \"debug\" could not be booted: It has no virtio_blk.");
    EXPECT_EQ(judge({never, fresh}).budgets.size(), 1U) << "nobody asked the other for boots";

    EXPECT_THAT(needs({debug_, not_booted(nodebug_)}), ElementsAre("", ""));
    EXPECT_EQ(only(judge({debug_, not_booted(nodebug_)}, Last::NO)).verdict, Verdict::ERROR);
    policy_.budgets.push_back(launch_budget("fast", "debug", 60));
    EXPECT_THAT(needs({debug_, not_booted(nodebug_)}), ElementsAre("timed", ""));
    judged = judge({debug_, not_booted(nodebug_)}, Last::NO);
    EXPECT_EQ(judged.budgets[0].verdict, Verdict::ERROR);
    EXPECT_EQ(judged.budgets[1].verdict, Verdict::PASS);
}

TEST_F(JudgingNeeds, none_for_a_second_build_that_never_boots) {
    policy_.budgets = {against_budget("debug", "launch", 1.03)};
    EXPECT_THAT(needs({variant("debug", {}), not_booted(against("debug", {}))}), ElementsAre("", ""));
    EXPECT_THAT(needs({not_booted(debug_), against("debug", {})}), ElementsAre("", ""));
}

// Where a kernel of the build under test cannot be told apart, any variant may be missing; an old kernel is only something to compare with.
TEST_F(Judging, a_kernel_of_unknown_kind_is_an_error_of_the_build_under_test_only) {
    policy_.budgets = {launch_budget("fast", "debug", 60)};
    Variant unknown = not_booted(variant("", {}));
    unknown.kind = Kind::UNKNOWN;
    ASSERT_EQ(judge({debug_, unknown}).budgets.size(), 2U);
    EXPECT_EQ(judge({debug_, unknown}).budgets[1].verdict, Verdict::ERROR);
    unknown.build = BuildRole::AGAINST;
    EXPECT_EQ(judge({debug_, unknown}).budgets.size(), 1U);
    EXPECT_EQ(judge({debug_, unknown}).verdict, Verdict::PASS);
}
