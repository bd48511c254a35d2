// SPDX-License-Identifier: GPL-2.0-or-later
// From samples to verdicts: each rule of the policy's page, with the sentence that the user reads.
#include "policy_judge_examples.hpp"

#include <gmock/gmock.h>

using namespace bootbudget;
using namespace bootbudget::policy;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(Judging, kept_budget_passes_and_says_by_how_much) {
    policy_.budgets = {launch_budget("fast", "debug", 60)};
    const auto judged = judge({debug_, nodebug_});
    const auto result = only(judged);
    EXPECT_EQ(result.verdict, Verdict::PASS);
    EXPECT_THAT(
        result.why,
        testing::MatchesRegex("29.1 s ± 0.4 s keeps the limit of 60 s \\(upper bound 3[0-9.]+ s at 95 %, 3 boots\\)"));
    EXPECT_NEAR(result.estimate.value(), 29.1, 1e-9);
    EXPECT_LE(result.interval_high.value(), 60);
    EXPECT_EQ(result.on_exceed, "fail");
    EXPECT_EQ(judged.verdict, Verdict::PASS);
    EXPECT_EQ(judged.exit_status, 0);
    EXPECT_THAT(judged.wanted, IsEmpty());
}

TEST_F(Judging, exceeded_budget_has_its_consequence) {
    policy_.budgets = {launch_budget("fast", "debug", 20)};
    auto judged = judge({debug_});
    EXPECT_EQ(only(judged).verdict, Verdict::FAIL);
    EXPECT_THAT(only(judged).why, HasSubstr("exceeds the limit of 20 s (lower bound 2"));
    EXPECT_EQ(judged.exit_status, 1);
    policy_.budgets[0].on_exceed = Consequence::WARN;
    judged = judge({debug_});
    EXPECT_EQ(only(judged).verdict, Verdict::WARN);
    EXPECT_EQ(judged.verdict, Verdict::WARN);
    EXPECT_EQ(judged.exit_status, 0);
}

TEST_F(Judging, ratio_compares_with_the_baseline_of_the_same_run) {
    policy_.budgets = {ratio_budget(2)};
    const auto result = only(judge({debug_, nodebug_}));
    EXPECT_EQ(result.verdict, Verdict::WARN);
    EXPECT_EQ(result.baseline, "variant nodebug");
    EXPECT_NEAR(result.estimate.value(), 2.91, 0.01);
    EXPECT_THAT(
        result.why,
        testing::MatchesRegex(
            "2.91x of variant \"nodebug\" exceeds the limit of 2x \\(lower bound 2.[0-9]+x at 95 %, 3 boots each\\)"));
}

TEST_F(Judging, missing_baseline_is_skipped_and_never_a_ratio_of_one) {
    policy_.budgets = {ratio_budget(2)};
    auto judged = judge({debug_});
    EXPECT_EQ(only(judged).verdict, Verdict::SKIPPED);
    EXPECT_EQ(only(judged).why, "skipped: no kernel of the build is variant \"nodebug\" to compare with");
    EXPECT_FALSE(only(judged).estimate);
    EXPECT_EQ(judged.verdict, Verdict::SKIPPED);
    EXPECT_EQ(judged.exit_status, 0);
    policy_.variants[1].required = true;
    judged = judge({debug_});
    EXPECT_EQ(judged.budgets.front().verdict, Verdict::ERROR);
    EXPECT_EQ(judged.verdict, Verdict::ERROR);
    EXPECT_EQ(judged.exit_status, 3);
}

TEST_F(Judging, missing_variant_is_skipped_unless_it_is_required) {
    policy_.budgets = {launch_budget("fast", "debug", 60)};
    auto judged = judge({nodebug_});
    EXPECT_EQ(only(judged).verdict, Verdict::SKIPPED);
    EXPECT_THAT(only(judged).why, HasSubstr("no kernel of the build is variant \"debug\""));
    policy_.variants[0].required = true;
    judged = judge({nodebug_});
    EXPECT_EQ(only(judged).verdict, Verdict::ERROR);
    EXPECT_THAT(only(judged).why, HasSubstr("which the policy requires"));
    EXPECT_EQ(judged.exit_status, 3);
}

