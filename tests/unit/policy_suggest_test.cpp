// SPDX-License-Identifier: GPL-2.0-or-later
// Policies from reports: what is proposed can be read again, and the report that it came from keeps it.
#include "policy/document.hpp"
#include "policy/judge.hpp"
#include "policy/limit.hpp"
#include "policy/suggest.hpp"

#include "common/units.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>

using namespace bootbudget;
using namespace bootbudget::policy;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

namespace {

constexpr double MIB = 1024.0 * 1024.0;

Sample timed(int index, double launch) {
    Sample sample;
    sample.index = index;
    sample.warmup = index == 0;
    sample.valid = true;
    sample.outcome = Outcome::OK;
    sample.metrics = {
        {"launch", {launch, Unit::SECONDS}},
        {"total", {launch + 2, Unit::SECONDS}},
        {"memory", {(500 + launch) * MIB, Unit::BYTES}}};
    sample.noise = {{"load", 0.5}};
    return sample;
}

Sample counted(int index, double instructions) {
    Sample sample = timed(index, 60);
    sample.mode = Mode::COUNTED;
    sample.metrics["instructions"] = {instructions, Unit::COUNT};
    return sample;
}

Variant variant(const std::string & name, Kind kind, const std::vector<double> & launches) {
    Variant result;
    result.name = name;
    result.release = "6.1.192-1.x86_64";
    result.arch = "x86_64";
    result.kind = kind;
    result.flavour = "base";
    for (const double launch : launches) {
        result.samples.push_back(timed(static_cast<int>(result.samples.size()), launch));
    }
    return result;
}

class Suggesting : public testing::Test {
protected:
    Suggesting() {
        report_.started = "2026-11-30T12:00:00Z";
        report_.policy.text =
            "schema: bootbudget-policy/1\n"
            "boot: {timeout: 5m, append: \"a: [b\"}\n"
            "sampling: {runs: {min: 3, max: 8}, confidence: 90%}\n"
            "findings: {oom: fail}\n"
            "variants:\n"
            "  - {name: debug, kind: debug, required: true}\n"
            "  - {name: nodebug, kind: nodebug, config: {CONFIG_HZ: 1000}, arches: [x86_64]}\n"
            "budgets: [{name: b, variant: debug, metric: launch, limit: 60s}]\n";
        report_.environment.arch = "x86_64";
        report_.environment.fingerprint = std::string(64, 'd');
        report_.variants = {
            variant("debug", Kind::DEBUG, {35, 32.5, 32.1, 31.9}),
            variant("nodebug", Kind::NODEBUG, {12, 11.1, 11.0, 11.2})};
    }

    std::string text(double margin = 0.25) {
        summarise(report_.variants, 0.9);
        return suggest(report_, margin, "result/report.json");
    }

    /// The proposal, read as policy check would read it.
    Policy proposed(double margin = 0.25) { return load(text(margin)); }

    static Policy load(const std::string & text) {
        const auto file =
            std::filesystem::path(testing::TempDir()) / fmt::format("bootbudget-suggest-{}.yaml", getpid());
        std::ofstream(file) << text;
        const auto loaded = policy::load(file);
        std::filesystem::remove(file);
        for (const auto & mistake : loaded.mistakes) {
            ADD_FAILURE() << mistake.line << ":" << mistake.column << ": " << mistake.text << "\n" << text;
        }
        return loaded.policy.value_or(Policy{});
    }

    void expect_kept(double margin = 0.25) {
        const auto policy = proposed(margin);
        const auto judged = judge(policy, report_.variants, Last::YES, "2026-11-30", "x86_64", "");
        EXPECT_EQ(judged.budgets.size(), policy.budgets.size());
        for (const auto & result : judged.budgets) {
            EXPECT_EQ(result.verdict, Verdict::PASS) << result.name << ": " << result.why << "\n" << text(margin);
        }
    }

    static std::vector<std::string> names(const Policy & policy) {
        std::vector<std::string> names;
        for (const auto & budget : policy.budgets) {
            names.push_back(budget.name);
        }
        return names;
    }

    Report report_;
};

}  // namespace

