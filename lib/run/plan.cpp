// SPDX-License-Identifier: GPL-2.0-or-later
// A plan is a check that stops before the first boot: the same packages are read and verified, the same kernels are looked into, so that what
// it says is what a check would do.
#include "common/account.hpp"
#include "common/temporary_directory.hpp"
#include "packages/where.hpp"
#include "run/expectation.hpp"
#include "run/subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bootbudget/check.hpp>

namespace bootbudget {

Plan plan(const Request & request, Progress & progress, std::stop_token stop) {
    const auto policy = policy::load_or_throw(request.policy);
    common::account_for_boots(request.user);  // a check would refuse an account that is not there
    const auto base = run::work_base(request.work_directory);
    common::remove_stale(base);
    const common::TemporaryDirectory work(base);

    Plan plan;
    plan.where = request.where;
    plan.policy = request.policy.string();
    const auto build = packages::find_build(request.where, progress, stop);
    plan.notes = build.notes;
    const auto subjects = run::prepare_subjects(build, policy, work.path(), run::Depth::PLAN, progress, stop);
    for (const auto & subject : subjects) {
        PlannedVariant planned;
        planned.name = subject.variant.name;
        planned.release = subject.variant.release;
        planned.arch = subject.variant.arch;
        planned.kind = subject.variant.kind;
        planned.flavour = subject.variant.flavour;
        planned.why = subject.variant.why;
        planned.not_booted = subject.not_booted;
        for (const auto & package : subject.found.boot_set) {
            planned.packages.push_back(package.nevra);
        }
        if (subject.is_booted()) {
            planned.warmup_boots = policy.sampling.warmup;
            planned.boots_min = policy.sampling.runs_min;
            planned.boots_max = policy.sampling.runs_max;
            const double boot = run::expected_boot_seconds(planned.kind);
            plan.expected_seconds_min += boot * (planned.warmup_boots + planned.boots_min);
            plan.expected_seconds_max += boot * (planned.warmup_boots + planned.boots_max);
        }
        plan.variants.push_back(std::move(planned));
    }
    for (const auto & rule : policy.variants) {
        const bool present = std::any_of(
            plan.variants.begin(), plan.variants.end(), [&](const PlannedVariant & v) { return v.name == rule.name; });
        if (!present) {
            plan.notes.push_back(fmt::format(
                "No kernel here is the policy's variant \"{}\"{}.",
                rule.name,
                rule.required ? ", which it requires: the check would end with an error" : ""));
        }
    }
    return plan;
}

}  // namespace bootbudget
