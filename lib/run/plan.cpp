// SPDX-License-Identifier: GPL-2.0-or-later
// A plan is a check that stops before the first boot: the same packages are read and verified, the same kernels are looked into, so that what
// it says is what a check would do.
#include "common/account.hpp"
#include "common/temporary_directory.hpp"
#include "packages/where.hpp"
#include "run/builds.hpp"
#include "run/expectation.hpp"
#include "run/means.hpp"
#include "run/subject.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bootbudget/check.hpp>

namespace bootbudget {

namespace {

PlannedVariant planned_variant(const run::Subject & subject) {
    PlannedVariant planned;
    planned.name = subject.variant.name;
    planned.build = subject.variant.build;
    planned.release = subject.variant.release;
    planned.arch = subject.variant.arch;
    planned.kind = subject.variant.kind;
    planned.flavour = subject.variant.flavour;
    planned.why = subject.variant.why;
    planned.not_booted = subject.not_booted;
    for (const auto & package : subject.found.boot_set) {
        planned.packages.push_back(package.nevra);
    }
    return planned;
}

void add_boots(PlannedVariant & planned, const policy::Needs & needs, const policy::SamplingRules & rules) {
    if (needs.timed) {
        planned.warmup_boots = rules.warmup;
        planned.boots_min = rules.runs_min;
        planned.boots_max = rules.runs_max;
    }
    if (needs.counted) {
        planned.counted_min = rules.counted_min;
        planned.counted_max = rules.counted_max;
    }
}

/// Seconds of `timed` and `counted` boots of a variant, had they to be made one after the other.
double expected_seconds(const PlannedVariant & variant, int timed, int counted) {
    return run::expected_boot_seconds(variant.kind, Mode::TIMED) * timed +
           run::expected_boot_seconds(variant.kind, Mode::COUNTED) * counted;
}

}  // namespace

Plan plan(const Request & request, Progress & progress, std::stop_token stop) {
    const auto policy = policy::load_or_throw(request.policy);
    const auto account = common::account_for_boots(request.user);  // a check would refuse an account that is not there
    const auto base = run::work_base(request.work_directory);
    common::remove_stale(base);
    const common::TemporaryDirectory work(base);

    Plan plan;
    plan.policy = request.policy.string();
    std::vector<run::Subject> subjects;
    std::vector<Variant> variants;
    for (auto & [role, build] : run::find_builds(request, progress, stop)) {
        if (role == BuildRole::SUBJECT) {
            plan.where = build.where;
        }
        plan.notes.insert(plan.notes.end(), build.notes.begin(), build.notes.end());
        for (auto & subject :
             run::prepare_subjects(build, role, policy, work.path(), run::Depth::PLAN, progress, stop)) {
            variants.push_back(subject.variant);
            subjects.push_back(std::move(subject));
        }
    }
    const auto means = run::means_of(request, policy, variants, work.path(), account, stop);
    if (!means.counter_missing.empty()) {
        plan.notes.push_back(fmt::format(
            "Instructions cannot be counted here, so the budgets that need them would be errors: {}.",
            means.counter_missing));
    }
    plan.counted_jobs = means.jobs;
    plan.notes.insert(plan.notes.end(), means.notes.begin(), means.notes.end());
    for (std::size_t i = 0; i < subjects.size(); ++i) {
        auto planned = planned_variant(subjects[i]);
        if (subjects[i].is_booted()) {
            add_boots(planned, means.needs[i], policy.sampling);
            plan.expected_seconds_min +=
                expected_seconds(planned, planned.warmup_boots + planned.boots_min, planned.counted_min);
            plan.expected_seconds_max +=
                expected_seconds(planned, planned.warmup_boots + planned.boots_max, planned.counted_max);
        }
        plan.variants.push_back(std::move(planned));
    }
    for (const auto & rule : policy.variants) {
        const bool present = std::any_of(plan.variants.begin(), plan.variants.end(), [&](const PlannedVariant & v) {
            return v.name == rule.name && v.build == BuildRole::SUBJECT;
        });
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