TEST_F(Suggesting, the_report_keeps_its_own_proposal) {
    for (const double margin : {0.0, 0.1, 0.25, 10.0}) {
        expect_kept(margin);
    }
}

TEST_F(Suggesting, the_report_keeps_its_proposal_also_where_boots_differ_much) {
    report_.variants[0] = variant("debug", Kind::DEBUG, {30, 20, 45, 33, 61, 25});
    report_.variants[1] = variant("nodebug", Kind::NODEBUG, {30, 11, 14, 11, 10, 13});
    EXPECT_GT(proposed(0).budgets.size(), 2U);
    expect_kept(0);
}

TEST_F(Suggesting, proposes_a_launch_memory_and_the_ratio_of_the_kinds) {
    const auto policy = proposed();
    EXPECT_THAT(
        names(policy),
        ElementsAre("debug-launch", "debug-slowdown", "debug-memory", "nodebug-launch", "nodebug-memory"));
    EXPECT_EQ(policy.budgets[0].limit.unit, Unit::SECONDS);
    EXPECT_GT(policy.budgets[0].limit.value, 1.25 * 32.2);
    EXPECT_THAT(policy.budgets[0].arches, ElementsAre("x86_64"));
    EXPECT_EQ(policy.budgets[1].baseline_variant, "nodebug");
    EXPECT_GT(policy.budgets[1].limit.value, 1.25 * 32.2 / 11.1);
    EXPECT_TRUE(policy.budgets[1].arches.empty());
    EXPECT_EQ(policy.budgets[2].on_exceed, Consequence::WARN);
}

TEST_F(Suggesting, keeps_how_the_report_was_measured) {
    const auto policy = proposed();
    EXPECT_EQ(policy.boot.timeout, std::chrono::minutes(5));
    EXPECT_EQ(policy.boot.append, "a: [b");
    EXPECT_EQ(policy.sampling.runs_max, 8);
    EXPECT_DOUBLE_EQ(policy.sampling.confidence, 0.9);
    EXPECT_EQ(policy.findings.at(FindingKind::OOM), Consequence::FAIL);
    ASSERT_EQ(policy.variants.size(), 2U);
    EXPECT_EQ(policy.variants[0].kind, Kind::DEBUG);
    EXPECT_EQ(policy.variants[0].flavour, "base");
    EXPECT_TRUE(policy.variants[0].required);
    EXPECT_EQ(policy.variants[1].config.at("CONFIG_HZ"), "1000");
    EXPECT_THAT(policy.variants[1].arches, ElementsAre("x86_64"));
}

TEST_F(Suggesting, gives_its_reasons) {
    const auto policy = text();
    EXPECT_THAT(policy, HasSubstr("# Proposed from result/report.json, measured 2026-11-30T12:00:00Z.\n"));
    EXPECT_THAT(policy, HasSubstr("  # Launch of debug: 32.2 s ± 0.9 % in 3 boots.\n"));
    EXPECT_THAT(policy, HasSubstr(" at most (at 90 %); 25 % more is "));
    EXPECT_THAT(policy, HasSubstr("  # Seconds hold on this machine only: measure again on another one.\n"));
    EXPECT_THAT(policy, HasSubstr("  # A ratio holds on any machine"));
    EXPECT_THAT(policy, HasSubstr("32.2 s ± 0.9 % in 3 boots beside 11.1 s ± 0.9 % in 3 boots.\n"));
}

TEST_F(Suggesting, says_which_boots_a_limit_rests_on) {
    EXPECT_THAT(text(), Not(HasSubstr(" by the first ")));
    report_.variants[0] = variant("debug", Kind::DEBUG, {35, 32, 32.2, 32.4, 32.1, 32.3});
    EXPECT_THAT(text(), HasSubstr(" at most (at 90 %, by the first 3 of 5 boots); 25 % more is "));
    EXPECT_THAT(text(), HasSubstr("beside 11.1 s ± 0.9 % in 3 boots.\n  # A check by this policy can be sure of "));
    const auto ratio = text().substr(text().find("# Launch of debug beside nodebug"));
    EXPECT_THAT(ratio.substr(0, ratio.find("- name")), Not(HasSubstr("by the first"))) << "rounds that both have";
}

