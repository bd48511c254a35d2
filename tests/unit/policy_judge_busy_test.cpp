// SPDX-License-Identifier: GPL-2.0-or-later
// Budgets in seconds on a machine that has other things to do.
#include "policy_judge_examples.hpp"

#include <gmock/gmock.h>

using namespace bootbudget;
using namespace bootbudget::policy;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

std::vector<Sample> busy_boots(const std::vector<double> & launches) {
    std::vector<Sample> samples;
    for (const double launch : launches) {
        samples.push_back(busy_boot(launch));
    }
    return samples;
}

std::vector<Sample> joined(std::vector<Sample> first, const std::vector<Sample> & second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

Sample cut_off(double seconds, const std::string & busy) {
    Sample sample = failed(Outcome::LAUNCH_TIMEOUT, "The launch was cut off.");
    sample.cut_off_seconds = seconds;
    sample.busy = busy;
    return sample;
}

}  // namespace

TEST_F(Judging, exceeded_in_busy_boots_only_is_inconclusive) {
    policy_.budgets = {launch_budget("fast", "debug", 30)};
    const auto judged = judge({variant("debug", busy_boots({46, 47, 45}))});
    EXPECT_EQ(only(judged).verdict, Verdict::INCONCLUSIVE);
    EXPECT_EQ(
        only(judged).why,
        "still open after 3 boots, all on a busy machine (98 % CPU pressure): beyond the limit of 30 s only there, "
        "and load only slows; a budget in instructions, a ratio or a quiet machine would decide it");
    EXPECT_NEAR(only(judged).estimate.value(), 46, 1e-9);
}

TEST_F(Judging, kept_on_a_busy_machine_is_kept) {
    policy_.budgets = {launch_budget("fast", "debug", 90)};
    const auto result = only(judge({variant("debug", busy_boots({46, 47, 45}))}));
    EXPECT_EQ(result.verdict, Verdict::PASS);
    EXPECT_THAT(result.why, HasSubstr("3 boots, all on a busy machine)"));
}

TEST_F(Judging, quiet_boots_decide_alone_beside_busy_ones) {
    policy_.budgets = {launch_budget("slow", "debug", 20), launch_budget("fast", "debug", 40)};
    policy_.sampling.runs_max = 15;
    const auto judged = judge({variant("debug", joined(busy_boots({46, 47}), boots({29, 29.2, 28.9, 29.1})))});
    EXPECT_EQ(judged.budgets[0].verdict, Verdict::FAIL);
    EXPECT_THAT(judged.budgets[0].why, HasSubstr("quiet of "));
    EXPECT_EQ(judged.budgets[1].verdict, Verdict::PASS);
    EXPECT_NEAR(judged.budgets[1].estimate.value(), 29.05, 0.1);
}

TEST_F(Judging, on_a_machine_that_is_never_quiet_seconds_are_given_up_before_runs_max) {
    policy_.budgets = {launch_budget("fast", "debug", 30)};
    policy_.sampling.runs_max = 15;
    EXPECT_THAT(
        judge({variant("debug", busy_boots({46, 47, 45, 46, 47, 45, 46, 47}))}, Last::NO).wanted,
        ElementsAre(Wanted{0, Mode::TIMED}));
    EXPECT_THAT(
        judge({variant("debug", busy_boots({46, 47, 45, 46, 47, 45, 46, 47, 46}))}, Last::NO).wanted, IsEmpty());
    // A quiet boot in between, and the wait begins anew.
    const auto with_hope = joined(busy_boots({46, 47, 45, 46, 47}), joined({boot(29)}, busy_boots({47, 45, 46, 47})));
    EXPECT_THAT(judge({variant("debug", with_hope)}, Last::NO).wanted, ElementsAre(Wanted{0, Mode::TIMED}));
}

TEST_F(Judging, ratios_and_memory_do_not_ask_whether_the_machine_was_busy) {
    auto memory = launch_budget("memory", "debug", 0);
    memory.metric = "memory";
    memory.limit = {500e6, Unit::BYTES};
    policy_.budgets = {ratio_budget(2), memory};
    const auto judged =
        judge({variant("debug", busy_boots({46, 62, 51})), variant("nodebug", busy_boots({16, 21.5, 17.6}))});
    EXPECT_EQ(judged.budgets[0].verdict, Verdict::WARN);
    EXPECT_THAT(judged.budgets[0].why, testing::Not(HasSubstr("busy")));
    EXPECT_EQ(judged.budgets[1].verdict, Verdict::FAIL);
}

