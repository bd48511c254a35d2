// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "policy/pairing.hpp"
#include "policy/replay.hpp"

#include <string>

namespace bootbudget::policy {

/// In words: "variant nodebug", "build against"; empty for an absolute limit.
std::string baseline_name(const BudgetRule & budget);

/// Why a comparison is settled: "29.1 s ± 0.4 s keeps the limit of 60 s (upper bound 30.4 s at 95 %, 3 boots)". Needs an interval.
std::string settled_sentence(const BudgetRule & budget, const Schedule & schedule, const Look & look);

/// Why nothing was judged: "no counted boot was made before total_timeout of 60 min, 2 are needed".
std::string untried_sentence(const Schedule & schedule, Mode mode);

/// Why nothing is known of seconds whose launch was cut off on a busy machine, and what would decide it.
std::string cut_off_sentence(const BudgetRule & budget, const Sample & cut_off);

/// Why it is open after so many boots of each series, and what would settle it; or that more of them may follow.
std::string open_sentence(
    const BudgetRule & budget, const Schedule & schedule, const Look & look, int boots, bool more_may_follow);

}  // namespace bootbudget::policy