TEST_F(Suggesting, a_larger_margin_gives_larger_limits) {
    const auto narrow = proposed(0.1);
    const auto wide = proposed(0.5);
    for (std::size_t i = 0; i < narrow.budgets.size(); ++i) {
        EXPECT_LT(narrow.budgets[i].limit.value, wide.budgets[i].limit.value);
    }
}

TEST_F(Suggesting, a_busy_machine_gives_no_seconds) {
    report_.variants[0].samples[2].busy = "41 % CPU pressure";
    EXPECT_THAT(names(proposed()), ElementsAre("debug-slowdown", "debug-memory", "nodebug-launch", "nodebug-memory"));
    EXPECT_THAT(text(), HasSubstr("  # Not proposed: The machine was busy (1 of 3 boots: 41 % CPU pressure), so"));
    expect_kept();
}

TEST_F(Suggesting, counted_boots_give_instructions_and_their_ratio) {
    for (const double count : {1.3770e9, 1.3774e9}) {
        report_.variants[0].samples.push_back(counted(4, count));
        report_.variants[1].samples.push_back(counted(4, count / 2));
    }
    const auto policy = proposed();
    EXPECT_THAT(
        names(policy),
        ElementsAre(
            "debug-launch",
            "debug-slowdown",
            "debug-instructions",
            "debug-work",
            "debug-memory",
            "nodebug-launch",
            "nodebug-instructions",
            "nodebug-memory"));
    EXPECT_EQ(policy.budgets[2].limit.unit, Unit::COUNT);
    EXPECT_GT(policy.budgets[2].limit.value, 1.25 * 1.3770e9);
    EXPECT_EQ(policy.budgets[3].metric, "instructions");
    EXPECT_EQ(policy.budgets[3].baseline_variant, "nodebug");
    EXPECT_THAT(text(), HasSubstr("  # Guest instructions of debug: 1.377 G ± 0.02 % in 2 counted boots.\n"));
    EXPECT_THAT(
        text(), HasSubstr("only within one environment: QEMU, appliance, memory, … (fingerprint dddddddddddd)"));
    expect_kept();
}

TEST_F(Suggesting, the_build_against_is_not_proposed_for) {
    report_.variants.push_back(report_.variants[0]);
    report_.variants.back().build = BuildRole::AGAINST;
    EXPECT_EQ(proposed().variants.size(), 2U);
    EXPECT_EQ(proposed().budgets.size(), 5U);
}

TEST_F(Suggesting, a_variant_that_failed_gets_no_limit_and_the_reason) {
    Sample panic = timed(4, 0);
    panic.valid = false;
    panic.outcome = Outcome::PANIC;
    panic.detail = "Oops\n- {name: injected}";
    report_.variants[0].samples.push_back(panic);
    const auto policy = proposed();
    EXPECT_THAT(names(policy), ElementsAre("nodebug-launch", "nodebug-memory"));
    EXPECT_THAT(text(), HasSubstr("  # Not proposed: could not be measured: boot 4 of variant \"debug\" ended in"));
}

TEST_F(Suggesting, too_few_boots_give_no_limit) {
    report_.variants[0].samples.resize(3);
    EXPECT_THAT(text(), HasSubstr("# Not proposed: still open after 2 boots"));
    report_.variants[1].samples.resize(2);
    EXPECT_THROW(text(), UserError);
}

TEST_F(Suggesting, boots_that_differ_too_much_give_no_limit) {
    report_.variants[0] = variant("debug", Kind::DEBUG, {30, 20, 45, 110});
    EXPECT_THAT(text(), HasSubstr("  # Not proposed: The boots differ so much that a check can only be sure of "));
    EXPECT_THAT(text(), HasSubstr(" where 58.3 s was measured; "));
    EXPECT_THAT(names(proposed()), testing::Contains("nodebug-launch"));
    EXPECT_THAT(names(proposed()), Not(testing::Contains("debug-launch")));
}

