// SPDX-License-Identifier: GPL-2.0-or-later
// Instruction budgets: two counted boots that agree are enough, and what happens where they do not.
#include "policy_judge_examples.hpp"

#include <gmock/gmock.h>

using namespace bootbudget;
using namespace bootbudget::policy;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

const std::string TOTAL_TIMEOUT = "60 min";  // the policy's default

}  // namespace

TEST_F(Judging, two_counted_boots_that_agree_are_enough) {
    policy_.budgets = {instruction_budget("debug", 1.5e9)};
    const auto judged = judge({variant("debug", counted_boots({1.380e9, 1.382e9}))}, Last::NO);
    EXPECT_EQ(only(judged).verdict, Verdict::PASS);
    EXPECT_EQ(
        only(judged).why,
        "1.381 G keeps the limit of 1.5 G (upper bound 1.388 G by the tolerance of 0.5 %, 2 counted boots that agree "
        "within 0.5 %)");
    EXPECT_THAT(judged.wanted, IsEmpty());
    policy_.budgets = {instruction_budget("debug", 1.3e9)};
    EXPECT_EQ(only(judge({variant("debug", counted_boots({1.380e9, 1.382e9}))})).verdict, Verdict::FAIL);
}

TEST_F(Judging, counted_boots_that_disagree_want_more_of_them) {
    policy_.budgets = {instruction_budget("debug", 1.5e9)};
    auto judged = judge({variant("debug", counted_boots({1.380e9, 1.395e9}))}, Last::NO);
    EXPECT_THAT(judged.wanted, ElementsAre(Wanted{0, Mode::COUNTED}));
    EXPECT_THAT(
        only(judged).why,
        AllOf(
            HasSubstr("still open after 2 counted boots, which differ by 1.1 %, more than the 0.5 % that would have "
                      "made 2 enough"),
            HasSubstr("up to 4 more counted boots may follow")));
    judged = judge({variant("debug", counted_boots({1.380e9, 1.395e9, 1.384e9, 1.39e9}))}, Last::NO);
    EXPECT_EQ(only(judged).verdict, Verdict::PASS);
    EXPECT_THAT(only(judged).why, AllOf(HasSubstr("at 95 %"), HasSubstr("which differ by 1.1 %")));
}

TEST_F(Judging, nearer_to_the_limit_than_the_tolerance_more_boots_would_not_tell) {
    policy_.budgets = {instruction_budget("debug", 1.383e9)};
    const auto judged = judge({variant("debug", counted_boots({1.380e9, 1.382e9}))}, Last::NO);
    EXPECT_EQ(only(judged).verdict, Verdict::INCONCLUSIVE);
    EXPECT_THAT(judged.wanted, IsEmpty());
    EXPECT_THAT(only(judged).why, HasSubstr("nearer to the limit of 1.383 G than the 0.5 %"));
}

TEST_F(Judging, a_ratio_of_counts_bears_the_tolerance_of_both_sides) {
    policy_.budgets = {against_budget("debug", "instructions", 1.03)};
    const auto old = against("debug", counted_boots({1.380e9, 1.381e9}));
    const auto result = only(judge({variant("debug", counted_boots({1.390e9, 1.391e9})), old}));
    EXPECT_EQ(result.verdict, Verdict::PASS);
    EXPECT_NEAR(result.interval_high.value(), 1.00725 * 1.005 / 0.995, 1e-5);
    const auto judged = judge({variant("debug", counted_boots({1.390e9})), old}, Last::NO);
    EXPECT_THAT(judged.wanted, ElementsAre(Wanted{0, Mode::COUNTED}, Wanted{1, Mode::COUNTED}));
}

TEST_F(Judging, seconds_and_instructions_come_from_different_boots) {
    policy_.budgets = {launch_budget("fast", "debug", 60), instruction_budget("debug", 2e9)};
    auto samples = boots({29, 29.1, 29.2});
    for (auto & sample : counted_boots({1.38e9, 1.381e9})) {
        samples.push_back(sample);
    }
    const auto judged = judge({variant("debug", samples)});
    EXPECT_EQ(judged.budgets[0].verdict, Verdict::PASS);
    EXPECT_NEAR(judged.budgets[0].estimate.value(), 29.1, 1e-9);
    EXPECT_EQ(judged.budgets[1].verdict, Verdict::PASS);
    const auto timed_only = judge({debug_}, Last::NO);
    EXPECT_THAT(timed_only.wanted, ElementsAre(Wanted{0, Mode::COUNTED}));
    EXPECT_THAT(judge({debug_}).budgets[1].why, HasSubstr("has no counted boot to judge"));
}

TEST_F(Judging, where_instructions_cannot_be_counted_their_budgets_are_errors) {
    policy_.budgets = {launch_budget("fast", "debug", 60), instruction_budget("debug", 2e9)};
    const auto judged = judge({debug_}, Last::NO, "QEMU 6.2 has no plugins");
    EXPECT_EQ(judged.budgets[0].verdict, Verdict::PASS);
    EXPECT_EQ(judged.budgets[1].verdict, Verdict::ERROR);
    EXPECT_EQ(judged.budgets[1].why, "could not be measured: instructions cannot be counted: QEMU 6.2 has no plugins");
    EXPECT_THAT(judged.wanted, IsEmpty());
    EXPECT_EQ(judged.exit_status, 3);
}

