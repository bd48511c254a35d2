// SPDX-License-Identifier: GPL-2.0-or-later
// Policies from files: every key, every mistake with its place, includes.
#include "policy/include.hpp"
#include "policy/policy.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>
#include <set>

using namespace bootbudget;
using namespace bootbudget::policy;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

namespace {

const std::filesystem::path POLICIES = std::filesystem::path(BOOTBUDGET_TEST_DATA) / "policies";

/// A temporary file that is gone with its owner.
class TemporaryFile {
public:
    explicit TemporaryFile(const std::string & text) {
        std::string name = testing::TempDir() + "bootbudget-policy-XXXXXX";
        const int descriptor = mkstemp(name.data());
        if (descriptor >= 0) {
            close(descriptor);
        }
        path_ = name;
        std::ofstream(path_) << text;
    }
    ~TemporaryFile() { std::filesystem::remove(path_); }
    TemporaryFile(const TemporaryFile &) = delete;
    TemporaryFile & operator=(const TemporaryFile &) = delete;

    const std::filesystem::path & path() const { return path_; }

private:
    std::filesystem::path path_;
};

Loaded load_text(const std::string & text) {
    return load(TemporaryFile(text).path());
}

/// "line:column: text" of each mistake.
std::vector<std::string> mistakes_of(const std::string & text) {
    std::vector<std::string> lines;
    for (const auto & mistake : load_text(text).mistakes) {
        lines.push_back(fmt::format("{}:{}: {}", mistake.line, mistake.column, mistake.text));
    }
    return lines;
}

const std::string HEAD = "schema: bootbudget-policy/1\n";
const std::string VARIANTS = "variants: [{name: debug, kind: debug}, {name: nodebug, kind: nodebug}]\n";
const std::string BUDGETS = "budgets: [{name: launch, variant: debug, metric: launch, limit: 60s}]\n";

/// Mistakes of an otherwise good policy, whose line 4 is `line`.
std::vector<std::string> with_line(const std::string & line) {
    return mistakes_of(HEAD + VARIANTS + BUDGETS + line + "\n");
}

std::vector<std::string> with_budget(const std::string & budget) {
    return mistakes_of(HEAD + VARIANTS + "budgets:\n  - {" + budget + "}\n");
}

std::vector<std::string> with_variant(const std::string & variant) {
    return mistakes_of(
        HEAD + "variants:\n  - {" + variant + "}\nbudgets: [{name: l, variant: \"*\", metric: launch, limit: 60s}]\n");
}

}  // namespace

TEST(Load, reads_every_key) {
    const auto loaded = load(POLICIES / "all_keys.yaml");
    for (const auto & mistake : loaded.mistakes) {
        ADD_FAILURE() << mistake.file << ":" << mistake.line << ": " << mistake.text;
    }
    ASSERT_TRUE(loaded.policy);
    const Policy & policy = *loaded.policy;
    EXPECT_EQ(policy.boot.timeout, std::chrono::minutes(5));
    EXPECT_EQ(policy.boot.stall, std::chrono::seconds(90));
    EXPECT_EQ(policy.boot.memory_bytes, std::uint64_t{2} << 30U);
    EXPECT_EQ(policy.boot.append, "debug loglevel=8");
    EXPECT_EQ(policy.sampling.warmup, 2);
    EXPECT_EQ(policy.sampling.runs_min, 4);
    EXPECT_EQ(policy.sampling.runs_max, 20);
    EXPECT_EQ(policy.sampling.counted_min, 3);
    EXPECT_EQ(policy.sampling.counted_max, 9);
    EXPECT_EQ(policy.sampling.jobs, 2);
    EXPECT_DOUBLE_EQ(policy.sampling.confidence, 0.9);
    EXPECT_EQ(policy.sampling.total_timeout, std::chrono::minutes(90));
    ASSERT_EQ(policy.variants.size(), 3U);
    EXPECT_EQ(policy.variants[0].kind, Kind::DEBUG);
    EXPECT_TRUE(policy.variants[0].required);
    EXPECT_EQ(policy.variants[1].flavour, "base");
    EXPECT_THAT(policy.variants[1].arches, ElementsAre("x86_64", "aarch64"));
    EXPECT_EQ(policy.variants[1].config.at("CONFIG_KASAN"), "n");
    EXPECT_EQ(policy.variants[1].config.at("CONFIG_HZ"), "1000");
    EXPECT_FALSE(policy.variants[2].kind || policy.variants[2].flavour || policy.variants[2].required);
    ASSERT_EQ(policy.waivers.size(), 1U);
    EXPECT_EQ(policy.waivers[0].waiver.until, "2027-02-01");
    EXPECT_EQ(policy.findings.at(FindingKind::SOFT_LOCKUP), Consequence::FAIL);
    EXPECT_EQ(policy.findings.at(FindingKind::OOM), Consequence::NOTE);
    EXPECT_EQ(policy.on_error, Consequence::WARN);
    EXPECT_EQ(policy.on_inconclusive, Consequence::FAIL);
}

