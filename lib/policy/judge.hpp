// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "policy/policy.hpp"
#include "policy/schedule.hpp"

#include <bootbudget/report.hpp>

#include <string>
#include <vector>

namespace bootbudget::policy {

/// One more boot of this sort would help.
struct Wanted {
    std::size_t variant = 0;  ///< index into the variants that were judged
    Mode mode = Mode::TIMED;

    bool operator==(const Wanted &) const = default;
};

/// What each variant's budgets need at all, before any boot.
struct Needs {
    bool timed = false;    ///< a budget in seconds or bytes concerns it, as subject or baseline; or none at all does
    bool counted = false;  ///< a budget in instructions does
};

/// By index of `variants`; those that are not measured (no name) or cannot be booted (not_booted) need nothing, nor does one for comparisons with such a one.
/// Variants of the second build need what the budgets with
/// {build: against} need; none of them: what their namesakes of the first build need, so that the report shows both.
std::vector<Needs> needs_of(const Policy & policy, const std::vector<Variant> & variants, const std::string & arch);

/// The variants of a run with their samples so far become verdicts.
struct Judged {
    std::vector<BudgetResult> budgets;
    std::vector<ReportedFinding> findings;
    Verdict verdict = Verdict::SKIPPED;
    int exit_status = 0;
    std::vector<Wanted> wanted;  ///< boots that could settle what is still open, each once; empty: nothing is open
};

/// Judges as docs/policy.md says. `variants` are those that the policy measures or would, of both builds (missing ones are simply not in it).
/// Which look a comparison is at follows from the number of its series' valid boots: look 1 at runs.min (counted.min) of each.
/// `last`: if no more boots will come, open comparisons become inconclusive, and variants without a boot errors; unless it was only the time that they lacked, which
/// is inconclusive, too. `today` is YYYY-MM-DD in UTC, for waivers. `arch` the host's.
/// `counter_missing`: why instructions cannot be counted on this machine, empty if they can; budgets that need them are then errors.
Judged judge(
    const Policy & policy,
    const std::vector<Variant> & variants,
    Last last,
    const std::string & today,
    const std::string & arch,
    const std::string & counter_missing);

/// Fills each variant's summary from its valid samples (seconds and bytes of the timed ones, instructions of the counted ones), and marks
/// outliers in the samples.
void summarise(std::vector<Variant> & variants, double confidence);

}  // namespace bootbudget::policy