TEST_F(Judging, a_failed_counted_boot_is_an_error_of_all_budgets) {
    policy_.budgets = {launch_budget("fast", "debug", 60), instruction_budget("debug", 2e9)};
    Variant debug = debug_;
    debug.samples.push_back(failed(Outcome::PANIC, "Oops."));
    debug.samples.back().mode = Mode::COUNTED;
    debug.samples.back().index = 4;
    for (const auto & result : judge({debug}).budgets) {
        EXPECT_EQ(result.verdict, Verdict::ERROR);
        EXPECT_THAT(result.why, HasSubstr("boot 4 of variant \"debug\" ended in panic: Oops"));
    }
}

// A counted boot is slower than a timed one; that it was cut off says nothing of the seconds.
TEST_F(Judging, a_counted_boot_that_was_cut_off_exceeds_no_limit_in_seconds) {
    policy_.budgets = {launch_budget("fast", "debug", 60)};
    Sample cut_off = failed(Outcome::LAUNCH_TIMEOUT);
    cut_off.cut_off_seconds = 120;
    cut_off.mode = Mode::COUNTED;
    policy_.budgets.push_back(instruction_budget("debug", 2e9));
    const auto judged = judge({variant("debug", {boot(30), boot(30.1), boot(30.2), cut_off})}, Last::NO);
    ASSERT_EQ(judged.budgets.size(), 2U);
    EXPECT_EQ(judged.budgets[0].verdict, Verdict::PASS);
    EXPECT_EQ(judged.budgets[1].verdict, Verdict::ERROR);
    EXPECT_THAT(judged.budgets[1].why, HasSubstr("boot 4 of variant \"debug\" ended in launch_timeout"));
    EXPECT_THAT(judged.wanted, IsEmpty());
}

TEST_F(Judging, a_boot_that_was_only_not_counted_spoils_no_seconds) {
    policy_.budgets = {launch_budget("fast", "debug", 60), instruction_budget("debug", 2e9)};
    for (const std::string why :
         {"QEMU ran without the instruction counter: it did not load it.",
          "QEMU loaded the instruction counter, but counted nothing.",
          "The launch's instructions were not counted, although the counter ran.",
          "The instruction counter could not start its thread in QEMU."}) {
        Variant debug = debug_;
        debug.samples.push_back(failed(Outcome::QEMU_FAILED, why));
        debug.samples.back().mode = Mode::COUNTED;
        const auto judged = judge({debug});
        ASSERT_EQ(judged.budgets.size(), 2U) << why;
        EXPECT_EQ(judged.budgets[0].verdict, Verdict::PASS) << why;
        EXPECT_EQ(judged.budgets[1].verdict, Verdict::ERROR) << why;
        debug.samples.back().detail = "qemu-system-x86_64: out of memory";
        EXPECT_EQ(judge({debug}).budgets[0].verdict, Verdict::ERROR);
        debug.samples.back().detail = why;
        debug.samples.back().mode = Mode::TIMED;
        EXPECT_EQ(judge({debug}).budgets[0].verdict, Verdict::ERROR);
    }
}

TEST_F(Judging, a_variant_that_is_only_counted_and_was_not_does_not_boot_for_all_we_know) {
    policy_.budgets = {instruction_budget("debug", 2e9)};
    policy_.waivers = {{"counted", {"2027-01-01", "Known."}, {}}};
    Sample cut_off = failed(Outcome::LAUNCH_TIMEOUT, "The launch was cut off.");
    cut_off.mode = Mode::COUNTED;
    const auto judged = judge({variant("debug", {cut_off})});
    ASSERT_EQ(judged.budgets.size(), 2U);
    EXPECT_EQ(judged.budgets[1].name, "variant debug boots");
    EXPECT_EQ(judged.budgets[1].why, "boot 1 of variant \"debug\" ended in launch_timeout: The launch was cut off");
}

TEST_F(Judging, a_phase_is_only_as_exact_as_its_ends_are_read) {
    const auto of_phase = [&](const std::string & metric, double limit) {
        policy_.budgets = {instruction_budget("debug", limit)};
        policy_.budgets[0].metric = metric;
        auto samples = counted_boots({100e6, 100.2e6});
        for (auto & sample : samples) {
            sample.metrics[metric] = sample.metrics["instructions"];
        }
        return only(judge({variant("debug", samples)}));
    };
    EXPECT_EQ(of_phase("instructions", 101e6).verdict, Verdict::PASS);
    EXPECT_EQ(of_phase("instructions:decompression", 101e6).verdict, Verdict::PASS);
    EXPECT_EQ(of_phase("instructions:userspace", 101e6).verdict, Verdict::INCONCLUSIVE);
    EXPECT_THAT(of_phase("instructions:userspace", 101e6).why, HasSubstr("than the 0.5 % and 2.4 M that"));
    EXPECT_EQ(of_phase("instructions:userspace", 104e6).verdict, Verdict::PASS);
    EXPECT_THAT(of_phase("instructions:userspace", 104e6).why, HasSubstr("by the tolerance of 0.5 % and 2.4 M, "));
    EXPECT_EQ(of_phase("instructions:kernel", 97e6).verdict, Verdict::FAIL);
    EXPECT_EQ(of_phase("instructions:kernel", 98e6).verdict, Verdict::INCONCLUSIVE);
}