// 46 to 62 s against 16 to 21.5 s: the noise of the rounds is common to both sides and leaves the ratio.
TEST_F(Judging, ratios_are_those_of_the_rounds) {
    policy_.budgets = {ratio_budget(3.3)};
    const auto result = only(judge({variant("debug", boots({24, 48, 24.5})), variant("nodebug", boots({8, 16, 8.1}))}));
    EXPECT_EQ(result.verdict, Verdict::PASS);
    EXPECT_NEAR(result.estimate.value(), 3.008, 0.001);
}

TEST_F(Judging, a_launch_cut_off_on_a_busy_machine_decides_nothing_in_seconds) {
    policy_.budgets = {launch_budget("fast", "debug", 60), launch_budget("patient", "debug", 300), ratio_budget(2)};
    const auto judged = judge({variant("debug", {boot(30), cut_off(120, "98 % CPU pressure")}), nodebug_}, Last::NO);
    ASSERT_EQ(judged.budgets.size(), 3U);
    EXPECT_EQ(judged.budgets[0].verdict, Verdict::INCONCLUSIVE);
    EXPECT_EQ(
        judged.budgets[0].why,
        "undecided: boot 2 was cut off after 2 min, still launching, on a busy machine (98 % CPU pressure); the limit "
        "is 60 s, and load only slows; a budget in instructions, a ratio or a quiet machine would decide it");
    EXPECT_EQ(judged.budgets[1].verdict, Verdict::INCONCLUSIVE);
    EXPECT_EQ(judged.budgets[2].verdict, Verdict::ERROR) << "a cut-off launch is no number for a ratio";
    EXPECT_THAT(judged.wanted, IsEmpty());
}

TEST_F(Judging, an_inconclusive_cut_off_is_not_told_twice) {
    policy_.budgets = {launch_budget("fast", "debug", 60)};
    const std::vector<Variant> variants{variant("debug", {cut_off(120, "98 % CPU pressure")})};
    EXPECT_EQ(judge(variants).budgets.size(), 1U);
    EXPECT_EQ(judge(variants).verdict, Verdict::INCONCLUSIVE);
    policy_.budgets[0].metric = "memory";
    policy_.budgets[0].limit = {1e9, Unit::BYTES};
    EXPECT_EQ(judge(variants).verdict, Verdict::ERROR);
}

TEST_F(Judging, a_launch_cut_off_on_a_quiet_machine_decides_beside_a_busy_one) {
    policy_.budgets = {launch_budget("fast", "debug", 60), launch_budget("patient", "debug", 300)};
    const auto judged = judge({variant("debug", {cut_off(120, "98 % CPU pressure"), cut_off(121, "")})});
    EXPECT_EQ(judged.budgets[0].verdict, Verdict::FAIL);
    EXPECT_THAT(judged.budgets[0].why, HasSubstr("by its own evidence: boot 2 was cut off"));
    EXPECT_EQ(judged.budgets[1].verdict, Verdict::ERROR);
    const auto after_a_panic = judge({variant("debug", {failed(Outcome::PANIC), cut_off(120, "98 % CPU pressure")})});
    EXPECT_EQ(after_a_panic.budgets[0].verdict, Verdict::ERROR);
}

TEST_F(Judging, ratios_of_busy_rounds_need_to_be_farther_from_the_limit) {
    policy_.budgets = {ratio_budget(3.3)};
    const auto quiet = variant("debug", boots({30, 30.1, 29.9}));
    const auto busy = variant("debug", busy_boots({30, 30.1, 29.9}));
    EXPECT_EQ(only(judge({quiet, nodebug_})).verdict, Verdict::PASS);
    EXPECT_EQ(only(judge({busy, nodebug_})).verdict, Verdict::INCONCLUSIVE);
    EXPECT_EQ(only(judge({quiet, variant("nodebug", busy_boots({10, 10.1, 9.9}))})).verdict, Verdict::INCONCLUSIVE);
    policy_.budgets[0].limit.value = 3.75;
    EXPECT_EQ(only(judge({busy, nodebug_})).verdict, Verdict::PASS);
}
