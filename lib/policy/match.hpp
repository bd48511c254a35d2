// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "kernel/configuration.hpp"
#include "policy/policy.hpp"

#include <string>
#include <vector>

namespace bootbudget::policy {

/// What the policy needs to know of a kernel.
struct Candidate {
    std::string release;
    std::string arch;
    Kind kind = Kind::NODEBUG;
    std::string flavour;
    const kernel::Configuration * configuration = nullptr;
};

/// The name of the one variant rule that the kernel matches; empty with `why` if none does (not measured, and said so).
/// Two rules that match one kernel, or two kernels that match one rule, are UserErrors naming both.
struct Match {
    std::string variant;
    std::string why;
};
std::vector<Match> match(const Policy & policy, const std::vector<Candidate> & candidates);

}  // namespace bootbudget::policy
