// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "policy/policy.hpp"

#include <vector>

namespace bootbudget::policy {

/// What was noticed in the consoles of the measured variants, one entry for each variant and sort of finding: where it was seen first, and in how many
/// boots. Warm-up boots and boots that failed count: a finding is evidence by itself. Boots of another kernel than the variant's do not.
/// What is found in the build against is only noted: it is not the build under test.
std::vector<ReportedFinding> report_findings(const Policy & policy, const std::vector<Variant> & variants);

}  // namespace bootbudget::policy
