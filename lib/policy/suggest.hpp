// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bootbudget/report.hpp>

#include <string>

namespace bootbudget::policy {

/// A whole bootbudget-policy/1 whose limits come from a report's measured series, with the reasoning of each as a comment.
///
/// Variants are those of the build under test; boots, sampling and findings are as the report's own policy has them. For each variant a launch
/// time (not if its boots were disturbed), guest instructions and memory, and for each debug kernel its ratio to the other kernel of its
/// flavour. A limit is the upper bound that a check by this very policy has for the series, times 1 + `margin` (0.25 for 25 %), rounded up. So the
/// report keeps the policy that is made from it.
///
/// `name` says where the report came from. UserError with the next step if nothing can be proposed from it.
std::string suggest(const Report & report, double margin, const std::string & name);

}  // namespace bootbudget::policy
