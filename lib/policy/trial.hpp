// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "measure/comparison.hpp"
#include "policy/pairing.hpp"

namespace bootbudget::policy {

/// When a comparison is looked at, and how much error each look may make.
struct Schedule {
    double confidence = 0.95;
    int comparisons = 1;  ///< that are not skipped
    int runs_min = 3;
    int runs_max = 15;
    bool last = false;  ///< no more boots will come
};

/// What became of a pair.
struct Trial {
    BudgetResult result;
    bool open = false;  ///< more boots could settle it
};

/// Judges one pair by the samples so far.
///
/// A comparison is settled by the first look that settles it, and stays so: the samples of later boots, made for other comparisons, do not undo it. The looks are played
/// again from the samples, so that the same samples always give the same verdict.
Trial judge_pair(const Pair & pair, const Schedule & schedule);

}  // namespace bootbudget::policy