TEST(Load, defaults_are_the_documented_ones) {
    const auto policy = load_text(HEAD + VARIANTS + BUDGETS).policy;
    ASSERT_TRUE(policy);
    EXPECT_EQ(policy->boot.timeout, std::chrono::minutes(10));
    EXPECT_EQ(policy->sampling.runs_max, 15);
    EXPECT_EQ(policy->sampling.counted_min, 2);
    EXPECT_EQ(policy->sampling.counted_max, 6);
    EXPECT_EQ(policy->sampling.jobs, 1);
    EXPECT_FALSE(policy->budgets.at(0).baseline_against);
    EXPECT_EQ(policy->budgets.at(0).on_exceed, Consequence::FAIL);
    EXPECT_EQ(policy->budgets.at(0).statistic, measure::Statistic::MEAN);
    EXPECT_EQ(policy->on_error, Consequence::FAIL);
    EXPECT_EQ(policy->on_inconclusive, Consequence::WARN);
}

TEST(Load, ready_policies_have_no_mistake) {
    for (const auto * name : {"demo.yaml", "developer.yaml", "koji.yaml"}) {
        const auto loaded = load(std::filesystem::path(BOOTBUDGET_SOURCE_DIR) / "policies" / name);
        EXPECT_THAT(loaded.mistakes, IsEmpty()) << name;
        EXPECT_TRUE(loaded.policy) << name;
    }
}

TEST(Load, included_values_are_overridden_and_items_replaced_by_name) {
    const auto policy = load(POLICIES / "all_keys.yaml").policy;
    ASSERT_TRUE(policy);
    std::vector<std::string> names;
    for (const auto & budget : policy->budgets) {
        names.push_back(budget.name);
    }
    EXPECT_THAT(
        names,
        ElementsAre("shared-total", "memory", "debug-launch", "debug-slowdown", "steady", "counted", "no-regression"));
    EXPECT_EQ(
        policy->budgets[1].variant, "*");  // replaced whole: neither the variant nor the warning of common.yaml is left
    EXPECT_EQ(policy->budgets[1].on_exceed, Consequence::FAIL);
    EXPECT_EQ(policy->boot.timeout, std::chrono::minutes(5));
    EXPECT_EQ(policy->findings.at(FindingKind::KASAN_REPORT), Consequence::FAIL);
}

TEST(Load, merged_text_reads_back_to_the_same_policy) {
    const auto policy = load(POLICIES / "all_keys.yaml").policy;
    ASSERT_TRUE(policy);
    EXPECT_THAT(policy->text, testing::Not(HasSubstr("include")));
    EXPECT_THAT(policy->text, HasSubstr("x-owner"));
    const auto again = load_text(policy->text).policy;
    ASSERT_TRUE(again);
    EXPECT_EQ(again->text, policy->text);
    EXPECT_EQ(again->boot.timeout, policy->boot.timeout);
    EXPECT_EQ(again->budgets.size(), policy->budgets.size());
    EXPECT_EQ(again->variants[1].config, policy->variants[1].config);
}

