// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "boot/boot.hpp"
#include "policy/judge.hpp"
#include "policy/policy.hpp"

#include <bootbudget/progress.hpp>
#include <bootbudget/report.hpp>

#include <filesystem>
#include <stop_token>
#include <vector>

namespace bootbudget::run {

/// A variant that is booted, with where its boots happen.
struct Series {
    Variant * variant = nullptr;  ///< samples are appended here
    boot::Bootable bootable;
};

/// What the boots came to.
struct Sampled {
    policy::Judged judged;
    std::vector<std::string> notes;  ///< why sampling ended early, if it did
};

/// Boots every series in turn: the warm-ups, then rounds of one boot each, until the policy's comparisons are all settled, or at runs.max, or when
/// total_timeout is over. A series whose measured boot failed gets no further boots: its budgets are decided by that.
/// `variants` is what the judge sees and what the series point into. Console logs go to `logs` by the name that the sample's `log` carries.
Sampled sample_all(
    const policy::Policy & policy,
    std::vector<Variant> & variants,
    std::vector<Series> & series,
    const std::filesystem::path & logs,
    Progress & progress,
    std::stop_token stop);

}  // namespace bootbudget::run