TEST_F(Judging, required_variant_is_missed_even_without_a_budget) {
    policy_.budgets = {launch_budget("fast", "debug", 60)};
    policy_.variants[1].required = true;
    auto judged = judge({debug_});
    ASSERT_EQ(judged.budgets.size(), 2U);
    EXPECT_EQ(judged.budgets[1].name, "variant nodebug is present");
    EXPECT_EQ(judged.budgets[1].variant, "nodebug");
    EXPECT_EQ(judged.verdict, Verdict::ERROR);
    policy_.variants[1].arches = {"s390x"};  // not expected on this machine
    judged = judge({debug_});
    EXPECT_EQ(judged.budgets.size(), 1U);
    EXPECT_EQ(judged.verdict, Verdict::PASS);
}

TEST_F(Judging, a_waiver_waives_the_budget_and_not_the_missing_kernel) {
    policy_.budgets = {launch_budget("fast", "debug", 60)};
    policy_.variants[0].required = true;
    policy_.waivers = {{"fast", {"2027-01-01", "Known."}, {}}};
    EXPECT_EQ(judge({nodebug_}).verdict, Verdict::ERROR);
}

TEST_F(Judging, architectures_leave_budgets_out) {
    policy_.budgets = {launch_budget("fast", "debug", 60)};
    policy_.budgets[0].arches = {"aarch64", "s390x"};
    EXPECT_EQ(only(judge({debug_})).why, "skipped: the budget is for aarch64 and s390x, this machine is x86_64");
    policy_.budgets[0].arches = {"x86_64"};
    EXPECT_EQ(only(judge({debug_})).verdict, Verdict::PASS);
    policy_.variants[0].arches = {"aarch64"};
    EXPECT_EQ(only(judge({nodebug_})).why, "skipped: variant \"debug\" is for aarch64, this machine is x86_64");
}

TEST_F(Judging, star_is_every_measured_variant_but_the_baseline) {
    policy_.budgets = {launch_budget("fast", "*", 60)};
    auto judged = judge({debug_, nodebug_});
    ASSERT_EQ(judged.budgets.size(), 2U);
    EXPECT_EQ(judged.budgets[0].variant, "debug");
    EXPECT_EQ(judged.budgets[1].variant, "nodebug");
    EXPECT_EQ(judge({nodebug_}).budgets.size(), 1U);
    policy_.budgets = {ratio_budget(5)};
    policy_.budgets[0].variant = "*";
    judged = judge({debug_, nodebug_});
    ASSERT_EQ(judged.budgets.size(), 1U);
    EXPECT_EQ(judged.budgets[0].variant, "debug");
    EXPECT_THAT(only(judge({nodebug_})).why, HasSubstr("no variant was measured"));
}

TEST_F(Judging, one_panic_after_the_warm_up_is_an_error_however_fast_the_others_were) {
    policy_.budgets = {launch_budget("fast", "debug", 60), ratio_budget(5)};
    auto samples = boots({29, 29.1});
    samples.push_back(failed(Outcome::PANIC, "Kernel panic - not syncing: Attempted to kill init!"));
    const auto judged = judge({variant("debug", samples), nodebug_});
    for (const auto & result : judged.budgets) {
        EXPECT_EQ(result.verdict, Verdict::ERROR);
        EXPECT_EQ(
            result.why,
            "could not be measured: boot 3 of variant \"debug\" ended in panic: Kernel panic - not syncing: Attempted "
            "to kill init!");
        EXPECT_FALSE(result.estimate);
    }
    EXPECT_EQ(judged.budgets.size(), 2U);
    EXPECT_EQ(judged.exit_status, 3);
}

TEST_F(Judging, every_bad_outcome_is_an_error) {
    policy_.budgets = {launch_budget("fast", "debug", 60)};
    for (const auto outcome :
         {Outcome::PANIC,
          Outcome::STALL,
          Outcome::NO_KERNEL_OUTPUT,
          Outcome::WRONG_KERNEL,
          Outcome::QEMU_FAILED,
          Outcome::APPLIANCE_FAILED,
          Outcome::TOOL_FAILED}) {
        auto samples = boots({29, 29.1, 29.2});
        samples.push_back(failed(outcome));
        const auto result = only(judge({variant("debug", samples)}));
        EXPECT_EQ(result.verdict, Verdict::ERROR);
        EXPECT_THAT(result.why, HasSubstr(std::string(to_string(outcome))));
    }
}

