// SPDX-License-Identifier: GPL-2.0-or-later
// A policy is made with limits that anything keeps, the report is judged by it, and the bounds that the judge has found become the limits. So a
// proposal can never ask for what its own check could not show.
#include "policy/suggest.hpp"

#include "common/units.hpp"
#include "policy/document.hpp"
#include "policy/judge.hpp"
#include "policy/limit.hpp"
#include "policy/proposal.hpp"
#include "policy/schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

namespace bootbudget::policy {

namespace {

/// A limit that lies further than this above what was measured would say nothing of the kernel.
constexpr double MOST_DOUBT = 2;

/// What the report's own policy says of the boots and the kernels.
struct Origin {
    Policy rules;      ///< its sampling is the judge's
    std::string text;  ///< the sections to keep, as YAML
    bool readable = false;

    const VariantRule * variant(const std::string & name) const {
        const auto found = std::find_if(
            rules.variants.begin(), rules.variants.end(), [&](const VariantRule & rule) { return rule.name == name; });
        return found == rules.variants.end() ? nullptr : &*found;
    }
};

Origin read_origin(const std::string & text) {
    Origin origin;
    Mistakes mistakes;
    mistakes.add_file("the report's policy");
    const auto document = read_document(text, 0, mistakes);
    if (!document || document->kind != Node::Kind::MAPPING) {
        return origin;
    }
    Reading reading = read_schema(*document, mistakes);
    check_whole(*document, reading, mistakes);
    if (!mistakes.empty()) {
        return origin;
    }
    Node kept;
    kept.kind = Node::Kind::MAPPING;
    for (const auto * key : {"boot", "sampling", "findings", "on_error", "on_inconclusive"}) {
        if (const Node * section = document->find(key)) {
            kept.keys.push_back({key, {}});
            kept.items.push_back(*section);
        }
    }
    origin.rules = std::move(reading.policy);
    for (auto & placed : reading.variants) {
        origin.rules.variants.push_back(std::move(placed.rule));
    }
    origin.text = kept.items.empty() ? "" : write_document(kept);
    origin.readable = true;
    return origin;
}

std::string words(double value, Unit unit) {
    return common::format_quantity({value, unit});
}

/// A limit that anything keeps is settled by the first look; boots after that do not move its bound. ", by the first 3 of 6 boots", or nothing if there are no more.
std::string ground_of(const BudgetRule & rule, const SamplingRules & sampling, const std::vector<Variant> & variants) {
    const Mode mode = is_counted(rule.metric) ? Mode::COUNTED : Mode::TIMED;
    const auto first = static_cast<std::size_t>(mode == Mode::COUNTED ? sampling.counted_min : sampling.runs_min);
    std::size_t boots = std::numeric_limits<std::size_t>::max();
    for (const auto & variant : variants) {
        if (variant.name == rule.variant || variant.name == rule.baseline_variant) {
            boots = std::min(boots, boots_of(variant, mode).size());
        }
    }
    return first < boots ? fmt::format(", by the first {} of {} boots", first, boots) : "";
}

/// Turns what the judge found about a proposal into its limit, or into the reason why it has none. `ground`: of ground_of().
void settle(
    Proposal & proposal, const BudgetResult & result, const std::string & ground, double confidence, double margin) {
    if (!proposal.obstacle.empty()) {
        return;
    }
    if (result.verdict != Verdict::PASS || !result.interval_high) {
        proposal.obstacle = common::printable(result.why, 500) + ".";
        return;
    }
    const Unit unit = proposal.rule.limit.unit;
    if (result.estimate && *result.interval_high > MOST_DOUBT * *result.estimate) {
        proposal.obstacle = fmt::format(
            "The boots differ so much that a check can only be sure of {} where {} was measured; measure on a quieter "
            "machine, or make more boots (sampling.{}.min).",
            words(*result.interval_high, unit),
            words(*result.estimate, unit),
            is_counted(proposal.rule.metric) ? "counted" : "runs");
        return;
    }
    const double wanted = *result.interval_high * (1 + margin);
    const auto limit = common::parse_quantity(rounded_limit(wanted, unit));
    if (!limit) {
        proposal.obstacle = fmt::format("{:g} is no limit that a policy could have.", wanted);
        return;
    }
    proposal.rule.limit = *limit;
    proposal.reasons.insert(
        proposal.reasons.begin() + 1,
        fmt::format(
            "A check by this policy can be sure of {} at most (at {:g} %{}); {:g} % more is {}, rounded up.",
            words(*result.interval_high, unit),
            confidence * 100,
            ground,
            margin * 100,
            words(wanted, unit)));
}

std::string flow_of(const std::vector<std::string> & arches) {
    return fmt::format("[{}]", fmt::join(arches, ", "));
}

std::string quoted(const std::string & text) {
    Node node;
    node.kind = Node::Kind::SCALAR;
    node.text = text;
    node.has_quotes = true;
    std::string written = write_document(node);
    written.pop_back();  // the line's end
    return written;
}

std::string write_variant(const Variant & variant, const VariantRule * rule) {
    std::string text = "  - {name: " + variant.name;
    if (variant.kind != Kind::UNKNOWN) {
        text += fmt::format(", kind: {}", to_string(variant.kind));
    }
    if (is_name(variant.flavour)) {
        text += ", flavour: " + variant.flavour;
    }
    if (rule != nullptr && !rule->arches.empty()) {
        text += ", arches: " + flow_of(rule->arches);
    }
    if (rule != nullptr && !rule->config.empty()) {
        std::vector<std::string> options;
        for (const auto & [option, value] : rule->config) {
            options.push_back(option + ": " + quoted(value));
        }
        text += fmt::format(", config: {{{}}}", fmt::join(options, ", "));
    }
    if (rule != nullptr && rule->required) {
        text += ", required: true";
    }
    return text + "}\n";
}

std::string write_proposal(const Proposal & proposal) {
    const BudgetRule & rule = proposal.rule;
    std::string text = "\n";
    for (const auto & reason : proposal.reasons) {
        text += "  # " + reason + "\n";
    }
    if (!proposal.obstacle.empty()) {
        return text + "  # Not proposed: " + proposal.obstacle + "\n";
    }
    text += fmt::format("  - name: {}\n    variant: {}\n    metric: {}\n", rule.name, rule.variant, rule.metric);
    if (rule.baseline_variant) {
        text += fmt::format("    baseline: {{variant: {}}}\n", *rule.baseline_variant);
    }
    text += fmt::format("    limit: {}\n", rounded_limit(rule.limit.value, rule.limit.unit));
    text += fmt::format("    on_exceed: {}\n", to_string(rule.on_exceed));
    if (!rule.arches.empty()) {
        text += fmt::format("    arches: {}\n", flow_of(rule.arches));
    }
    return text;
}

/// The measured variants of the build under test, whose names and architecture are fit for a policy.
std::vector<Variant> subjects_of(const Report & report, const std::string & name) {
    std::vector<Variant> variants;
    bool measured = false;
    for (const auto & variant : report.variants) {
        if (variant.build != BuildRole::SUBJECT || variant.name.empty()) {
            continue;
        }
        if (!is_name(variant.name)) {
            throw UserError(fmt::format(
                "{}: the variant {} has no name that a policy could have; was the report changed by hand? Check the "
                "kernels again.",
                name,
                in_quotes(variant.name)));
        }
        variants.push_back(variant);
        measured = measured || !boots_of(variant, Mode::TIMED).empty() || !boots_of(variant, Mode::COUNTED).empty();
    }
    if (!measured) {
        throw UserError(fmt::format(
            "{} has no boot to take limits from: none was valid after the warm-up; see what went wrong with "
            "\"bootbudget report {}\", and check the kernels again.",
            name,
            name));
    }
    return variants;
}

}  // namespace

std::string suggest(const Report & report, double margin, const std::string & name) {
    const auto variants = subjects_of(report, name);
    const Origin origin = read_origin(report.policy.text);
    auto proposals = propose(report, variants);

    Policy policy = origin.rules;
    policy.variants.clear();
    for (const auto & variant : variants) {
        VariantRule rule;
        rule.name = variant.name;
        policy.variants.push_back(std::move(rule));
    }
    for (const auto & proposal : proposals) {
        policy.budgets.push_back(proposal.rule);
    }
    const auto judged =
        judge(policy, variants, Last::YES, report.started.substr(0, 10), report.environment.arch, std::string());
    for (auto & proposal : proposals) {
        const auto result = std::find_if(judged.budgets.begin(), judged.budgets.end(), [&](const BudgetResult & one) {
            return one.name == proposal.rule.name;
        });
        if (result == judged.budgets.end()) {
            throw BugError(
                fmt::format("The proposed budget {} was not judged; please report this.", proposal.rule.name));
        }
        const auto ground = ground_of(proposal.rule, policy.sampling, variants);
        settle(proposal, *result, ground, policy.sampling.confidence, margin);
    }
    const auto is_proposed = [](const Proposal & proposal) { return proposal.obstacle.empty(); };
    if (std::none_of(proposals.begin(), proposals.end(), is_proposed)) {
        throw UserError(fmt::format(
            "{}: no limit can be taken from its boots. {}: {} Check the kernels again with more boots.",
            name,
            proposals.front().rule.name,
            proposals.front().obstacle));
    }

    std::string text = fmt::format(
        "# Proposed from {}, measured {}{}.\n"
        "# Every limit is what a check by this policy can be sure of, and {:g} % more. Read the reasons, change what "
        "you\n"
        "# know better, and look at the limits again when the kernels have changed on purpose.\n"
        "schema: bootbudget-policy/1\n\n",
        common::printable(name, 300),
        common::printable(report.started, 30),
        report.environment.host.contains("cpu") ? " on " + common::printable(report.environment.host.at("cpu"), 100)
                                                : "",
        margin * 100);
    if (origin.readable && !origin.text.empty()) {
        text += "# As the report's own policy had them.\n" + origin.text + "\n";
    } else if (!origin.readable) {
        text += "# The report's own policy cannot be read by this version: boots and sampling are the defaults.\n\n";
    }
    text += "variants:\n";
    for (const auto & variant : variants) {
        text += write_variant(variant, origin.variant(variant.name));
    }
    text += "\nbudgets:";
    for (const auto & proposal : proposals) {
        text += write_proposal(proposal);
    }
    return text;
}

}  // namespace bootbudget::policy
