// SPDX-License-Identifier: GPL-2.0-or-later
// Checks without boots: the samples come from recorded ones, everything after them is the real judge.
#include "measure_simulation.hpp"

#include "measure/disturbance.hpp"
#include "policy/judge.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <stdexcept>

namespace bootbudget::simulation {

namespace {

constexpr auto SUBJECT = "debug";
constexpr auto BASELINE = "nodebug";
constexpr std::size_t LONGEST_STAY = 8;  // rounds

bool is_ratio(Budget budget) {
    return budget == Budget::RATIO || budget == Budget::INVERSE_RATIO || budget == Budget::INSTRUCTION_RATIO;
}

bool is_counted(Budget budget) {
    return budget == Budget::INSTRUCTIONS || budget == Budget::INSTRUCTION_RATIO;
}

std::map<std::string, std::vector<Boot>> read_boots(const nlohmann::json & mode, const char * metric) {
    std::map<std::string, std::vector<Boot>> boots;
    for (const auto * variant : {SUBJECT, BASELINE}) {
        for (const auto & boot : mode.at(variant)) {
            boots[variant].push_back(
                {boot.at(metric).get<double>(), boot.at("noise").get<std::map<std::string, double>>()});
        }
    }
    if (boots[SUBJECT].size() != boots[BASELINE].size() || boots[SUBJECT].empty()) {
        throw std::runtime_error("the variants do not have the same number of boots, or none");
    }
    return boots;
}

State read_state(const nlohmann::json & regime) {
    return {read_boots(regime.at("timed"), "launch"), read_boots(regime.at("counted"), "instructions")};
}

const std::map<std::string, std::vector<Boot>> & boots_of(const State & state, Budget budget) {
    return is_counted(budget) ? state.counted : state.timed;
}

double truth_in(const State & state, Budget budget) {
    const auto & boots = boots_of(state, budget);
    const auto & values = boots.at(SUBJECT);
    double sum = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        sum += is_ratio(budget) ? std::log(values[i].value / boots.at(BASELINE)[i].value) : values[i].value;
    }
    const double mean = sum / static_cast<double>(values.size());
    return is_ratio(budget) ? std::exp(budget == Budget::INVERSE_RATIO ? -mean : mean) : mean;
}

/// A machine that is idle, loaded, or now this and now that.
class Machine {
public:
    Machine(const Samples & samples, Budget budget, Regime regime, std::mt19937_64 & generator)
        : samples_(samples), budget_(budget), regime_(regime), generator_(generator), loaded_(below(2) == 1) {}

    /// Boots both variants once each.
    void round(std::vector<Variant> & variants) {
        if (stay_ == 0) {
            loaded_ = !loaded_;
            stay_ = 1 + below(LONGEST_STAY);
        }
        --stay_;
        const bool loaded = regime_ == Regime::LOADED || (regime_ == Regime::SWITCHING && loaded_);
        const auto & boots = boots_of(loaded ? samples_.loaded : samples_.idle, budget_);
        const std::size_t i = below(boots.at(SUBJECT).size());
        for (auto & variant : variants) {
            variant.samples.push_back(sample(boots.at(variant.name)[i], variant));
        }
    }

private:
    std::size_t below(std::size_t bound) {
        return static_cast<std::size_t>(generator_() % bound);  // bounds are tiny: no bias that matters
    }

    Sample sample(const Boot & boot, const Variant & variant) const {
        Sample sample;
        sample.index = static_cast<int>(variant.samples.size());
        sample.valid = true;
        sample.outcome = Outcome::OK;
        if (is_counted(budget_)) {
            sample.mode = Mode::COUNTED;
            sample.metrics["instructions"] = {boot.value, Unit::COUNT};
        } else {
            sample.metrics["launch"] = {boot.value, Unit::SECONDS};
        }
        sample.noise = boot.noise;
        sample.busy = measure::busy_because(boot.noise, 2);
        return sample;
    }