TEST_F(Judging, a_failed_baseline_is_an_error_of_the_ratio) {
    policy_.budgets = {ratio_budget(5)};
    const auto judged = judge({debug_, variant("nodebug", {failed(Outcome::STALL)})});
    EXPECT_EQ(judged.budgets.front().verdict, Verdict::ERROR);
    EXPECT_THAT(judged.budgets.front().why, HasSubstr("variant \"nodebug\" ended in stall"));
}

TEST_F(Judging, a_failed_warm_up_alone_spoils_nothing) {
    policy_.budgets = {launch_budget("fast", "debug", 60)};
    Variant debug = debug_;
    debug.samples[0].outcome = Outcome::PANIC;
    debug.samples[0].valid = false;
    EXPECT_EQ(only(judge({debug})).verdict, Verdict::PASS);
    debug.samples.resize(1);
    debug.samples[0].detail = "Oops.";
    const auto result = only(judge({debug}));
    EXPECT_EQ(result.verdict, Verdict::ERROR);
    EXPECT_EQ(
        result.why,
        "could not be measured: variant \"debug\" has no boot to judge: its warm-up boot ended in panic: Oops");
}

TEST_F(Judging, a_launch_cut_off_above_the_limit_exceeds_it) {
    policy_.budgets = {launch_budget("fast", "debug", 60), launch_budget("patient", "debug", 300)};
    auto memory = launch_budget("memory", "debug", 0);
    memory.metric = "memory";
    memory.limit = {1e9, Unit::BYTES};
    policy_.budgets.push_back(memory);
    Sample cut_off = failed(Outcome::LAUNCH_TIMEOUT, "The launch was cut off after 120 s.");
    cut_off.cut_off_seconds = 120;
    const auto judged = judge({variant("debug", {boot(30), cut_off})});
    ASSERT_EQ(judged.budgets.size(), 3U);
    EXPECT_EQ(judged.budgets[0].verdict, Verdict::FAIL);
    EXPECT_EQ(
        judged.budgets[0].why,
        "exceeds the limit of 60 s by its own evidence: boot 2 was cut off after 2 min, still launching");
    EXPECT_EQ(judged.budgets[1].verdict, Verdict::ERROR);
    EXPECT_THAT(judged.budgets[1].why, HasSubstr("launch_timeout"));
    EXPECT_EQ(judged.budgets[2].verdict, Verdict::ERROR);
    EXPECT_EQ(judged.exit_status, 1);
}

TEST_F(Judging, a_cut_off_launch_is_no_number_for_a_ratio) {
    policy_.budgets = {ratio_budget(2)};
    Sample cut_off = failed(Outcome::LAUNCH_TIMEOUT);
    cut_off.cut_off_seconds = 600;
    EXPECT_EQ(judge({variant("debug", {cut_off}), nodebug_}).budgets.front().verdict, Verdict::ERROR);
}

TEST_F(Judging, a_value_that_some_boot_lacks_is_an_error) {
    policy_.budgets = {launch_budget("fast", "debug", 60)};
    policy_.budgets[0].metric = "shutdown";
    const auto result = only(judge({debug_}));
    EXPECT_EQ(result.verdict, Verdict::ERROR);
    EXPECT_THAT(result.why, HasSubstr("not every boot of variant \"debug\" gave a value for shutdown"));
}

TEST_F(Judging, a_close_case_stays_open_until_the_last_boot) {
    policy_.budgets = {launch_budget("fast", "debug", 30)};
    const Variant close = variant("debug", boots({28, 30.5, 31}));
    auto judged = judge({close, nodebug_}, Last::NO);
    EXPECT_FALSE(judged.wanted.empty());
    EXPECT_THAT(judged.wanted, ElementsAre(Wanted{0, Mode::TIMED}));
    EXPECT_THAT(
        only(judged).why,
        AllOf(HasSubstr("still open after 3 boots: between "), HasSubstr("; up to 2 more boots may follow")));
    judged = judge({close, nodebug_}, Last::YES);
    EXPECT_THAT(judged.wanted, IsEmpty());
    EXPECT_EQ(only(judged).verdict, Verdict::INCONCLUSIVE);
    EXPECT_THAT(
        only(judged).why,
        AllOf(HasSubstr("more boots would probably settle it (the run ended before sampling.runs.max)")));
    EXPECT_EQ(judged.verdict, Verdict::INCONCLUSIVE);
    EXPECT_EQ(judged.exit_status, 0);
    policy_.on_inconclusive = Consequence::FAIL;
    EXPECT_EQ(judge({close}, Last::YES).exit_status, 4);
}

