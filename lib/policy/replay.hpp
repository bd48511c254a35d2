// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "measure/comparison.hpp"
#include "policy/policy.hpp"
#include "policy/schedule.hpp"

#include <optional>
#include <string>
#include <vector>

namespace bootbudget::policy {

/// What a comparison is judged by: a metric of the boots of one mode, in their order.
struct Evidence {
    std::vector<double> values;
    std::vector<std::string> busy;  ///< beside values: what kept the machine busy in that round; empty if nothing
    std::optional<std::vector<double>> baseline;  ///< value i was booted in turn with value i
};

/// The look that settled a comparison, or the last one.
struct Look {
    measure::Comparison comparison;  ///< as it was judged: with the values that decided, or would
    measure::Judgement judgement;
    measure::Looks looks;          ///< that it is one of
    int boots = 0;                 ///< of each series, at most
    int busy = 0;                  ///< of these, on a busy machine
    std::string because;           ///< what kept the machine busy, in the last such boot
    bool quiet = false;            ///< judged by the boots on a quiet machine alone
    bool only_busy = false;        ///< the limit is exceeded, but only with the boots on a busy machine
    std::optional<double> spread;  ///< counted boots: (max - min) / mean, of the side where it is larger
    bool agreed = false;           ///< counted boots: within the tolerance
    bool in_vain = false;          ///< open, and more boots would not settle it
};

/// Looks at the evidence as the run did, after each boot from the first look on.
///
/// A comparison is settled by the first look that settles it, and stays so: the samples of later boots, made for other comparisons, do not undo it. The looks are
/// played again from the samples, so that the same samples always give the same verdict.
///
/// Three sorts of comparisons:
/// - Means, medians and ratios of timed boots: by the bounds of measure::judge; those of ratios are wider once a round was busy.
/// - Seconds without a baseline, in which some boots found the machine busy. Load only slows, so the upper bound of all boots can show that the limit is kept; so can that
///   of the quiet ones, each at half the share. That it is exceeded only the quiet ones can show, as soon as there are as many as the first look needs. More boots are
///   in vain when three fifths of runs.max were busy one after the other and the lower bound of all is above the limit.
/// - Counted boots: by the stated tolerance (and the reading error of a phase) while they agree (measure::agreed_interval), else by Student's bounds. While
///   they agree, and the limit is nearer than the tolerance, more boots are in vain.
Look replay(const BudgetRule & budget, const Schedule & schedule, const Evidence & evidence);

}  // namespace bootbudget::policy
