// SPDX-License-Identifier: GPL-2.0-or-later
// What can only be seen in the merged whole: names that are referred to, and numbers that must fit each other.
#include "policy/schema.hpp"

#include "common/units.hpp"
#include "measure/comparison.hpp"
#include "measure/statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace bootbudget::policy {

namespace {

const Place & place_of(const Node & item, std::string_view key) {
    const Node * node = item.find(key);
    return node == nullptr ? item.place : node->place;
}

template <typename Rule>
std::vector<std::string> names_of(const std::vector<Placed<Rule>> & items) {
    std::vector<std::string> names;
    for (const auto & item : items) {
        if (std::find(names.begin(), names.end(), item.rule.name) == names.end()) {
            names.push_back(item.rule.name);
        }
    }
    return names;
}

bool has(const std::vector<std::string> & names, const std::string & name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

template <typename Rule>
void check_unique(const std::vector<Placed<Rule>> & items, std::string_view label, Mistakes & mistakes) {
    std::map<std::string_view, const Node *> seen;
    for (const auto & item : items) {
        const auto [first, is_new] = seen.emplace(item.rule.name, item.node);
        if (!is_new) {
            mistakes.add(
                place_of(*item.node, "name"),
                fmt::format(
                    "{} {} is there twice (first in line {}); expected another name.",
                    label,
                    in_quotes(item.rule.name),
                    place_of(*first->second, "name").line));
        }
    }
}

void check_not_empty(const Node & document, std::string_view key, std::string_view expected, Mistakes & mistakes) {
    const Node * list = document.find(key);
    if (list == nullptr || list->kind == Node::Kind::NOTHING) {
        mistakes.add(document.place, fmt::format("{} is missing; expected {}.", key, expected));
    } else if (list->kind == Node::Kind::SEQUENCE && list->items.empty()) {
        mistakes.add(list->place, fmt::format("{} is an empty list; expected {}.", key, expected));
    }
}

/// How many boots of one sort may be made, and the key of `sampling` that says so.
struct Range {
    std::string_view key;
    int min = 0;
    int max = 0;
};

Range range_of(const SamplingRules & sampling, std::string_view metric) {
    return is_counted(metric) ? Range{"counted", sampling.counted_min, sampling.counted_max}
                              : Range{"runs", sampling.runs_min, sampling.runs_max};
}

void check_range(const Node & document, const Range & range, Mistakes & mistakes) {
    const Node * section = document.find("sampling");
    const Node * node = section == nullptr ? nullptr : section->find(range.key);
    if (node != nullptr && range.max < range.min) {
        mistakes.add(
            place_of(*node, node->find("max") != nullptr ? "max" : "min"),
            fmt::format(
                "sampling.{}.max is {}{}, below min, which is {}{}; expected max to be at least min.",
                range.key,
                range.max,
                node->find("max") == nullptr ? " by default" : "",
                range.min,
                node->find("min") == nullptr ? " by default" : ""));
    }
}

/// What a name refers to is only looked for where every name could be read: the one that could not may be it.
void check_references(const Reading & reading, Mistakes & mistakes) {
    const auto variants = names_of(reading.variants);
    const auto budgets = names_of(reading.budgets);
    const auto refuse = [&](const Place & place,
                            const std::string & who,
                            std::string_view label,
                            const std::string & name,
                            const std::vector<std::string> & known) {
        mistakes.add(
            place,
            fmt::format(
                "{} names the {} {}, which does not exist{}; expected {}.",
                who,
                label,
                in_quotes(name),
                did_you_mean(name, known),
                known.empty() ? fmt::format("one of the policy's {}s, of which there are none", label)
                              : one_of(known)));
    };
    for (const auto & [rule, node] : reading.budgets) {
        const auto who = fmt::format("budget {}:", in_quotes(rule.name));
        if (reading.all_variants_named && !rule.variant.empty() && rule.variant != "*" &&
            !has(variants, rule.variant)) {
            refuse(place_of(*node, "variant"), who + " variant", "variant", rule.variant, variants);
        }
        if (!rule.baseline_variant) {
            continue;
        }
        const Place place = place_of(*node->find("baseline"), "variant");
        if (reading.all_variants_named && !has(variants, *rule.baseline_variant)) {
            refuse(place, who + " baseline.variant", "variant", *rule.baseline_variant, variants);
        } else if (*rule.baseline_variant == rule.variant) {
            mistakes.add(
                place,
                fmt::format(
                    "{} baseline.variant is {}, the budget's own variant; expected another one.",
                    who,
                    in_quotes(rule.variant)));
        }
    }
    for (const auto & [rule, node] : reading.waivers) {
        if (reading.all_budgets_named && !has(budgets, rule.budget)) {
            refuse(place_of(*node, "budget"), "waiver: budget", "budget", rule.budget, budgets);
        }
    }
}

/// As many as a run can have at most: each budget times the variants that it applies to.
int most_comparisons(const Reading & reading) {
    std::size_t comparisons = 0;
    for (const auto & [rule, node] : reading.budgets) {
        comparisons += rule.variant == "*" ? reading.variants.size() - (rule.baseline_variant ? 1 : 0) : 1;
    }
    return static_cast<int>(comparisons);
}

void check_medians(const Reading & reading, Mistakes & mistakes) {
    const auto & sampling = reading.policy.sampling;
    const int comparisons = most_comparisons(reading);
    if (comparisons < 1) {
        return;
    }
    for (const auto & [rule, node] : reading.budgets) {
        const Range range = range_of(sampling, rule.metric);
        if (rule.statistic != measure::Statistic::MEDIAN || range.min < 2 || range.max < range.min) {
            continue;  // the latter two are noted already
        }
        // Seconds of a machine that was busy now and then are judged with half the share (replay.cpp).
        const bool may_be_halved = !rule.baseline_variant && !rule.baseline_against && rule.limit.unit == Unit::SECONDS;
        const auto supported = [&](int boots) {
            const int looks = boots - range.min + 1;
            const int shares = may_be_halved ? 2 * comparisons : comparisons;
            const double alpha = measure::alpha_of_look(sampling.confidence, shares, looks, looks);
            return measure::values_for_median(alpha) <= boots;
        };
        if (supported(range.max)) {
            continue;
        }
        int needed = range.max;
        while (needed < 1000 && !supported(needed)) {
            ++needed;
        }
        mistakes.add(
            place_of(*node, "statistic"),
            fmt::format(
                "budget {}: a median cannot be judged from {}{} boots at a confidence of {:g}% over {} comparison{}; "
                "expected \"mean\", or sampling.{}.max of at least {}.",
                in_quotes(rule.name),
                range.max,
                range.key == "counted" ? " counted" : "",
                sampling.confidence * 100,
                comparisons,
                comparisons == 1 ? "" : "s",
                range.key,
                needed));
    }
}

}  // namespace

void check_whole(const Node & document, const Reading & reading, Mistakes & mistakes) {
    check_not_empty(
        document, "variants", "a list with at least one variant, such as [{name: debug, kind: debug}]", mistakes);
    check_not_empty(
        document,
        "budgets",
        "a list with at least one budget, such as [{name: launch, variant: debug, metric: launch, limit: 60s}]",
        mistakes);
    check_unique(reading.variants, "variant", mistakes);
    check_unique(reading.budgets, "budget", mistakes);
    for (const auto * metric : {"launch", "instructions"}) {
        check_range(document, range_of(reading.policy.sampling, metric), mistakes);
    }
    check_references(reading, mistakes);
    check_medians(reading, mistakes);
}

}  // namespace bootbudget::policy
