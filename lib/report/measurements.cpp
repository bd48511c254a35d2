// SPDX-License-Identifier: GPL-2.0-or-later
// The table: a row for each metric of each variant and a further row for each further budget on it. Beside a variant that has something
// to be compared with (the baseline of a ratio budget, else its non-debug peer) each mean carries its distance in percent, as
// people quote it.
#include "report/measurements.hpp"

#include "common/units.hpp"
#include "report/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <set>

namespace bootbudget::report {

namespace {

constexpr std::string_view VARIANT_BASELINE = "variant ";
/// What is shorter than this differs by half from boot to boot; a percentage of it would say nothing.
constexpr double SHORTEST_COMPARED_PHASE = 0.5;
/// In a table narrower than this the measured ratio is left to the budget's sentence: it would be broken over three lines.
constexpr int NARROW = 96;

/// In the order of the table.
constexpr std::array<std::string_view, 4> SUMS{"launch", "total", "cpu", "memory"};
constexpr std::string_view INSTRUCTIONS = "instructions";
constexpr std::string_view INSTRUCTIONS_OF = "instructions:";

std::size_t rank_of_phase(std::string_view name) {
    std::size_t place = 0;
    for (const Phase phase : ALL_PHASES) {
        if (to_string(phase) == name) {
            return place;
        }
        // What decompresses the kernel is a part of the firmware phase, so it comes right behind that.
        place += 2;
        if (phase == Phase::FIRMWARE && name == "decompression") {
            return place - 1;
        }
    }
    return place;
}

/// Metrics in the order of interest: the sums first, then the phases as they happen; others after them by name; instructions at the end.
std::pair<std::size_t, std::size_t> rank(const std::string & metric) {
    if (const auto * const sum = std::find(SUMS.begin(), SUMS.end(), metric); sum != SUMS.end()) {
        return {0, static_cast<std::size_t>(sum - SUMS.begin())};
    }
    if (metric.starts_with(INSTRUCTIONS_OF)) {
        return {3, rank_of_phase(std::string_view(metric).substr(INSTRUCTIONS_OF.size()))};
    }
    return metric == INSTRUCTIONS ? std::pair(std::size_t{2}, std::size_t{0})
                                  : std::pair(std::size_t{1}, rank_of_phase(metric));
}

bool comes_before(const std::string & a, const std::string & b) {
    return std::pair(rank(a), a) < std::pair(rank(b), b);
}

/// The variant that `variant` is compared with, or null.
const Variant * base_of(const Variant & variant, const Report & report) {
    const auto find = [&report, &variant](const auto & matches) -> const Variant * {
        const auto found = std::find_if(report.variants.begin(), report.variants.end(), [&](const Variant & candidate) {
            return &candidate != &variant && candidate.build == variant.build && !candidate.summary.empty() &&
                   matches(candidate);
        });
        return found == report.variants.end() ? nullptr : &*found;
    };
    for (const BudgetResult & budget : report.budgets) {
        if (budget.variant == variant.name && budget.baseline.rfind(VARIANT_BASELINE, 0) == 0) {
            const std::string name = budget.baseline.substr(VARIANT_BASELINE.size());
            if (const Variant * const base = find([&](const Variant & other) { return other.name == name; })) {
                return base;
            }
        }
    }
    if (variant.kind == Kind::NODEBUG) {
        return nullptr;
    }
    return find([&](const Variant & other) {
        return other.kind == Kind::NODEBUG && !other.name.empty() &&
               (variant.peer.empty() ? other.flavour == variant.flavour && other.arch == variant.arch
                                     : other.release == variant.peer);
    });
}

std::string distance(const std::string & metric, const Summary & summary, const Variant * base) {
    if (base == nullptr) {
        return "";
    }
    const auto other = base->summary.find(metric);
    if (other == base->summary.end() || !is_comparable(metric, summary, other->second)) {
        return "";
    }
    return fmt::format(" ({})", percentage_over(summary.mean / other->second.mean, summary.unit));
}

/// The standard deviation in percent of the mean, which for counts is far below one.
std::string relative_deviation(const Summary & summary) {
    if (!(summary.mean > 0) || !std::isfinite(summary.sd)) {
        return "?";
    }
    const double percent = 100 * summary.sd / summary.mean;
    if (percent > 0 && percent < 0.005) {
        return "<0.01 %";
    }
    return fmt::format("{:.{}f} %", percent, percent < 0.995 ? 2 : percent < 9.95 ? 1 : 0);
}

std::vector<const BudgetResult *> budgets_on(const Report & report, const std::string & variant) {
    std::vector<const BudgetResult *> found;
    for (const BudgetResult & budget : report.budgets) {
        if (budget.variant == variant) {
            found.push_back(&budget);
        }
    }
    return found;
}

/// Rows of one variant: measured metrics, and those that a budget asks for.
void add_rows(Table & table, const Variant & variant, const Report & report, const Words & words) {
    const std::vector<const BudgetResult *> budgets = budgets_on(report, variant.name);
    std::set<std::string, decltype(&comes_before)> metrics(&comes_before);
    for (const auto & [metric, summary] : variant.summary) {
        metrics.insert(metric);
    }
    for (const BudgetResult * const budget : budgets) {
        metrics.insert(budget->metric);
    }
    if (metrics.empty()) {
        return;
    }
    const Variant * const base = base_of(variant, report);
    table.add_heading({words.plain(variant.name), Tone::STRONG});
    for (const std::string & metric : metrics) {
        std::vector<Table::Cell> row{
            {words.plain(label_of(metric, metrics.contains(std::string(INSTRUCTIONS))))},
            {words.dash()},
            {words.dash()},
            {"0"},
            {},
            {}};
        if (const auto measured = variant.summary.find(metric); measured != variant.summary.end()) {
            const Summary & summary = measured->second;
            row[1].text = mean_and_deviation(summary, words) + distance(metric, summary, base);
            row[2].text = Scale(summary).format(summary.min);
            row[3].text = std::to_string(summary.n);
        }
        bool added = false;
        for (const BudgetResult * const budget : budgets) {
            if (budget->metric != metric) {
                continue;
            }
            row[4].text = limit_in_words(*budget, words);
            row[5] = {verdict_in_words(*budget), budget->waived ? Tone::CAUTION : tone_of(budget->verdict)};
            table.add(row);
            row.assign(row.size(), {});
            added = true;
        }
        if (!added) {
            table.add(row);
        }
    }
}

}  // namespace

Scale::Scale(const Summary & summary) : dimension_(summary.unit) {
    const std::string mean = common::format_quantity({summary.mean, summary.unit});
    const double shown = std::isfinite(summary.mean) ? std::strtod(mean.c_str(), nullptr) : 0;
    if (shown == 0) {
        return;
    }
    unit_ = mean.substr(std::min(mean.find_first_not_of("-0123456789."), mean.size()));
    // What format_quantity() writes, parse_quantity() reads, but for minutes and plain bytes and counts.
    const std::optional<Quantity> one = common::parse_quantity(unit_ == " min" ? "1 m" : "1" + unit_);
    factor_ = one ? one->value : 1;
    const int digits = summary.unit == Unit::COUNT ? 3 : 2;  // after the first, as format_quantity() has them
    decimals_ = std::clamp(digits - static_cast<int>(std::floor(std::log10(std::fabs(shown)))), 0, 9);
}

std::string Scale::format(double value) const {
    if (factor_ == 0 || !std::isfinite(value)) {
        return common::format_quantity({value, dimension_});
    }
    return fmt::format("{:.{}f}{}", value / factor_, decimals_, unit_);
}

std::string mean_and_deviation(const Summary & summary, const Words & words) {
    const Scale scale(summary);
    return fmt::format(
        "{} {} {}",
        scale.format(summary.mean),
        words.style().unicode ? "±" : "+/-",
        summary.unit == Unit::COUNT ? relative_deviation(summary) : scale.format(summary.sd));
}

std::string percentage_over(double ratio, Unit unit) {
    const double percent = (ratio - 1) * 100;
    const double magnitude = std::fabs(percent);
    return fmt::format("{:+.{}f} %", percent, unit == Unit::COUNT && magnitude < 0.995 ? 2 : magnitude < 9.95 ? 1 : 0);
}

bool is_comparable(const std::string & metric, const Summary & summary, const Summary & base) {
    if (base.unit != summary.unit || !(base.mean > 0) || !std::isfinite(summary.mean)) {
        return false;
    }
    const bool is_phase = std::find(SUMS.begin(), SUMS.end(), metric) == SUMS.end();
    return !is_phase || summary.unit != Unit::SECONDS || base.mean >= SHORTEST_COMPARED_PHASE;
}

std::vector<std::string> metrics_of(const std::map<std::string, Summary> & summary) {
    std::vector<std::string> metrics;
    metrics.reserve(summary.size());
    for (const auto & [metric, values] : summary) {
        metrics.push_back(metric);
    }
    std::sort(metrics.begin(), metrics.end(), comes_before);
    return metrics;
}

std::string label_of(const std::string & metric, bool below_sum) {
    return below_sum && metric.starts_with(INSTRUCTIONS_OF) ? "    " + metric.substr(INSTRUCTIONS_OF.size())
                                                            : "  " + metric;
}

std::string limit_in_words(const BudgetResult & budget, const Words & words) {
    std::string text = (words.style().unicode ? "≤ " : "<= ") + common::format_quantity(budget.limit);
    if (budget.baseline.empty()) {
        return text;
    }
    const bool variant = budget.baseline.rfind(VARIANT_BASELINE, 0) == 0;
    text += " of " + words.plain(variant ? budget.baseline.substr(VARIANT_BASELINE.size()) : "the " + budget.baseline);
    if (budget.estimate && words.style().width >= NARROW) {
        text += fmt::format(" (is {})", common::format_quantity({*budget.estimate, budget.limit.unit}));
    }
    return text;
}

std::string verdict_in_words(Verdict verdict) {
    std::string word(to_string(verdict));
    if (verdict != Verdict::PASS && verdict != Verdict::SKIPPED) {
        std::transform(word.begin(), word.end(), word.begin(), [](char c) { return static_cast<char>(c - 'a' + 'A'); });
    }
    return word;
}

std::string verdict_in_words(const BudgetResult & budget) {
    return verdict_in_words(budget.verdict) + (budget.predicted ? " (predicted)" : "") +
           (budget.waived ? " (waived)" : "");
}

std::string measurements(const Report & report, const Words & words) {
    Table table(
        {{"metric"},
         {words.style().unicode ? "mean ± sd" : "mean +/- sd"},
         {"min", true},
         {"n", true},
         {"budget", false, true},
         {"verdict", false, true}});
    bool any = false;
    for (const Variant & variant : report.variants) {
        if (!variant.name.empty() && variant.build == BuildRole::SUBJECT) {
            any = any || !variant.summary.empty() || !budgets_on(report, variant.name).empty();
            add_rows(table, variant, report, words);
        }
    }
    return any ? table.render(words, 0) : std::string();
}

}  // namespace bootbudget::report
