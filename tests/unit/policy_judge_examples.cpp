// SPDX-License-Identifier: GPL-2.0-or-later
#include "policy_judge_examples.hpp"

namespace bootbudget::policy {

Sample boot(double launch, double memory) {
    Sample sample;
    sample.valid = true;
    sample.outcome = Outcome::OK;
    sample.metrics["launch"] = {launch, Unit::SECONDS};
    sample.metrics["memory"] = {memory, Unit::BYTES};
    return sample;
}

Sample counted_boot(double instructions) {
    Sample sample = boot(500);
    sample.mode = Mode::COUNTED;
    sample.metrics["instructions"] = {instructions, Unit::COUNT};
    return sample;
}

Sample busy_boot(double launch, const std::string & because) {
    Sample sample = boot(launch);
    sample.busy = because;
    return sample;
}

Sample failed(Outcome outcome, const std::string & detail) {
    Sample sample;
    sample.outcome = outcome;
    sample.detail = detail;
    return sample;
}

Variant variant(const std::string & name, std::vector<Sample> samples) {
    Variant made;
    made.name = name;
    made.release = "6.1.0+" + name;
    made.arch = "x86_64";
    made.samples.push_back(boot(999));
    made.samples.front().warmup = true;
    for (auto & sample : samples) {
        made.samples.push_back(std::move(sample));
    }
    for (std::size_t i = 0; i < made.samples.size(); ++i) {
        made.samples[i].index = static_cast<int>(i);
    }
    return made;
}

Variant against(const std::string & name, std::vector<Sample> samples) {
    Variant made = variant(name, std::move(samples));
    made.build = BuildRole::AGAINST;
    return made;
}

std::vector<Sample> boots(const std::vector<double> & launches) {
    std::vector<Sample> samples;
    for (const double launch : launches) {
        samples.push_back(boot(launch));
    }
    return samples;
}

std::vector<Sample> counted_boots(const std::vector<double> & instructions) {
    std::vector<Sample> samples;
    for (const double count : instructions) {
        samples.push_back(counted_boot(count));
    }
    return samples;
}

BudgetRule launch_budget(const std::string & name, const std::string & of, double limit, Consequence consequence) {
    BudgetRule rule;
    rule.name = name;
    rule.variant = of;
    rule.metric = "launch";
    rule.limit = {limit, Unit::SECONDS};
    rule.on_exceed = consequence;
    return rule;
}

BudgetRule instruction_budget(const std::string & of, double limit, Consequence consequence) {
    BudgetRule rule = launch_budget("counted", of, limit, consequence);
    rule.metric = "instructions";
    rule.limit.unit = Unit::COUNT;
    return rule;
}

BudgetRule against_budget(const std::string & of, const std::string & metric, double limit) {
    BudgetRule rule = launch_budget("no-regression", of, limit);
    rule.metric = metric;
    rule.baseline_against = true;
    rule.limit.unit = Unit::RATIO;
    return rule;
}

BudgetRule ratio_budget(double limit, Consequence consequence) {
    BudgetRule rule = launch_budget("slowdown", "debug", limit, consequence);
    rule.baseline_variant = "nodebug";
    rule.limit.unit = Unit::RATIO;
    return rule;
}

}  // namespace bootbudget::policy