TEST(Load, ten_mistakes_are_told_at_once_in_order) {
    const auto loaded = load(POLICIES / "ten_mistakes.yaml");
    EXPECT_FALSE(loaded.policy);
    ASSERT_EQ(loaded.mistakes.size(), 10U);
    const std::vector<std::pair<int, std::string>> expected{
        {3, "a number without a unit"},
        {3, "did you mean \"stall\"?"},
        {5, "one boot says nothing"},
        {6, "sampling.counted.min is 1, but one counted boot"},
        {8, "did you mean \"debug\"?"},
        {10, "is there twice (first in line 9)"},
        {13,
         "variant \"nodebgu\", which does not exist (did you mean \"nodebug\"?); expected \"debug\" or \"nodebug\""},
        {13, "a budget with a baseline is a ratio"},
        {14, "budget \"debug-lunch\", which does not exist (did you mean \"debug-launch\"?)"},
        {14, "expected a date of the calendar"},
    };
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(loaded.mistakes[i].line, expected[i].first) << loaded.mistakes[i].text;
        EXPECT_THAT(loaded.mistakes[i].text, HasSubstr(expected[i].second));
        EXPECT_THAT(loaded.mistakes[i].file, testing::EndsWith("ten_mistakes.yaml"));
    }
}

TEST(Load, mistakes_as_an_error_have_a_line_each) {
    try {
        load_or_throw(POLICIES / "ten_mistakes.yaml");
        FAIL() << "no error";
    } catch (const UserError & error) {
        const std::string text = error.what();
        EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 10);
        EXPECT_THAT(
            text,
            HasSubstr("ten_mistakes.yaml:3:17: boot.timeout is \"600\", a number without a unit; expected a time"));
    }
}

TEST(Load, a_file_that_is_not_there_is_the_systems_error) {
    EXPECT_THROW(load("/nonexistent/policy.yaml"), SystemError);
    EXPECT_THROW(load("/dev"), Error);
}

TEST(Load, schema_must_be_there_and_known) {
    EXPECT_THAT(
        mistakes_of(VARIANTS + BUDGETS),
        ElementsAre(HasSubstr("1:1: schema is missing; expected \"schema: bootbudget-policy/1\"")));
    EXPECT_THAT(
        mistakes_of("schema: bootbudget-policy/2\n" + VARIANTS + BUDGETS),
        ElementsAre("1:9: schema is \"bootbudget-policy/2\"; expected bootbudget-policy/1."));
}

TEST(Load, variants_and_budgets_must_be_there) {
    EXPECT_THAT(mistakes_of(HEAD), ElementsAre(HasSubstr("budgets is missing"), HasSubstr("variants is missing")));
    EXPECT_THAT(
        mistakes_of(HEAD + "variants: []\nbudgets: []\n"),
        ElementsAre(HasSubstr("2:11: variants is an empty list"), HasSubstr("3:10: budgets is an empty list")));
}

TEST(Load, keys_of_ones_own_are_left_alone) {
    EXPECT_THAT(with_line("x-note: {any: [thing]}"), IsEmpty());
    EXPECT_THAT(with_line("boot: {x-why: because}"), IsEmpty());
    EXPECT_THAT(with_line("note: 1"), ElementsAre(HasSubstr("4:1: note is an unknown key; expected \"schema\"")));
}

TEST(Load, what_is_not_built_yet_is_refused) {
    const auto refused = [](int line, const std::string & name) {
        return ElementsAre(AllOf(
            testing::StartsWith(std::to_string(line)), HasSubstr(name), HasSubstr("not supported by this version")));
    };
    EXPECT_THAT(with_line("sampling: {order: random}"), refused(4, "sampling.order"));
    EXPECT_THAT(
        with_budget("name: b, variant: debug, metric: launch, baseline: {history: last_pass}, limit: 1.1x"),
        refused(4, "baseline.history"));
    EXPECT_THAT(
        with_budget("name: b, variant: debug, metric: launch, limit: 9s, host_class: koji.json"),
        refused(4, "host_class"));
}