    const Samples & samples_;
    Budget budget_;
    Regime regime_;
    std::mt19937_64 & generator_;
    bool loaded_;
    std::size_t stay_ = 0;
};

policy::Policy policy_for(Budget budget, double limit) {
    policy::Policy policy;
    policy.variants.resize(2);
    policy.variants[0].name = SUBJECT;
    policy.variants[1].name = BASELINE;
    policy::BudgetRule rule;
    rule.name = "simulated";
    rule.variant = SUBJECT;
    rule.metric = is_counted(budget) ? "instructions" : "launch";
    rule.limit = {limit, is_counted(budget) ? Unit::COUNT : Unit::SECONDS};
    if (is_ratio(budget)) {
        rule.baseline_variant = BASELINE;
        if (budget == Budget::INVERSE_RATIO) {
            std::swap(rule.variant, *rule.baseline_variant);
        }
        rule.limit.unit = Unit::RATIO;
    }
    policy.budgets = {rule};
    return policy;
}

/// Asks for the verdict after so many rounds.
policy::Judged ask(
    policy::Policy policy, const std::vector<Variant> & variants, int rounds, Rule rule, policy::Last last) {
    if (rule == Rule::NAIVE) {
        policy.sampling.runs_min = policy.sampling.runs_max = rounds;
        policy.sampling.confidence = 1 - 2 * (1 - policy.sampling.confidence);  // of which one half is kept back
    }
    return policy::judge(policy, variants, last, "2026-11-30", "x86_64", "");
}

}  // namespace

std::string_view to_string(Budget budget) {
    constexpr std::string_view NAMES[] = {"seconds", "ratio", "inverse ratio", "instructions", "instruction ratio"};
    return NAMES[static_cast<std::size_t>(budget)];
}

std::string_view to_string(Regime regime) {
    constexpr std::string_view NAMES[] = {"idle", "loaded", "switching"};
    return NAMES[static_cast<std::size_t>(regime)];
}

Samples read_samples(const std::filesystem::path & file) {
    std::ifstream stream(file);
    if (!stream) {
        throw std::runtime_error(fmt::format("{} cannot be read", file.string()));
    }
    try {
        const auto document = nlohmann::json::parse(stream);
        if (document.at("schema") != "bootbudget-samples/1") {
            throw std::runtime_error("its schema is not bootbudget-samples/1");
        }
        const auto & regimes = document.at("regimes");
        return {read_state(regimes.at("idle")), read_state(regimes.at("loaded"))};
    } catch (const std::exception & error) {
        throw std::runtime_error(fmt::format("{}: {}", file.string(), error.what()));
    }
}

double truth_of(const Samples & samples, Budget budget, Regime regime) {
    const double idle = truth_in(samples.idle, budget);
    if (budget == Budget::SECONDS || regime == Regime::IDLE) {
        return idle;
    }
    const double loaded = truth_in(samples.loaded, budget);
    if (regime == Regime::LOADED) {
        return loaded;
    }
    return is_ratio(budget) ? std::sqrt(idle * loaded) : (idle + loaded) / 2;
}

Tally play(
    const Samples & samples, Budget budget, Regime regime, double distance, int checks, std::uint64_t seed, Rule rule) {
    std::mt19937_64 generator(seed);
    const double truth = truth_of(samples, budget, regime);
    const auto policy = policy_for(budget, distance == 1 ? truth : truth / distance);
    const auto & sampling = policy.sampling;
    const int least = is_counted(budget) ? sampling.counted_min : sampling.runs_min;
    const int most = is_counted(budget) ? sampling.counted_max : sampling.runs_max;
    Tally tally;
    for (; tally.checks < checks; ++tally.checks) {
        std::vector<Variant> variants(2);
        variants[0].name = SUBJECT;
        variants[1].name = BASELINE;
        Machine machine(samples, budget, regime, generator);
        int rounds = 0;
        policy::Judged judged;
        do {
            machine.round(variants);
            if (++rounds >= least) {
                judged = ask(policy, variants, rounds, rule, policy::Last::NO);
            }
            // The naive rule cannot know that more boots may follow.
        } while (rounds < least || (rule == Rule::REAL ? !judged.wanted.empty()
                                                       : judged.verdict == Verdict::INCONCLUSIVE && rounds < most));
        const auto verdict = ask(policy, variants, rounds, rule, policy::Last::YES).verdict;
        tally.rounds += rounds;
        tally.kept += verdict == Verdict::PASS ? 1 : 0;
        tally.exceeded += verdict == Verdict::FAIL ? 1 : 0;
    }
    tally.wrong = distance <= 1 ? tally.exceeded : tally.kept;
    return tally;
}

}  // namespace bootbudget::simulation
