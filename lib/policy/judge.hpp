// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "policy/policy.hpp"

#include <bootbudget/report.hpp>

#include <string>
#include <vector>

namespace bootbudget::policy {

/// The variants of a run with their samples so far become verdicts.
struct Judged {
    std::vector<BudgetResult> budgets;
    std::vector<ReportedFinding> findings;
    Verdict verdict = Verdict::SKIPPED;
    int exit_status = 0;
    bool open = false;                       ///< some comparison is still open and more boots could settle it
    std::vector<std::string> open_variants;  ///< variants whose further samples would help
};

/// Judges as the design's list under "The policy" says. `variants` are those that the policy measures or would (missing ones are simply not in it); `look` is the
/// number of the look (1 at runs.min samples per variant, as in measure::alpha_of_look); `last` says that no more boots will come, so open comparisons become inconclusive. `today` is YYYY-MM-DD in UTC, for waivers. `arch` the host's.
Judged judge(
    const Policy & policy,
    const std::vector<Variant> & variants,
    int look,
    bool last,
    const std::string & today,
    const std::string & arch);

/// Fills each variant's summary from its valid samples.
void summarise(std::vector<Variant> & variants, double confidence);

}  // namespace bootbudget::policy
