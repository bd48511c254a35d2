// SPDX-License-Identifier: GPL-2.0-or-later
// What the policy asks of the kernels: the lists `budgets` and `waivers`.
#include "policy/schema.hpp"

#include "common/units.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bootbudget::policy {

namespace {

const Vocabulary BUDGET{
    {"name", "variant", "metric", "baseline", "limit", "on_exceed", "statistic", "arches"}, {"host_class"}};
const Vocabulary BASELINE{{"variant", "build"}, {"history"}};
const Vocabulary WAIVER{{"budget", "until", "reason", "arches"}, {}};

std::vector<std::string> metrics() {
    std::vector<std::string> names{"launch", "total", "cpu", "memory"};
    for (const auto phase : ALL_PHASES) {
        names.emplace_back(to_string(phase));
    }
    names.emplace_back("instructions");
    for (const auto phase : ALL_PHASES) {
        if (phase != Phase::APPLIANCE) {  // supermin builds it on the host: no guest runs that could execute anything
            names.push_back(fmt::format("instructions:{}", to_string(phase)));
        }
    }
    names.emplace_back("instructions:decompression");
    return names;
}

/// What an absolute limit on the metric is given in.
Unit unit_of(std::string_view metric) {
    return metric == "memory" ? Unit::BYTES : is_counted(metric) ? Unit::COUNT : Unit::SECONDS;
}

/// Leaves the rule without a baseline if there is a mistake in it, or one that this version does not know.
void read_baseline(const Section & section, const Node & node, BudgetRule & rule) {
    const Section baseline(node, section.name_of("baseline."), BASELINE, section.mistakes());
    const bool variant = baseline.find("variant") != nullptr;
    const bool build = baseline.find("build") != nullptr;
    if (variant && build) {
        section.refuse(
            "baseline",
            fmt::format("{} names both a variant and a build; expected one of them.", section.name_of("baseline")));
        return;
    }
    if (node.kind == Node::Kind::MAPPING && !variant && !build && node.find("history") == nullptr) {
        section.refuse(
            "baseline",
            fmt::format(
                "{} names nothing to compare with; expected {{variant: NAME}} or {{build: against}}.",
                section.name_of("baseline")));
    }
    rule.baseline_variant = baseline.name("variant");
    rule.baseline_against = baseline.choice("build", {"against"}).has_value();
}

std::optional<Quantity> read_limit(
    const Section & section, bool has_baseline, const std::optional<std::string> & metric) {
    const auto text = section.word("limit");
    const auto given = text ? common::parse_quantity(*text) : std::nullopt;
    if (has_baseline) {
        if (given && given->unit != Unit::RATIO) {
            section.refuse(
                "limit",
                fmt::format(
                    "{} is {}, but a budget with a baseline is a ratio; expected {}.",
                    section.name_of("limit"),
                    in_quotes(*text),
                    example_of(Unit::RATIO)));
            return std::nullopt;
        }
        return section.quantity("limit", Unit::RATIO);
    }
    if (given && given->unit == Unit::RATIO) {
        section.refuse(
            "limit",
            fmt::format(
                "{} is {}, but there is no baseline that it could be a ratio to; expected a baseline, or {}.",
                section.name_of("limit"),
                in_quotes(*text),
                example_of(unit_of(metric.value_or("")))));
        return std::nullopt;
    }
    if (!metric) {  // which unit is right cannot be told, and the metric's mistake is noted already
        if (text && !given) {
            section.refuse(
                "limit",
                fmt::format(
                    "{} is {}; expected {}.",
                    section.name_of("limit"),
                    in_quotes(*text),
                    "a number with its unit, such as 60s, 1280MiB or 2.5x"));
        }
        return given;
    }
    return section.quantity("limit", unit_of(*metric));
}

}  // namespace

void read_budgets(const Section & root, Reading & reading) {
    for_each_item(root, "budgets", "budget", BUDGET, [&](const Section & section, const Node & item) {
        BudgetRule rule;
        section.require("name", "a name for the report");
        section.require("variant", "the name of a variant, or \"*\" for each");
        section.require("metric", one_of(metrics()));
        section.require("limit", "the most that keeps the budget");
        const auto name = section.name("name");
        const auto variant = section.word("variant");
        rule.variant = variant == "*" ? "*" : section.name("variant").value_or("");
        const auto metric = section.choice("metric", metrics());
        rule.metric = metric.value_or("");
        const Node * baseline = section.find("baseline");
        if (baseline != nullptr) {
            read_baseline(section, *baseline, rule);
        }
        rule.limit = read_limit(section, baseline != nullptr, metric).value_or(Quantity{});
        if (const auto word = section.choice("on_exceed", {"fail", "warn"})) {
            rule.on_exceed = *word == "fail" ? Consequence::FAIL : Consequence::WARN;
        }
        if (const auto word = section.choice("statistic", {"mean", "median"})) {
            rule.statistic = *word == "median" ? measure::Statistic::MEDIAN : measure::Statistic::MEAN;
        }
        rule.arches = section.arches();
        if (!name) {
            reading.all_budgets_named = false;
            return;
        }
        rule.name = *name;
        reading.budgets.push_back({std::move(rule), &item});
    });
}

void read_waivers(const Section & root, Reading & reading) {
    for_each_item(root, "waivers", "waiver", WAIVER, [&](const Section & section, const Node & item) {
        WaiverRule rule;
        section.require("budget", "the name of the budget that is waived");
        section.require("until", "the last day, such as 2027-02-01");
        section.require("reason", "why the budget is waived");
        rule.budget = section.name("budget").value_or("");
        rule.waiver.until = section.date("until").value_or("");
        rule.waiver.reason = section.prose("reason", 500).value_or("");
        if (section.find("reason") != nullptr && section.find("reason")->kind == Node::Kind::SCALAR &&
            section.find("reason")->text.find_first_not_of(' ') == std::string::npos) {
            section.refuse(
                "reason", fmt::format("{} is empty; expected why the budget is waived.", section.name_of("reason")));
        }
        rule.arches = section.arches();
        if (!rule.budget.empty()) {
            reading.waivers.push_back({std::move(rule), &item});
        }
    });
}

}  // namespace bootbudget::policy