TEST(Load, limits_need_the_unit_that_fits) {
    EXPECT_THAT(
        with_budget("name: b, variant: debug, metric: launch, limit: 60"),
        ElementsAre(HasSubstr("a number without a unit")));
    EXPECT_THAT(
        with_budget("name: b, variant: debug, metric: launch, limit: 60MiB"),
        ElementsAre(HasSubstr("expected a time")));
    EXPECT_THAT(
        with_budget("name: b, variant: debug, metric: memory, limit: 60s"), ElementsAre(HasSubstr("expected a size")));
    EXPECT_THAT(
        with_budget("name: b, variant: debug, metric: cpu, limit: 2x"), ElementsAre(HasSubstr("there is no baseline")));
    EXPECT_THAT(
        with_budget("name: b, variant: debug, metric: launch, limit: 0s"), ElementsAre(HasSubstr("expected a time")));
    EXPECT_THAT(
        with_budget("name: b, variant: debug, metric: memory, baseline: {variant: nodebug}, limit: 1GiB"),
        ElementsAre(HasSubstr("a budget with a baseline is a ratio")));
    for (const auto * metric :
         {"launch",
          "total",
          "cpu",
          "appliance",
          "firmware",
          "kernel",
          "initramfs",
          "userspace",
          "session",
          "shutdown"}) {
        EXPECT_THAT(with_budget(fmt::format("name: b, variant: debug, metric: {}, limit: 1.5m", metric)), IsEmpty());
    }
}

TEST(Load, instructions_are_counts_or_ratios) {
    for (const auto * metric :
         {"instructions",
          "\"instructions:firmware\"",
          "\"instructions:kernel\"",
          "\"instructions:initramfs\"",
          "\"instructions:userspace\"",
          "\"instructions:session\"",
          "\"instructions:shutdown\"",
          "\"instructions:decompression\""}) {
        const auto budget = fmt::format("name: b, variant: debug, metric: {}, limit: ", metric);
        EXPECT_THAT(with_budget(budget + "1.4G"), IsEmpty());
        EXPECT_THAT(with_budget(budget + "1.05x, baseline: {build: against}"), IsEmpty());
        EXPECT_THAT(with_budget(budget + "2x, baseline: {variant: nodebug}"), IsEmpty());
        EXPECT_THAT(with_budget(budget + "60s"), ElementsAre(HasSubstr("expected a count such as 1.4G")));
        EXPECT_THAT(with_budget(budget + "14"), ElementsAre(HasSubstr("a number without a unit")));
        EXPECT_THAT(with_budget(budget + "2x"), ElementsAre(HasSubstr("expected a baseline, or a count such as")));
        EXPECT_THAT(
            with_budget(budget + "1.4G, baseline: {build: against}"),
            ElementsAre(HasSubstr("a budget with a baseline is a ratio")));
    }
    EXPECT_THAT(
        with_budget("name: b, variant: debug, metric: \"instructions:appliance\", limit: 1.4G"),
        ElementsAre(HasSubstr("metric is \"instructions:appliance\"")));
    EXPECT_THAT(
        with_budget("name: b, variant: debug, metric: instruction, limit: 1.4G"),
        ElementsAre(HasSubstr("did you mean \"instructions\"?")));
    EXPECT_THAT(
        with_budget("name: b, variant: debug, metric: launch, limit: 1.4G"), ElementsAre(HasSubstr("expected a time")));
}

TEST(Load, a_build_against_may_be_the_baseline_of_every_variant) {
    const auto policy = load_text(
                            HEAD + VARIANTS +
                            "budgets: [{name: b, variant: \"*\", metric: launch, baseline: {build: against}, limit: "
                            "1.1x}]\n")
                            .policy;
    ASSERT_TRUE(policy);
    EXPECT_TRUE(policy->budgets[0].baseline_against);
    EXPECT_FALSE(policy->budgets[0].baseline_variant);
}

