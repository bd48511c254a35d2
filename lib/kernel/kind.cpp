// SPDX-License-Identifier: GPL-2.0-or-later
// The kind is a sum: each option of the list that is built in adds its weight. The decision comes with its reasons, because a wrong kind would
// compare a kernel with the wrong budget and nobody would see why.
#include "kernel/kind.hpp"

#include "kernel/kinds_text.hpp"

#include <bootbudget/error.hpp>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>
#include <algorithm>
#include <set>

namespace bootbudget::kernel {

namespace {

constexpr std::size_t MAX_BYTES = std::size_t{1} << 20U;
constexpr int MAX_WEIGHT = 1000;

[[noreturn]] void refuse(const std::string & name, const YAML::Mark & mark, const std::string & what) {
    throw UserError(fmt::format("{}:{}:{}: {}", name, mark.line + 1, mark.column + 1, what));
}

int positive(const YAML::Node & node, const std::string & name, const std::string & key, const YAML::Mark & mark) {
    int number = 0;
    if (!node || !node.IsScalar() || !YAML::convert<int>::decode(node, number) || number < 1 || number > MAX_WEIGHT) {
        refuse(
            name,
            node ? node.Mark() : mark,
            fmt::format("\"{}\" must be a whole number from 1 to {}.", key, MAX_WEIGHT));
    }
    return number;
}

std::string option_name(const YAML::Node & node, const std::string & name, const std::string & key) {
    constexpr std::string_view PREFIX = "CONFIG_";
    if (!node.IsScalar() || node.Scalar().size() <= PREFIX.size() ||
        node.Scalar().compare(0, PREFIX.size(), PREFIX) != 0) {
        refuse(name, node.Mark(), fmt::format("\"{}\" must be the name of an option, CONFIG_….", key));
    }
    return node.Scalar();
}

KindRule rule_of(const YAML::Node & node, const std::string & name) {
    if (!node.IsMap()) {
        refuse(name, node.Mark(), "a rule is a mapping with \"option\", \"weight\" and perhaps \"unless\".");
    }
    for (const auto & pair : node) {
        const std::string key = pair.first.IsScalar() ? pair.first.Scalar() : std::string();
        if (key != "option" && key != "weight" && key != "unless") {
            refuse(name, pair.first.Mark(), fmt::format("unknown key \"{}\" in a rule.", key));
        }
    }
    if (!node["option"]) {
        refuse(name, node.Mark(), "a rule without \"option\".");
    }
    KindRule rule;
    rule.option = option_name(node["option"], name, "option");
    rule.weight = positive(node["weight"], name, "weight", node.Mark());
    if (node["unless"]) {
        rule.unless = option_name(node["unless"], name, "unless");
    }
    return rule;
}

// "CONFIG_PROVE_LOCKING" → "PROVE_LOCKING"; sentences are for people.
std::string_view bare(const std::string & option) {
    return std::string_view(option).substr(std::string_view("CONFIG_").size());
}

}  // namespace

KindRules parse_kind_rules(const std::string & text, const std::string & name) {
    if (text.size() > MAX_BYTES) {
        throw UserError(fmt::format("{} is larger than {} bytes: no list of rules is.", name, MAX_BYTES));
    }
    try {
        const YAML::Node document = YAML::Load(text);
        if (!document.IsMap()) {
            refuse(name, document.Mark(), "expected a mapping with \"schema\", \"threshold\" and \"rules\".");
        }
        for (const auto & pair : document) {
            const std::string key = pair.first.IsScalar() ? pair.first.Scalar() : std::string();
            if (key != "schema" && key != "threshold" && key != "rules") {
                refuse(name, pair.first.Mark(), fmt::format("unknown key \"{}\".", key));
            }
        }
        const YAML::Node schema = document["schema"];
        if (!schema || !schema.IsScalar() || schema.Scalar() != "bootbudget-kinds/1") {
            refuse(name, schema ? schema.Mark() : document.Mark(), "\"schema\" must be bootbudget-kinds/1.");
        }
        KindRules result;
        result.threshold = positive(document["threshold"], name, "threshold", document.Mark());
        const YAML::Node rules = document["rules"];
        if (!rules || !rules.IsSequence() || rules.size() == 0) {
            refuse(name, rules ? rules.Mark() : document.Mark(), "\"rules\" must be a list with at least one rule.");
        }
        std::set<std::string> seen;
        for (const auto & node : rules) {
            KindRule rule = rule_of(node, name);
            if (!seen.insert(rule.option).second) {
                refuse(name, node.Mark(), fmt::format("a second rule for {}.", rule.option));
            }
            result.rules.push_back(std::move(rule));
        }
        return result;
    } catch (const YAML::Exception & error) {
        refuse(name, error.mark, fmt::format("{}.", error.msg));
    }
}

const KindRules & kind_rules() {
    static const KindRules RULES = parse_kind_rules(std::string(KINDS_YAML), "policies/kinds.yaml");
    return RULES;
}

KindDecision decide_kind(const Configuration & configuration, const KindRules & rules) {
    std::vector<const KindRule *> counted;
    std::string without_effect;
    KindDecision decision;
    for (const KindRule & rule : rules.rules) {
        if (value_of(configuration, rule.option) != "y") {
            continue;
        }
        if (!rule.unless.empty() && value_of(configuration, rule.unless) != "n") {
            without_effect += fmt::format("; {} does not count, {} is on", bare(rule.option), bare(rule.unless));
            continue;
        }
        counted.push_back(&rule);
        decision.score += rule.weight;
    }
    decision.kind = decision.score >= rules.threshold ? Kind::DEBUG : Kind::NODEBUG;

    std::stable_sort(
        counted.begin(), counted.end(), [](const KindRule * a, const KindRule * b) { return a->weight > b->weight; });
    constexpr std::size_t NAMED = 5;
    std::string names;
    for (std::size_t i = 0; i < std::min(NAMED, counted.size()); ++i) {
        names += fmt::format("{}{} ({})", i == 0 ? "" : ", ", bare(counted[i]->option), counted[i]->weight);
    }
    if (counted.size() > NAMED) {
        names += fmt::format(" and {} more", counted.size() - NAMED);
    }
    decision.why = fmt::format(
        "{}: {} {} on ({} point{}; a debug kernel has {} or more, see policies/kinds.yaml){}",
        to_string(decision.kind),
        counted.empty() ? "no option that slows a boot" : names,
        counted.size() > 1 ? "are" : "is",
        decision.score,
        decision.score == 1 ? "" : "s",
        rules.threshold,
        without_effect);
    return decision;
}

bool decides_kind(const KindRules & rules, std::string_view option) {
    return std::any_of(
        rules.rules.begin(), rules.rules.end(), [option](const KindRule & rule) { return rule.option == option; });
}

}  // namespace bootbudget::kernel
