// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "policy/judge.hpp"
#include "policy/policy.hpp"
#include "run/boots.hpp"
#include "run/means.hpp"

#include <bootbudget/progress.hpp>
#include <bootbudget/report.hpp>

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace bootbudget::run {

/// What the boots came to.
struct Sampled {
    policy::Judged judged;
    std::vector<std::string> notes;  ///< why sampling ended early, if it did
};

/// Boots every series as the policy's budgets need it: warm-ups and timed boots alone and in turn, in a new order each round; counted boots up to sampling.jobs
/// at once. Then goes on with what is still open until all comparisons are settled, or at runs.max and counted.max, or when total_timeout is over.
/// A series whose measured boot failed gets no further boots: its budgets are decided by that.
/// `variants` is what the judge sees and what the series point into. Console logs go to `logs` by the name that the sample's `log` carries.
Sampled sample_all(
    const policy::Policy & policy,
    std::vector<Variant> & variants,
    const std::vector<Series> & series,
    const Means & means,
    const std::filesystem::path & logs,
    Progress & progress,
    std::stop_token stop);

}  // namespace bootbudget::run
