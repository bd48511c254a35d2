// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "kernel/configuration.hpp"

#include <bootbudget/report.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace bootbudget::kernel {

/// One line of policies/kinds.yaml: an option that speaks for "debug" with this weight, unless another option takes its effect away.
struct KindRule {
    std::string option;  ///< "CONFIG_DEBUG_KMEMLEAK"
    int weight = 0;      ///< > 0
    std::string unless;  ///< "CONFIG_DEBUG_KMEMLEAK_DEFAULT_OFF", or empty
};

struct KindRules {
    int threshold = 0;  ///< a sum of weights at or above it makes the kernel "debug"
    std::vector<KindRule> rules;
};

/// The rules that the library was built with (policies/kinds.yaml is compiled in).
const KindRules & kind_rules();

/// Parses a rules file; throws UserError with file, line and column.
KindRules parse_kind_rules(const std::string & text, const std::string & name);

struct KindDecision {
    Kind kind = Kind::NODEBUG;
    int score = 0;
    std::string why;  ///< one sentence: "debug: PROVE_LOCKING (10), KASAN (10), … are on, 48 of at least 10"
};

KindDecision decide_kind(const Configuration & configuration, const KindRules & rules);

/// True if the option is named by a rule.
bool decides_kind(const KindRules & rules, std::string_view option);

}  // namespace bootbudget::kernel
