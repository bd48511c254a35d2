// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "measure/statistics.hpp"

#include <bootbudget/report.hpp>

#include <chrono>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bootbudget::policy {

enum class Consequence { FAIL, WARN, NOTE };
std::string_view to_string(Consequence consequence) noexcept;

struct BootRules {
    std::chrono::milliseconds timeout{600000};
    std::chrono::milliseconds stall{180000};
    std::uint64_t memory_bytes = std::uint64_t{1280} << 20U;
    std::string append;
};

struct SamplingRules {
    int warmup = 1;
    int runs_min = 3;
    int runs_max = 15;
    int counted_min = 2;
    int counted_max = 6;
    int jobs = 1;  ///< counted boots side by side, at most
    double confidence = 0.95;
    std::chrono::milliseconds total_timeout{3600000};
};

struct VariantRule {
    std::string name;
    std::optional<Kind> kind;                   ///< absent: any
    std::optional<std::string> flavour;         ///< absent: any
    std::vector<std::string> arches;            ///< empty: every
    std::map<std::string, std::string> config;  ///< CONFIG_X → required value
    bool required = false;
};

struct BudgetRule {
    std::string name;
    std::string variant;  ///< "*": every measured variant
    std::string metric;
    std::optional<std::string> baseline_variant;
    bool baseline_against = false;  ///< {build: against}: the same variant of the second build
    Quantity limit;
    Consequence on_exceed = Consequence::FAIL;
    std::vector<std::string> arches;
    measure::Statistic statistic = measure::Statistic::MEAN;
};

/// Whether a metric comes from counted boots ("instructions", "instructions:PHASE"); all others come from timed ones.
bool is_counted(std::string_view metric) noexcept;

/// How far a counted metric may be off in a single boot, in instructions: those of a phase are read as its lines arrive, the whole launch
/// ("instructions") and "instructions:decompression" are exact.
double reading_error_of(std::string_view metric) noexcept;

struct WaiverRule {
    std::string budget;
    Waiver waiver;
    std::vector<std::string> arches;
};

/// A bootbudget-policy/1, checked.
struct Policy {
    std::filesystem::path file;
    std::string text;  ///< the merged YAML
    BootRules boot;
    SamplingRules sampling;
    std::vector<VariantRule> variants;
    std::vector<BudgetRule> budgets;
    std::map<FindingKind, Consequence> findings;  ///< kinds not named are NOTE
    std::vector<WaiverRule> waivers;
    Consequence on_error = Consequence::FAIL;
    Consequence on_inconclusive = Consequence::WARN;
};

/// One mistake of a policy file.
struct Mistake {
    std::string file;
    int line = 0;      ///< from 1
    int column = 0;    ///< from 1
    std::string text;  ///< what is wrong and what was expected
};

/// Reads the file and what it includes. All mistakes in one go: either a policy or a non-empty list of mistakes. SystemError if the file cannot be read.
struct Loaded {
    std::optional<Policy> policy;
    std::vector<Mistake> mistakes;
};
Loaded load(const std::filesystem::path & file);

/// load(), with the mistakes as one UserError, a line each: "file:line:column: …".
Policy load_or_throw(const std::filesystem::path & file);

}  // namespace bootbudget::policy