TEST(Load, budgets_need_their_parts) {
    EXPECT_THAT(
        with_budget("on_exceed: warn"),
        ElementsAre(
            HasSubstr("budget 1: limit is missing"),
            HasSubstr("budget 1: metric is missing"),
            HasSubstr("budget 1: name is missing"),
            HasSubstr("budget 1: variant is missing")));
    EXPECT_THAT(
        with_budget("name: b, variant: debug, metric: lunch, limit: 60s"),
        ElementsAre(HasSubstr("did you mean \"launch\"?")));
    EXPECT_THAT(
        with_budget("name: b, variant: debgu, metric: launch, limit: 60s"),
        ElementsAre(HasSubstr("does not exist (did you mean \"debug\"?)")));
    EXPECT_THAT(
        with_budget("name: b, variant: debug, metric: launch, baseline: {variant: debug}, limit: 2x"),
        ElementsAre(HasSubstr("4:67: budget \"b\": baseline.variant is \"debug\", the budget's own variant")));
    EXPECT_THAT(
        with_budget("name: b, variant: debug, metric: launch, baseline: {}, limit: 2x"),
        ElementsAre(HasSubstr("names nothing to compare with; expected {variant: NAME} or {build: against}.")));
    EXPECT_THAT(
        with_budget("name: b, variant: debug, metric: launch, baseline: {variant: nodebug, build: against}, limit: 2x"),
        ElementsAre(HasSubstr("4:57: budget \"b\": baseline names both a variant and a build; expected one")));
    EXPECT_THAT(
        with_budget("name: b, variant: debug, metric: launch, baseline: {build: aginst}, limit: 2x"),
        ElementsAre(HasSubstr("4:65: budget \"b\": baseline.build is \"aginst\" (did you mean \"against\"?)")));
    EXPECT_THAT(
        with_budget("name: b, variant: debug, metric: launch, baseline: nodebug, limit: 2x"),
        ElementsAre(HasSubstr("baseline is \"nodebug\"; expected a mapping")));
    EXPECT_THAT(
        with_budget("name: \"a b\", variant: debug, metric: launch, limit: 2s"),
        ElementsAre(HasSubstr("expected a name")));
    EXPECT_THAT(
        with_budget("name: b, variant: debug, metric: launch, limit: 2s, on_exceed: note"),
        ElementsAre(HasSubstr("expected \"fail\" or \"warn\"")));
}

TEST(Load, variants_need_values_that_make_sense) {
    EXPECT_THAT(with_variant("kind: debug"), ElementsAre(HasSubstr("variant 1: name is missing")));
    EXPECT_THAT(with_variant("name: \"*\""), ElementsAre(HasSubstr("expected a name")));
    EXPECT_THAT(with_variant("name: v, required: yes"), ElementsAre(HasSubstr("expected \"true\" or \"false\"")));
    EXPECT_THAT(with_variant("name: v, arches: x86_64"), ElementsAre(HasSubstr("expected a list of architectures")));
    EXPECT_THAT(with_variant("name: v, arches: [X86]"), ElementsAre(HasSubstr("expected a list of architectures")));
    EXPECT_THAT(with_variant("name: v, config: {KASAN: n}"), ElementsAre(HasSubstr("expected an option's whole name")));
    EXPECT_THAT(with_variant("name: v, config: {CONFIG_KASAN: }"), ElementsAre(HasSubstr("to be nothing")));
    EXPECT_THAT(with_variant("name: v, config: [CONFIG_KASAN]"), ElementsAre(HasSubstr("expected a mapping")));
}

TEST(Load, boot_and_sampling_have_bounds) {
    EXPECT_THAT(with_line("boot: {memory: 1000KiB}"), ElementsAre(HasSubstr("whole MiB")));
    EXPECT_THAT(with_line("boot: {memory: 64MiB}"), ElementsAre(HasSubstr("128MiB to 1024GiB")));
    EXPECT_THAT(with_line("boot: {timeout: 100h}"), ElementsAre(HasSubstr("expected a time from 1 s to 24 h")));
    EXPECT_THAT(with_line("boot: {append: \"a\\nb\"}"), ElementsAre(HasSubstr("control characters")));
    EXPECT_THAT(with_line("boot: [600s]"), ElementsAre(HasSubstr("boot is a list; expected a mapping")));
    EXPECT_THAT(
        with_line("sampling: {runs: {min: 1}}"), ElementsAre(HasSubstr("4:24: sampling.runs.min is 1, but one boot")));
    EXPECT_THAT(
        with_line("sampling: {runs: {min: 5, max: 4}}"),
        ElementsAre(HasSubstr("4:32: sampling.runs.max is 4, below min, which is 5")));
    EXPECT_THAT(with_line("sampling: {runs: {min: 16}}"), ElementsAre(HasSubstr("max is 15 by default")));
    EXPECT_THAT(with_line("sampling: {runs: {max: 1001}}"), ElementsAre(HasSubstr("from 2 to 1000")));
    EXPECT_THAT(
        with_line("sampling: {runs: 5}"),
        ElementsAre(HasSubstr("expected a mapping with keys such as \"min\" or \"max\"")));
    EXPECT_THAT(
        with_line("sampling: {counted: {min: 1}}"),
        ElementsAre(HasSubstr("4:27: sampling.counted.min is 1, but one counted boot does not show")));
    EXPECT_THAT(
        with_line("sampling: {counted: {min: 5, max: 4}}"),
        ElementsAre(HasSubstr("4:35: sampling.counted.max is 4, below min, which is 5")));
    EXPECT_THAT(with_line("sampling: {counted: {min: 7}}"), ElementsAre(HasSubstr("counted.max is 6 by default")));
    EXPECT_THAT(with_line("sampling: {counted: 2}"), ElementsAre(HasSubstr("sampling.counted is \"2\"; expected a")));
    EXPECT_THAT(with_line("sampling: {counted: {mn: 2}}"), ElementsAre(HasSubstr("did you mean \"min\"?")));
    EXPECT_THAT(with_line("sampling: {jobs: 64}"), IsEmpty());
    EXPECT_THAT(with_line("sampling: {jobs: 0}"), ElementsAre(HasSubstr("whole number from 1 to 64")));
    EXPECT_THAT(with_line("sampling: {jobs: 65}"), ElementsAre(HasSubstr("whole number from 1 to 64")));
    EXPECT_THAT(with_line("sampling: {warmup: -1}"), ElementsAre(HasSubstr("whole number from 0 to 10")));
    EXPECT_THAT(with_line("sampling: {confidence: 95}"), ElementsAre(HasSubstr("expected a percentage")));
    EXPECT_THAT(with_line("sampling: {confidence: 100%}"), ElementsAre(HasSubstr("expected a percentage")));
    EXPECT_THAT(with_line("on_error: note"), ElementsAre(HasSubstr("expected \"fail\" or \"warn\"")));
    EXPECT_THAT(with_line("findings: {rcu_stal: warn}"), ElementsAre(HasSubstr("did you mean \"rcu_stall\"?")));
}

