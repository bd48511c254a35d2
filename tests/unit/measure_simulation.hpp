// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "policy/policy.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace bootbudget::simulation {

enum class Budget { SECONDS, RATIO, INVERSE_RATIO, INSTRUCTIONS, INSTRUCTION_RATIO };
std::string_view to_string(Budget budget);

enum class Regime { IDLE, LOADED, SWITCHING };
std::string_view to_string(Regime regime);

/// One boot that was made, with all that a verdict may rest on.
struct Boot {
    double value = 0;  ///< seconds of the launch, or instructions
    std::map<std::string, double> noise;
};

/// Boots of one machine in one state. Boot i of one variant was made in turn with boot i of the other.
struct State {
    std::map<std::string, std::vector<Boot>> timed;  ///< by variant: "debug", "nodebug"
    std::map<std::string, std::vector<Boot>> counted;
};

/// Of tests/data/samples: {"schema": "bootbudget-samples/1", "source": in words, "regimes": {"idle" and "loaded": {"timed": {VARIANT: [{"launch": seconds,
/// "noise": {…}}, …]}, "counted": {VARIANT: [{"instructions": n, "noise": {…}}, …]}}}}. Throws std::runtime_error with what is missing.
struct Samples {
    State idle;
    State loaded;
};
Samples read_samples(const std::filesystem::path & file);

/// The value that a budget is about, were the machine watched for ever. Seconds: the mean on the idle machine, whatever the regime, for a timeout is set
/// for a machine that works. Ratios: the geometric mean of the rounds'. Instructions: the mean.
double truth_of(const Samples & samples, Budget budget, Regime regime);

/// What many checks came to.
struct Tally {
    int checks = 0;
    int wrong = 0;      ///< kept where the truth exceeds the limit, or the other way round
    int kept = 0;       ///< the rest but for `exceeded` is inconclusive
    int exceeded = 0;   ///< by the verdict, whatever the truth is
    double rounds = 0;  ///< boots of each variant, over all checks

    int conclusive() const { return kept + exceeded; }
};

/// How the judge is asked after each round.
enum class Rule {
    REAL,  ///< as a check asks: the policy's runs.min to runs.max
    NAIVE  ///< as if the present number of boots were the only one ever to be looked at: no error is divided over the looks, none kept back
};

/// Plays checks of a policy with one budget, with the truth at `distance` times the limit, at the policy's defaults (3 to 15 timed boots, 2 to 6 counted).
/// Each round is drawn whole from the recorded ones; when the regime switches, the machine stays in a state for 1 to 8 rounds.
Tally play(
    const Samples & samples, Budget budget, Regime regime, double distance, int checks, std::uint64_t seed, Rule rule);

}  // namespace bootbudget::simulation
