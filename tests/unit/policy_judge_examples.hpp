// SPDX-License-Identifier: GPL-2.0-or-later
// What the tests of the judge share: boots, variants and budgets in a line each, and a policy with two variants.
#pragma once

#include "policy/judge.hpp"

#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace bootbudget::policy {

inline constexpr auto TODAY = "2026-11-30";

/// A valid timed boot; memory in bytes.
Sample boot(double launch, double memory = 600e6);

/// A valid counted boot. Its launch under icount is of no use to anybody.
Sample counted_boot(double instructions);

/// A valid timed boot that found the machine busy.
Sample busy_boot(double launch, const std::string & because = "98 % CPU pressure");

Sample failed(Outcome outcome, const std::string & detail = "");

/// A variant with a warm-up boot before these.
Variant variant(const std::string & name, std::vector<Sample> samples);

/// The same of the second build.
Variant against(const std::string & name, std::vector<Sample> samples);

std::vector<Sample> boots(const std::vector<double> & launches);
std::vector<Sample> counted_boots(const std::vector<double> & instructions);

BudgetRule launch_budget(
    const std::string & name, const std::string & of, double limit, Consequence consequence = Consequence::FAIL);
BudgetRule instruction_budget(const std::string & of, double limit, Consequence consequence = Consequence::FAIL);

/// Of "debug" to "nodebug".
BudgetRule ratio_budget(double limit, Consequence consequence = Consequence::WARN);

/// Of a variant's metric to that of its namesake in the second build.
BudgetRule against_budget(const std::string & of, const std::string & metric, double limit);

class Judging : public testing::Test {
protected:
    Judging() {
        policy_.variants.resize(2);
        policy_.variants[0].name = "debug";
        policy_.variants[1].name = "nodebug";
        policy_.sampling.runs_max = 5;
    }

    Judged judge(
        const std::vector<Variant> & variants, Last last = Last::YES, const std::string & counter_missing = "") const {
        return policy::judge(policy_, variants, last, TODAY, "x86_64", counter_missing);
    }

    /// The one result of the policy's one budget.
    BudgetResult only(const Judged & judged) const {
        EXPECT_EQ(judged.budgets.size(), 1U);
        return judged.budgets.empty() ? BudgetResult{} : judged.budgets.front();
    }

    Policy policy_;
    const Variant debug_ = variant("debug", boots({29.0, 29.5, 28.8}));
    const Variant nodebug_ = variant("nodebug", boots({10.0, 10.1, 9.9}));
};

}  // namespace bootbudget::policy