TEST(Load, waivers_need_a_budget_a_date_and_a_reason) {
    EXPECT_THAT(with_line("waivers: [{budget: launch, until: 2028-02-29, reason: Known.}]"), IsEmpty());
    EXPECT_THAT(
        with_line("waivers: [{budget: launch, until: 2027-02-29, reason: Known.}]"),
        ElementsAre(HasSubstr("date of the calendar")));
    EXPECT_THAT(
        with_line("waivers: [{budget: launch, until: 27-02-01, reason: Known.}]"),
        ElementsAre(HasSubstr("date of the calendar")));
    EXPECT_THAT(
        with_line("waivers: [{budget: launch, until: \"2027-+2-01\", reason: Known.}]"),
        ElementsAre(HasSubstr("date of the calendar")));
    EXPECT_THAT(
        with_line("waivers: [{budget: launch, until: 2027-02-01, reason: \" \"}]"),
        ElementsAre(HasSubstr("reason is empty")));
    EXPECT_THAT(
        with_line("waivers: [{budget: launch}]"),
        ElementsAre(HasSubstr("reason is missing"), HasSubstr("until is missing")));
    EXPECT_THAT(
        with_line("waivers: [{budget: lunch, until: 2027-02-01, reason: Known.}]"),
        ElementsAre(HasSubstr("did you mean \"launch\"?")));
}

// From 3 boots at 95 % and one comparison: up to 8 boots are six looks, the last five with 0.05 / 2 / 5 = 0.005 each, and 2^-8 = 0.0039 is below
// that; up to 7 have 0.00625 each, and 2^-7 = 0.0078 is not. Seconds may have to do with half: up to 9 boots the last six looks have 0.0021 each, and
// 2^-9 = 0.00195.
TEST(Load, a_median_needs_enough_boots) {
    const std::string median = "name: b, variant: debug, metric: launch, limit: 60s, statistic: median";
    EXPECT_THAT(with_budget(median), IsEmpty());
    EXPECT_THAT(
        mistakes_of(HEAD + VARIANTS + "budgets:\n  - {" + median + "}\nsampling: {runs: {min: 3, max: 5}}\n"),
        ElementsAre(AllOf(
            HasSubstr("4:70: budget \"b\": a median cannot be judged from 5 boots"),
            HasSubstr("runs.max of at least 9"))));
    const std::string of_memory = "name: b, variant: debug, metric: memory, limit: 600MiB, statistic: median";
    EXPECT_THAT(
        mistakes_of(HEAD + VARIANTS + "budgets:\n  - {" + of_memory + "}\nsampling: {runs: {min: 3, max: 5}}\n"),
        ElementsAre(HasSubstr("runs.max of at least 8")));
}

