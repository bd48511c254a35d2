// SPDX-License-Identifier: GPL-2.0-or-later
// Which comparisons there are to make, and which are settled before any boot: what does not apply here is skipped, what must be there and is
// not is an error. A missing baseline never becomes a ratio of 1.
#include "policy/pairing.hpp"

#include "policy/series.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace bootbudget::policy {

namespace {

const VariantRule * find_rule(const Policy & policy, const std::string & name) {
    const auto found = std::find_if(
        policy.variants.begin(), policy.variants.end(), [&](const VariantRule & rule) { return rule.name == name; });
    return found == policy.variants.end() ? nullptr : &*found;
}

class Pairing {
public:
    Pairing(const Policy & policy, const std::vector<Variant> & variants, const std::string & arch)
        : policy_(policy), variants_(variants), arch_(arch) {}

    std::vector<Pair> all() const {
        std::vector<Pair> pairs;
        for (const auto & budget : policy_.budgets) {
            const auto names = variants_of(budget);
            for (const auto & name : names) {
                pairs.push_back(pair(budget, name));
            }
            if (names.empty()) {
                Pair none;
                none.budget = &budget;
                none.variant = budget.variant;
                settle(none, Verdict::SKIPPED, "skipped: no variant was measured that it applies to");
                pairs.push_back(std::move(none));
            }
        }
        return pairs;
    }

private:
    std::vector<std::string> variants_of(const BudgetRule & budget) const {
        if (budget.variant != "*") {
            return {budget.variant};
        }
        std::vector<std::string> names;
        for (const auto & rule : policy_.variants) {
            const bool expected = rule.required && applies_to(rule.arches, arch_);
            const bool measured = find_variant(variants_, rule.name, BuildRole::SUBJECT) != nullptr;
            if (rule.name != budget.baseline_variant && (expected || measured)) {
                names.push_back(rule.name);
            }
        }
        return names;
    }

    Pair pair(const BudgetRule & budget, const std::string & name) const {
        Pair pair;
        pair.budget = &budget;
        pair.variant = name;
        if (!applies_to(budget.arches, arch_)) {
            settle(
                pair,
                Verdict::SKIPPED,
                fmt::format(
                    "skipped: the budget is for {}, this machine is {}", fmt::join(budget.arches, " and "), arch_));
            return pair;
        }
        pair.subject = find_variant(variants_, name, BuildRole::SUBJECT);
        if (pair.subject == nullptr) {
            settle_missing(pair, name, "the build", "to judge");
        } else if (budget.baseline_variant) {
            pair.baseline = find_variant(variants_, *budget.baseline_variant, BuildRole::SUBJECT);
            if (pair.baseline == nullptr) {
                settle_missing(pair, *budget.baseline_variant, "the build", "to compare with");
            }
        } else if (budget.baseline_against) {
            pair.baseline = find_variant(variants_, name, BuildRole::AGAINST);
            if (pair.baseline == nullptr) {
                settle_missing_against(pair, name);
            }
        }
        for (const auto * variant : {pair.subject, pair.baseline}) {
            if (pair.verdict == Verdict::PASS && variant != nullptr && can_never_boot(*variant)) {
                settle(pair, Verdict::ERROR, "could not be measured: " + Series(*variant, Mode::TIMED).absence());
            }
        }
        return pair;
    }

    static bool can_never_boot(const Variant & variant) {
        return variant.samples.empty() && !variant.not_booted.empty();
    }

    void settle_missing(Pair & pair, const std::string & name, std::string_view build, std::string_view purpose) const {
        const VariantRule * rule = find_rule(policy_, name);
        if (rule != nullptr && !applies_to(rule->arches, arch_)) {
            settle(
                pair,
                Verdict::SKIPPED,
                fmt::format(
                    "skipped: variant \"{}\" is for {}, this machine is {}",
                    name,
                    fmt::join(rule->arches, " and "),
                    arch_));
        } else if (rule != nullptr && rule->required) {
            settle(
                pair,
                Verdict::ERROR,
                fmt::format(
                    "could not be measured: no kernel of {} is variant \"{}\", which the policy requires",
                    build,
                    name));
        } else {
            settle(
                pair,
                Verdict::SKIPPED,
                fmt::format("skipped: no kernel of {} is variant \"{}\" {}", build, name, purpose));
        }
    }

    void settle_missing_against(Pair & pair, const std::string & name) const {
        const bool given = std::any_of(variants_.begin(), variants_.end(), [](const Variant & variant) {
            return variant.build == BuildRole::AGAINST;
        });
        if (given) {
            settle_missing(pair, name, "the build against", "to compare with");
            return;
        }
        // Not an error, even of a required variant: who checks one build alone has asked for no comparison.
        settle(pair, Verdict::SKIPPED, "skipped: there is no build to compare with (--against)");
    }

    static void settle(Pair & pair, Verdict verdict, const std::string & why) {
        pair.verdict = verdict;
        pair.why = why;
    }

    const Policy & policy_;
    const std::vector<Variant> & variants_;
    const std::string & arch_;
};

}  // namespace

std::vector<Pair> pair_up(const Policy & policy, const std::vector<Variant> & variants, const std::string & arch) {
    return Pairing(policy, variants, arch).all();
}

const Variant * find_variant(const std::vector<Variant> & variants, const std::string & name, BuildRole role) {
    const auto found = std::find_if(variants.begin(), variants.end(), [&](const Variant & variant) {
        return variant.build == role && variant.name == name;
    });
    return found == variants.end() ? nullptr : &*found;
}

bool applies_to(const std::vector<std::string> & arches, const std::string & arch) {
    return arches.empty() || std::find(arches.begin(), arches.end(), arch) != arches.end();
}

}  // namespace bootbudget::policy