TEST_F(Judging, boots_that_there_was_no_time_for_are_no_error) {
    policy_.budgets = {launch_budget("fast", "debug", 60), instruction_budget("debug", 2e9)};
    auto judged = judge({debug_}, Last::OUT_OF_TIME);
    ASSERT_EQ(judged.budgets.size(), 2U);
    EXPECT_EQ(judged.budgets[0].verdict, Verdict::PASS);
    EXPECT_EQ(judged.budgets[1].verdict, Verdict::INCONCLUSIVE);
    EXPECT_EQ(
        judged.budgets[1].why, "no counted boot was made before total_timeout of " + TOTAL_TIMEOUT + ", 2 are needed");
    EXPECT_EQ(judge({debug_}, Last::YES).budgets[1].verdict, Verdict::ERROR);

    judged = judge({variant("debug", {})}, Last::OUT_OF_TIME);
    EXPECT_EQ(judged.budgets.size(), 2U);
    EXPECT_EQ(judged.verdict, Verdict::INCONCLUSIVE);
    EXPECT_EQ(judged.budgets[0].why, "no boot was made before total_timeout of " + TOTAL_TIMEOUT + ", 3 are needed");

    Variant bad = variant("debug", {});
    bad.samples[0].outcome = Outcome::PANIC;
    EXPECT_EQ(judge({bad}, Last::OUT_OF_TIME).verdict, Verdict::ERROR);
    Variant panicked = debug_;
    panicked.samples.push_back(failed(Outcome::PANIC));
    EXPECT_EQ(judge({panicked}, Last::OUT_OF_TIME).verdict, Verdict::ERROR);
}

TEST_F(Judging, a_variant_without_a_budget_that_there_was_no_time_for_is_no_error) {
    policy_.budgets = {launch_budget("fast", "debug", 60)};
    const auto judged = judge({debug_, variant("nodebug", {})}, Last::OUT_OF_TIME);
    ASSERT_EQ(judged.budgets.size(), 2U);
    EXPECT_EQ(judged.budgets[1].name, "variant nodebug boots");
    EXPECT_EQ(judged.budgets[1].verdict, Verdict::INCONCLUSIVE);
    EXPECT_EQ(judge({debug_, variant("nodebug", {})}, Last::YES).verdict, Verdict::ERROR);
}

TEST(SummariseCounted, keeps_the_modes_apart) {
    auto samples = boots({10, 12});
    for (auto & sample : counted_boots({1.38e9, 1.40e9})) {
        samples.push_back(sample);
    }
    std::vector<Variant> variants{variant("debug", samples)};
    policy::summarise(variants, 0.95);
    EXPECT_DOUBLE_EQ(variants[0].summary["launch"].mean, 11);
    EXPECT_EQ(variants[0].summary["launch"].n, 2);
    EXPECT_DOUBLE_EQ(variants[0].summary["instructions"].mean, 1.39e9);
    EXPECT_EQ(variants[0].summary["instructions"].unit, Unit::COUNT);
}

TEST(SummariseOutliers, of_counted_boots_do_not_claim_that_the_machine_was_quiet) {
    const auto samples = counted_boots({1.38e9, 1.381e9, 1.38e9, 1.379e9, 1.38e9, 1.9e9});
    std::vector<Variant> variants{variant("debug", samples)};
    policy::summarise(variants, 0.95);
    EXPECT_EQ(variants[0].samples.back().outliers.at("instructions"), "cause unknown");
}

TEST(SummariseOutliers, are_flagged_with_their_cause_and_kept) {
    auto samples = boots({10, 10.1, 9.9, 10.2, 10, 10.1});
    samples.push_back(busy_boot(20, "41 % CPU pressure"));
    samples.push_back(boot(25));
    std::vector<Variant> variants{variant("debug", samples)};
    policy::summarise(variants, 0.95);
    const auto & marked = variants[0].samples;
    EXPECT_EQ(marked[7].outliers.at("launch"), "41 % CPU pressure");
    EXPECT_EQ(marked[8].outliers.at("launch"), "the machine was quiet: cause unknown");
    EXPECT_THAT(marked[0].outliers, IsEmpty());  // the warm-up is not of the series
    EXPECT_THAT(marked[1].outliers, IsEmpty());
    EXPECT_EQ(variants[0].summary["launch"].n, 8);
    policy::summarise(variants, 0.95);
    EXPECT_EQ(marked[8].outliers.size(), 1U);
}