TEST_F(Judging, no_more_boots_are_asked_for_than_allowed) {
    policy_.budgets = {launch_budget("fast", "debug", 30)};
    const auto judged = judge({variant("debug", boots({28, 30.5, 31, 29, 30}))}, Last::NO);
    EXPECT_THAT(judged.wanted, IsEmpty());
    EXPECT_EQ(only(judged).verdict, Verdict::INCONCLUSIVE);
    EXPECT_THAT(only(judged).why, HasSubstr("(sampling.runs.max)"));
}

TEST_F(Judging, an_open_ratio_needs_both_sides) {
    policy_.budgets = {ratio_budget(2.9)};
    const auto judged = judge({debug_, nodebug_}, Last::NO);
    EXPECT_THAT(judged.wanted, ElementsAre(Wanted{0, Mode::TIMED}, Wanted{1, Mode::TIMED}));
}

TEST_F(Judging, nothing_is_judged_before_the_first_look) {
    policy_.budgets = {launch_budget("fast", "debug", 60)};
    auto judged = judge({variant("debug", boots({29, 29.1}))}, Last::NO);
    EXPECT_FALSE(judged.wanted.empty());
    EXPECT_EQ(only(judged).verdict, Verdict::INCONCLUSIVE);
    judged = judge({variant("debug", {})}, Last::NO);
    EXPECT_FALSE(judged.wanted.empty());
    judged = judge({variant("debug", boots({29, 29.1}))}, Last::YES);
    EXPECT_EQ(
        only(judged).why,
        "still open after 2 boots: too few to say on which side of the limit of 60 s it is; the policy's least is 3");
}

TEST_F(Judging, what_a_look_has_settled_stays_settled) {
    policy_.budgets = {launch_budget("fast", "debug", 31)};
    ASSERT_EQ(only(judge({debug_}, Last::NO)).verdict, Verdict::PASS);
    const auto later = only(judge({variant("debug", boots({29.0, 29.5, 28.8, 45, 20}))}, Last::YES));
    EXPECT_EQ(later.verdict, Verdict::PASS);
    EXPECT_THAT(later.why, HasSubstr("3 boots"));
}

TEST_F(Judging, more_comparisons_need_more_evidence) {
    policy_.budgets = {launch_budget("fast", "debug", 30.5)};
    const double alone = only(judge({debug_})).interval_high.value();
    for (int i = 0; i < 9; ++i) {
        policy_.budgets.push_back(launch_budget("other", "nodebug", 60));
    }
    EXPECT_GT(judge({debug_, nodebug_}).budgets.front().interval_high.value(), alone);
    EXPECT_DOUBLE_EQ(judge({debug_}).budgets.front().interval_high.value(), alone);  // the nine are skipped
}

TEST_F(Judging, boots_that_the_user_cut_short_do_not_count) {
    policy_.budgets = {launch_budget("fast", "debug", 60)};
    auto samples = boots({29, 29.1, 29.2});
    samples.push_back(failed(Outcome::CANCELLED));
    EXPECT_EQ(only(judge({variant("debug", samples)})).verdict, Verdict::PASS);
}

TEST_F(Judging, a_waived_budget_keeps_its_verdict_and_counts_as_a_warning) {
    policy_.budgets = {launch_budget("fast", "debug", 20)};
    policy_.waivers = {{"fast", {"2026-11-30", "Known."}, {}}};  // its last day, inclusive
    auto judged = judge({debug_});
    EXPECT_EQ(only(judged).verdict, Verdict::FAIL);
    ASSERT_TRUE(only(judged).waived);
    EXPECT_EQ(only(judged).waived->reason, "Known.");
    EXPECT_EQ(judged.verdict, Verdict::WARN);
    EXPECT_EQ(judged.exit_status, 0);
    policy_.waivers[0].waiver.until = "2026-11-29";
    judged = judge({debug_});
    EXPECT_FALSE(only(judged).waived);
    EXPECT_THAT(only(judged).why, testing::EndsWith("; its waiver ended on 2026-11-29"));
    EXPECT_EQ(judged.exit_status, 1);
    policy_.waivers[0].waiver.until = "2027-01-01";
    policy_.waivers[0].arches = {"s390x"};
    EXPECT_EQ(judge({debug_}).exit_status, 1);
}

