// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "policy/policy.hpp"

#include <string>
#include <vector>

namespace bootbudget::policy {

/// One budget for one variant: what will be one line of the report's budgets.
struct Pair {
    const BudgetRule * budget = nullptr;
    std::string variant;
    const Variant * subject = nullptr;   ///< nullptr if missing
    const Variant * baseline = nullptr;  ///< nullptr if missing, or for an absolute limit
    Verdict verdict = Verdict::PASS;     ///< SKIPPED or ERROR: settled without a boot of either, as `why` says
    std::string why;
};

/// Every budget times the variants that it applies to, in the policy's order. `"*"` stands for the measured variants of the build under test, and the required
/// ones that are missing; not for the budget's own baseline. The baseline {build: against} is the variant of the same name of the second build.
std::vector<Pair> pair_up(const Policy & policy, const std::vector<Variant> & variants, const std::string & arch);

/// The variant of one of the builds by its policy name; nullptr if missing.
const Variant * find_variant(const std::vector<Variant> & variants, const std::string & name, BuildRole role);

/// True if a list of architectures, empty for every one, has this one.
bool applies_to(const std::vector<std::string> & arches, const std::string & arch);

}  // namespace bootbudget::policy
