// SPDX-License-Identifier: GPL-2.0-or-later
// A policy is made with limits that anything keeps, the report is judged by it, and the bounds that the judge has found become the limits. So a
// proposal can never ask for what its own check could not show.
#include "policy/suggest.hpp"

#include "common/units.hpp"
#include "policy/document.hpp"
#include "policy/judge.hpp"
#include "policy/limit.hpp"
#include "policy/schema.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace bootbudget::policy {

namespace {

constexpr double MIB = 1024.0 * 1024.0;

/// A budget in the making.
struct Proposal {
    BudgetRule rule;
    std::vector<std::string> reasons;  ///< a comment line each
    std::string obstacle;              ///< why it is not proposed, as a sentence; empty if it is
};

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

/// More than any boot needs, and as much as a policy may say.
Quantity boundless(Unit unit) {
    switch (unit) {
        case Unit::SECONDS:
            return {1e9, unit};
        case Unit::BYTES:
            return {1024 * 1024 * 1024 * MIB, unit};
        case Unit::COUNT:
            return {1e18, unit};
        case Unit::RATIO:
            break;
    }
    return {1e6, Unit::RATIO};
}

std::vector<const Sample *> boots_of(const Variant & variant, Mode mode) {
    std::vector<const Sample *> boots;
    for (const auto & sample : variant.samples) {
        if (sample.valid && !sample.warmup && sample.outcome == Outcome::OK && sample.mode == mode) {
            boots.push_back(&sample);
        }
    }
    return boots;
}

std::string words(double value, Unit unit) {
    return common::format_quantity({value, unit});
}

/// "32.3 s ± 2.5 % in 3 boots".
std::string measured(const Variant & variant, const std::string & metric) {
    const auto found = variant.summary.find(metric);
    if (found == variant.summary.end()) {
        return "no summary";
    }
    const Summary & summary = found->second;
    return fmt::format(
        "{}{} in {}{} boot{}",
        words(summary.mean, summary.unit),
        summary.mean > 0 ? fmt::format(" ± {:.{}f} %", 100 * summary.sd / summary.mean, is_counted(metric) ? 2 : 1) : "",
        summary.n,
        is_counted(metric) ? " counted" : "",
        summary.n == 1 ? "" : "s");
}

/// "41 % CPU pressure in 2 of 3 boots" if timed boots were disturbed, else empty.
std::string disturbance(const Variant & variant) {
    const auto boots = boots_of(variant, Mode::TIMED);
    const auto is_busy = [](const Sample * sample) { return !sample->busy.empty(); };
    const auto first = std::find_if(boots.begin(), boots.end(), is_busy);
    return first == boots.end() ? ""
                                : fmt::format(
                                      "{} in {} of {} boots",
                                      common::printable((*first)->busy, 100),
                                      std::count_if(boots.begin(), boots.end(), is_busy),
                                      boots.size());
}

class Proposals {
public:
    explicit Proposals(const Report & report) : report_(report) {}

    std::vector<Proposal> make(const std::vector<Variant> & variants) {
        for (const auto & variant : variants) {
            const bool timed = !boots_of(variant, Mode::TIMED).empty();
            const bool counted = !boots_of(variant, Mode::COUNTED).empty();
            const Variant * base = base_of(variant, variants);
            if (timed) {
                launch(variant);
            }
            if (timed && base != nullptr && !boots_of(*base, Mode::TIMED).empty()) {
                ratio(variant, *base, "launch", "-slowdown");
            }
            if (counted) {
                instructions(variant);
            }
            if (counted && base != nullptr && !boots_of(*base, Mode::COUNTED).empty()) {
                ratio(variant, *base, "instructions", "-work");
            }
            if (timed) {
                memory(variant);
            }
        }
        return std::move(proposals_);
    }

private:
    /// The other kernel of its flavour that a debug kernel is compared with.
    static const Variant * base_of(const Variant & variant, const std::vector<Variant> & variants) {
        const auto found = std::find_if(variants.begin(), variants.end(), [&](const Variant & other) {
            return variant.kind == Kind::DEBUG && other.kind == Kind::NODEBUG && other.flavour == variant.flavour;
        });
        return found == variants.end() ? nullptr : &*found;
    }

