// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "policy/policy.hpp"

#include <string>
#include <vector>

namespace bootbudget::policy {

/// A budget in the making, whose limit is not known yet.
struct Proposal {
    BudgetRule rule;                   ///< with a limit that anything keeps
    std::vector<std::string> reasons;  ///< a comment line each
    std::string obstacle;              ///< why it is not proposed, as a sentence; empty if it is
};

/// The boots of a series that limits may come from: valid, finished, no warm-up.
std::vector<const Sample *> boots_of(const Variant & variant, Mode mode);

/// Which budgets the variants of a report could have. Names are unique and fit for a policy if those of the variants are.
std::vector<Proposal> propose(const Report & report, const std::vector<Variant> & variants);

}  // namespace bootbudget::policy