TEST_F(Judging, a_waiver_that_is_not_needed_warns_of_nothing) {
    policy_.budgets = {launch_budget("fast", "debug", 60)};
    policy_.waivers = {{"fast", {"2027-01-01", "Known."}, {}}};
    const auto judged = judge({debug_});
    EXPECT_TRUE(only(judged).waived);
    EXPECT_EQ(judged.verdict, Verdict::PASS);
}

TEST_F(Judging, a_waiver_does_not_hide_a_panic) {
    policy_.budgets = {launch_budget("fast", "debug", 60)};
    policy_.waivers = {{"fast", {"2027-01-01", "Known."}, {}}};
    const auto judged = judge({variant("debug", {failed(Outcome::PANIC, "Oops.")})});
    ASSERT_EQ(judged.budgets.size(), 2U);
    EXPECT_EQ(judged.budgets[1].name, "variant debug boots");
    EXPECT_EQ(judged.budgets[1].why, "boot 1 of variant \"debug\" ended in panic: Oops");
    EXPECT_EQ(judged.exit_status, 3);
}

TEST_F(Judging, a_variant_that_does_not_boot_is_an_error_even_without_a_budget) {
    policy_.budgets = {launch_budget("fast", "debug", 60)};
    const auto judged = judge({debug_, variant("nodebug", {failed(Outcome::STALL)})});
    ASSERT_EQ(judged.budgets.size(), 2U);
    EXPECT_EQ(judged.budgets[1].name, "variant nodebug boots");
    EXPECT_EQ(judged.verdict, Verdict::ERROR);
}

TEST_F(Judging, errors_may_be_told_not_to_fail_the_check) {
    policy_.budgets = {launch_budget("fast", "debug", 60)};
    policy_.on_error = Consequence::WARN;
    const auto judged = judge({variant("debug", {failed(Outcome::PANIC)})});
    EXPECT_EQ(judged.verdict, Verdict::ERROR);
    EXPECT_EQ(judged.exit_status, 0);
}

TEST_F(Judging, the_worst_decides) {
    policy_.on_inconclusive = Consequence::FAIL;
    policy_.budgets = {launch_budget("kept", "nodebug", 60), launch_budget("close", "nodebug", 10.0)};
    auto judged = judge({nodebug_});
    EXPECT_EQ(judged.verdict, Verdict::INCONCLUSIVE);
    EXPECT_EQ(judged.exit_status, 4);
    policy_.variants[0].required = true;
    policy_.budgets.push_back(launch_budget("missing", "debug", 60));
    judged = judge({nodebug_});
    EXPECT_EQ(judged.verdict, Verdict::ERROR);
    EXPECT_EQ(judged.exit_status, 3);
    policy_.budgets.push_back(launch_budget("over", "nodebug", 5));
    judged = judge({nodebug_});
    EXPECT_EQ(judged.verdict, Verdict::FAIL);
    EXPECT_EQ(judged.exit_status, 1);
}

TEST_F(Judging, a_median_is_judged_by_order_statistics) {
    policy_.sampling.runs_max = 15;
    policy_.budgets = {launch_budget("steady", "debug", 31)};
    policy_.budgets[0].statistic = measure::Statistic::MEDIAN;
    const auto result = only(
        judge({variant("debug", boots({29, 29.1, 29.2, 29.3, 29.4, 29.5, 29.6, 29.7, 29.8, 29.9, 60}))}, Last::YES));
    EXPECT_EQ(result.verdict, Verdict::PASS);
    EXPECT_THAT(result.why, HasSubstr("a median of 29.4 s keeps the limit of 31 s"));
}

TEST(Summarise, takes_valid_boots_after_the_warm_up) {
    auto samples = boots({10, 12});
    samples.push_back(failed(Outcome::PANIC));
    samples.back().metrics["launch"] = {500, Unit::SECONDS};
    std::vector<Variant> variants{variant("debug", samples), variant("nodebug", {})};
    policy::summarise(variants, 0.95);
    ASSERT_TRUE(variants[0].summary.contains("launch"));
    EXPECT_EQ(variants[0].summary["launch"].n, 2);
    EXPECT_DOUBLE_EQ(variants[0].summary["launch"].mean, 11);
    EXPECT_EQ(variants[0].summary["memory"].unit, Unit::BYTES);
    EXPECT_TRUE(variants[1].summary.empty());
}