    Proposal & add(const Variant & variant, const std::string & metric, std::string_view suffix, Unit unit) {
        constexpr std::size_t LONGEST_STEM = 48;  // is_name() takes 64
        const auto stem = variant.name.substr(0, LONGEST_STEM) + std::string(suffix);
        std::string name = stem;
        for (int number = 2; !names_.insert(name).second; ++number) {
            name = fmt::format("{}-{}", stem, number);
        }
        Proposal proposal;
        proposal.rule.name = name;
        proposal.rule.variant = variant.name;
        proposal.rule.metric = metric;
        proposal.rule.limit = boundless(unit);
        if (unit != Unit::RATIO && is_arch(report_.environment.arch)) {
            proposal.rule.arches = {report_.environment.arch};
        }
        proposals_.push_back(std::move(proposal));
        return proposals_.back();
    }

    void launch(const Variant & variant) {
        Proposal & proposal = add(variant, "launch", "-launch", Unit::SECONDS);
        proposal.reasons = {
            fmt::format("Launch of {}: {}.", variant.name, measured(variant, "launch")),
            "Seconds hold on this machine only: measure again on another one."};
        if (const auto around = disturbance(variant); !around.empty()) {
            proposal.obstacle = fmt::format(
                "The machine was busy ({}), so these are not the kernel's own seconds; measure on a quiet one.",
                around);
        }
    }

    void instructions(const Variant & variant) {
        add(variant, "instructions", "-instructions", Unit::COUNT).reasons = {
            fmt::format("Guest instructions of {}: {}.", variant.name, measured(variant, "instructions")),
            fmt::format(
                "They hold on a busy machine too, but only within one environment: QEMU, appliance, memory, … "
                "(fingerprint {}).",
                report_.environment.fingerprint.empty()
                    ? "unknown"
                    : common::printable(report_.environment.fingerprint.substr(0, 12), 60))};
    }

    void memory(const Variant & variant) {
        add(variant, "memory", "-memory", Unit::BYTES).reasons = {
            fmt::format("Peak memory of QEMU with {}: {}.", variant.name, measured(variant, "memory"))};
        proposals_.back().rule.on_exceed = Consequence::WARN;
    }

    void ratio(const Variant & variant, const Variant & base, const std::string & metric, std::string_view suffix) {
        Proposal & proposal = add(variant, metric, suffix, Unit::RATIO);
        proposal.rule.baseline_variant = base.name;
        proposal.reasons = {
            fmt::format(
                "{} of {} beside {}: {} beside {}.",
                metric == "launch" ? "Launch" : "Guest instructions",
                variant.name,
                base.name,
                measured(variant, metric),
                measured(base, metric)),
            "A ratio holds on any machine, quiet or busy: both kernels are booted in turn in the same run."};
    }

    const Report & report_;
    std::vector<Proposal> proposals_;
    std::set<std::string> names_;
};

/// Turns what the judge found about a proposal into its limit, or into the reason why it has none.
void settle(Proposal & proposal, const BudgetResult & result, double confidence, double margin) {
    if (!proposal.obstacle.empty()) {
        return;
    }
    if (result.verdict != Verdict::PASS || !result.interval_high) {
        proposal.obstacle = common::printable(result.why, 500) + ".";
        return;
    }
    const Unit unit = proposal.rule.limit.unit;
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
            "A check by this policy can be sure of {} at most (at {:g} %); {:g} % more is {}, rounded up.",
            words(*result.interval_high, unit),
            confidence * 100,
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
    auto proposals = Proposals(report).make(variants);

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
        judge(policy, variants, true, report.started.substr(0, 10), report.environment.arch, std::string());
    for (auto & proposal : proposals) {
        const auto result = std::find_if(judged.budgets.begin(), judged.budgets.end(), [&](const BudgetResult & one) {
            return one.name == proposal.rule.name;
        });
        if (result == judged.budgets.end()) {
            throw BugError(
                fmt::format("The proposed budget {} was not judged; please report this.", proposal.rule.name));
        }
        settle(proposal, *result, policy.sampling.confidence, margin);
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
