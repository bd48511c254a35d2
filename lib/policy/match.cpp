// SPDX-License-Identifier: GPL-2.0-or-later
// Every kernel is held against every variant of the policy. What does not fit is collected in words, so that a kernel that is not measured can say why.
#include "policy/match.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace bootbudget::policy {

namespace {

/// Why the kernel is not this variant; empty if it is.
std::string difference(const VariantRule & rule, const Candidate & kernel) {
    if (rule.kind && *rule.kind != kernel.kind) {
        return fmt::format("wants kind {}, this kernel is {}", to_string(*rule.kind), to_string(kernel.kind));
    }
    if (rule.flavour && *rule.flavour != kernel.flavour) {
        return fmt::format("wants flavour {}, this kernel is {}", *rule.flavour, kernel.flavour);
    }
    if (!rule.arches.empty() && std::find(rule.arches.begin(), rule.arches.end(), kernel.arch) == rule.arches.end()) {
        return fmt::format("wants {}, this kernel is for {}", fmt::join(rule.arches, " or "), kernel.arch);
    }
    for (const auto & [option, wanted] : rule.config) {
        if (kernel.configuration == nullptr) {
            return fmt::format("wants {}={}, this kernel's configuration is not known", option, wanted);
        }
        const auto value = kernel::value_of(*kernel.configuration, option);
        if (value != wanted) {
            return fmt::format("wants {}={}, this kernel has {}", option, wanted, value);
        }
    }
    return {};
}

std::string reasons(const VariantRule & rule) {
    std::vector<std::string> parts;
    if (rule.kind) {
        parts.push_back(fmt::format("kind {}", to_string(*rule.kind)));
    }
    if (rule.flavour) {
        parts.push_back("flavour " + *rule.flavour);
    }
    if (!rule.arches.empty()) {
        parts.push_back(fmt::format("for {}", fmt::join(rule.arches, " or ")));
    }
    for (const auto & [option, wanted] : rule.config) {
        parts.push_back(option + "=" + wanted);
    }
    return parts.empty() ? "which takes any kernel" : fmt::format("{}", fmt::join(parts, ", "));
}

Match match_one(const Policy & policy, const Candidate & kernel) {
    const VariantRule * found = nullptr;
    std::vector<std::string> differences;
    for (const auto & rule : policy.variants) {
        const auto why_not = difference(rule, kernel);
        if (!why_not.empty()) {
            differences.push_back(fmt::format("\"{}\" {}", rule.name, why_not));
            continue;
        }
        if (found != nullptr) {
            throw UserError(fmt::format(
                "The kernel {} is both variant \"{}\" ({}) and variant \"{}\" ({}) of the policy {}; give one of them "
                "a kind, "
                "flavour, arches or config that the kernel does not have.",
                kernel.release,
                found->name,
                reasons(*found),
                rule.name,
                reasons(rule),
                policy.file.string()));
        }
        found = &rule;
    }
    if (found == nullptr) {
        return {
            "", fmt::format("Not measured: no variant of the policy is like it: {}.", fmt::join(differences, "; "))};
    }
    return {found->name, fmt::format("It is the policy's variant \"{}\": {}.", found->name, reasons(*found))};
}

}  // namespace

std::vector<Match> match(const Policy & policy, const std::vector<Candidate> & candidates) {
    std::vector<Match> matches;
    std::map<std::string, const Candidate *> taken;
    for (const auto & kernel : candidates) {
        matches.push_back(match_one(policy, kernel));
        const auto & variant = matches.back().variant;
        if (variant.empty()) {
            continue;
        }
        const auto [first, is_new] = taken.emplace(variant, &kernel);
        if (!is_new) {
            throw UserError(fmt::format(
                "The kernels {} and {} are both variant \"{}\" of the policy {}; check one build at a time, or give "
                "the variant a "
                "flavour, arches or config that only one of them has.",
                first->second->release,
                kernel.release,
                variant,
                policy.file.string()));
        }
    }
    return matches;
}

}  // namespace bootbudget::policy