TEST(Load, a_median_of_instructions_needs_enough_counted_boots) {
    const std::string median = "name: b, variant: debug, metric: instructions, limit: 2G, statistic: median";
    const auto with_counted = [&](const std::string & counted) {
        return mistakes_of(
            HEAD + VARIANTS + "budgets:\n  - {" + median + "}\nsampling: {counted: {" + counted + "}}\n");
    };
    EXPECT_THAT(
        with_budget(median),
        ElementsAre(AllOf(
            HasSubstr("4:75: budget \"b\": a median cannot be judged from 6 counted boots"),
            HasSubstr("sampling.counted.max of at least "))));
    EXPECT_THAT(with_counted("max: 20"), IsEmpty());
    EXPECT_THAT(with_counted("max: 4"), ElementsAre(HasSubstr("from 4 counted boots")));
}

TEST(Load, a_name_that_cannot_be_read_does_not_make_others_wrong) {
    const auto mistakes = mistakes_of(HEAD + "variants: [{nam: debug}]\n" + BUDGETS);
    EXPECT_THAT(mistakes, ElementsAre(HasSubstr("name is missing"), HasSubstr("did you mean \"name\"?")));
}

TEST(Include, mistakes_name_the_included_file) {
    const auto loaded = load(POLICIES / "includes_broken.yaml");
    ASSERT_EQ(loaded.mistakes.size(), 2U);
    for (const auto & mistake : loaded.mistakes) {
        EXPECT_THAT(mistake.file, HasSubstr("includes/broken.yaml"));
    }
    EXPECT_EQ(loaded.mistakes[0].line, 3);  // a value that the including file overrides is a mistake nevertheless
    EXPECT_EQ(loaded.mistakes[1].line, 5);
}

TEST(Include, circles_are_refused) {
    const auto loaded = load(POLICIES / "circle" / "a.yaml");
    ASSERT_EQ(loaded.mistakes.size(), 1U);
    EXPECT_THAT(loaded.mistakes[0].text, HasSubstr("closes a circle"));
    EXPECT_THAT(loaded.mistakes[0].file, HasSubstr("circle/b.yaml"));
}

TEST(Include, files_that_cannot_be_read_are_told_without_follow_ups) {
    EXPECT_THAT(
        mistakes_of(
            HEAD + "include: [missing.yaml]\nbudgets: [{name: l, variant: from-there, metric: launch, limit: 60s}]\n"),
        ElementsAre(HasSubstr(
            "2:11: include names \"missing.yaml\", which cannot be read: No such file or directory; expected a path "
            "relative to this file.")));
    EXPECT_THAT(mistakes_of(HEAD + "include: [/dev/zero]\n"), ElementsAre(HasSubstr("not a regular file; expected a")));
    EXPECT_THAT(
        mistakes_of(HEAD + "include: [/usr]\n"), ElementsAre(HasSubstr("/usr is a directory, not a file; expected a")));
    EXPECT_THAT(mistakes_of(HEAD + "include: [\"a\\0b\"]\n"), ElementsAre(HasSubstr("expected the name of a file")));
    EXPECT_THAT(
        mistakes_of(HEAD + VARIANTS + BUDGETS + "include: common.yaml\n"),
        ElementsAre(HasSubstr("expected a list of files")));
}

TEST(Include, depth_is_bounded) {
    const auto directory = std::filesystem::path(testing::TempDir()) / fmt::format("bootbudget-include-{}", getpid());
    std::filesystem::create_directories(directory);
    for (int i = 0; i < 12; ++i) {
        std::ofstream(directory / fmt::format("{}.yaml", i)) << HEAD << fmt::format("include: [{}.yaml]\n", i + 1);
    }
    std::ofstream(directory / "12.yaml") << HEAD << VARIANTS << BUDGETS;
    EXPECT_THAT(load(directory / "4.yaml").mistakes, IsEmpty());
    const auto loaded = load(directory / "3.yaml");
    ASSERT_EQ(loaded.mistakes.size(), 1U);
    EXPECT_THAT(loaded.mistakes[0].text, HasSubstr("more than 8 levels deep"));
    std::filesystem::remove_all(directory);
}
