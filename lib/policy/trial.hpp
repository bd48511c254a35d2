// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "policy/pairing.hpp"
#include "policy/schedule.hpp"

#include <string>

namespace bootbudget::policy {

/// What became of a pair.
struct Trial {
    BudgetResult result;
    bool open = false;  ///< more boots could settle it
};

/// Judges one pair by the samples so far. `counter_missing`: why instructions cannot be counted, empty if they can.
Trial judge_pair(const Pair & pair, const Schedule & schedule, const std::string & counter_missing);

}  // namespace bootbudget::policy