TEST_F(Suggesting, a_report_without_boots_is_the_users_error_with_the_next_step) {
    for (auto & each : report_.variants) {
        each.samples.resize(1);  // the warm-up
    }
    try {
        text();
        FAIL() << "no error";
    } catch (const UserError & error) {
        EXPECT_THAT(
            error.what(),
            AllOf(HasSubstr("result/report.json has no boot"), HasSubstr("bootbudget report result/report.json")));
    }
    report_.variants.clear();
    EXPECT_THROW(text(), UserError);
}

TEST_F(Suggesting, a_policy_that_cannot_be_read_leaves_the_defaults) {
    for (const auto * unreadable : {"", "{", "[]", "schema: bootbudget-policy/9\n"}) {
        report_.policy.text = unreadable;
        EXPECT_THAT(text(), HasSubstr("cannot be read by this version: boots and sampling are the defaults."));
        EXPECT_EQ(proposed().sampling.runs_max, 15);
        expect_kept();
    }
}

TEST_F(Suggesting, long_names_and_strange_words_make_no_bad_policy) {
    report_.variants[0].name = std::string(64, 'a');
    report_.variants[1].name = std::string(63, 'a') + "b";
    report_.variants[1].kind = Kind::UNKNOWN;
    report_.variants[1].flavour = "no, flavour}";
    report_.environment.arch = "x86\nevil: [";
    report_.environment.fingerprint = "a\nb";
    report_.environment.host["cpu"] = "a\nb: c";
    report_.started = "\n- x";
    const auto policy = proposed();
    EXPECT_EQ(policy.budgets.size(), 4U);
    EXPECT_FALSE(policy.variants[1].kind || policy.variants[1].flavour);
    EXPECT_TRUE(policy.budgets[0].arches.empty());
    report_.variants[0].name = "a, b";
    EXPECT_THROW(text(), UserError);
}

TEST_F(Suggesting, values_that_no_policy_could_have_are_left_out) {
    for (auto & sample : report_.variants[0].samples) {
        sample.metrics["launch"].value *= 1e8;
    }
    EXPECT_THAT(names(proposed()), ElementsAre("debug-memory", "nodebug-launch", "nodebug-memory"));
}

TEST(RoundedLimit, is_short_and_never_below) {
    EXPECT_EQ(rounded_limit(40.2, Unit::SECONDS), "41s");
    EXPECT_EQ(rounded_limit(41, Unit::SECONDS), "41s");
    EXPECT_EQ(rounded_limit(141, Unit::SECONDS), "150s");
    EXPECT_EQ(rounded_limit(4.01, Unit::SECONDS), "4.1s");
    EXPECT_EQ(rounded_limit(0.0123, Unit::SECONDS), "13ms");
    EXPECT_EQ(rounded_limit(9.95, Unit::SECONDS), "10s");
    EXPECT_EQ(rounded_limit(1.721e9, Unit::COUNT), "1.8G");
    EXPECT_EQ(rounded_limit(0.5e9, Unit::COUNT), "500M");
    EXPECT_EQ(rounded_limit(1.2e4, Unit::COUNT), "12k");
    EXPECT_EQ(rounded_limit(3.41, Unit::RATIO), "3.45x");
    EXPECT_EQ(rounded_limit(1, Unit::RATIO), "1x");
    EXPECT_EQ(rounded_limit(600 * MIB, Unit::BYTES), "608MiB");
    EXPECT_EQ(rounded_limit(640 * MIB, Unit::BYTES), "640MiB");
    for (const auto unit : {Unit::SECONDS, Unit::BYTES, Unit::COUNT, Unit::RATIO}) {
        double value = unit == Unit::RATIO ? 0.01 : unit == Unit::COUNT ? 1e3 : 0.01;
        for (; value < 1e5; value *= 1.037) {
            const auto read = common::parse_quantity(rounded_limit(value, unit));
            ASSERT_TRUE(read) << value;
            EXPECT_EQ(read->unit, unit);
            EXPECT_GE(read->value, value * (1 - 1e-9));
            EXPECT_EQ(rounded_limit(read->value, unit), rounded_limit(value, unit));
        }
        EXPECT_EQ(rounded_limit(0, unit), "");
        EXPECT_EQ(rounded_limit(-1, unit), "");
        EXPECT_EQ(rounded_limit(1e30, unit), "");
        EXPECT_EQ(rounded_limit(std::nan(""), unit), "");
    }
}
