// SPDX-License-Identifier: GPL-2.0-or-later
// The whole check's verdict. Each budget is judged by itself (trial.cpp); here waivers are laid over the results, variants that must be there and boot
// are watched even where no budget does, and everything is brought to one verdict and one exit status.
#include "policy/judge.hpp"

#include "measure/agreement.hpp"
#include "measure/comparison.hpp"
#include "measure/outlier.hpp"
#include "policy/findings.hpp"
#include "policy/pairing.hpp"
#include "policy/sentence.hpp"
#include "policy/series.hpp"
#include "policy/trial.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bootbudget::policy {

namespace {

void add_once(std::vector<Wanted> & wanted, const Wanted & boot) {
    if (std::find(wanted.begin(), wanted.end(), boot) == wanted.end()) {
        wanted.push_back(boot);
    }
}

/// Of one that points into them.
std::size_t index_of(const std::vector<Variant> & variants, const Variant & variant) {
    return static_cast<std::size_t>(&variant - variants.data());
}

/// Of the waivers for this budget, the one that holds longest; one that has ended only leaves a word in `why`.
void waive(BudgetResult & result, const Policy & policy, const std::string & today, const std::string & arch) {
    const Waiver * longest = nullptr;
    for (const auto & rule : policy.waivers) {
        const bool concerns = rule.budget == result.name && applies_to(rule.arches, arch);
        if (concerns && (longest == nullptr || rule.waiver.until > longest->until)) {
            longest = &rule.waiver;
        }
    }
    if (longest == nullptr) {
        return;
    }
    if (longest->until >= today) {  // both YYYY-MM-DD: as text they sort as dates
        result.waived = *longest;
    } else {
        result.why += fmt::format("; its waiver ended on {}", longest->until);
    }
}

/// What a result counts as in the whole: a waived one as a warning, unless it is no worse than a pass.
Verdict weight(const BudgetResult & result) {
    return result.waived && result.verdict != Verdict::SKIPPED && result.verdict != Verdict::PASS ? Verdict::WARN
                                                                                                  : result.verdict;
}

/// True if some result already tells that this variant could not be measured, or was not. A waived error does not: it waives the budget, not the kernel.
bool is_told(const std::vector<BudgetResult> & results, const std::string & variant, bool inconclusive_tells) {
    return std::any_of(results.begin(), results.end(), [&](const BudgetResult & result) {
        const bool cut_off = result.verdict == Verdict::FAIL || result.verdict == Verdict::WARN;
        const bool error = result.verdict == Verdict::ERROR && !result.waived;
        const bool open = result.verdict == Verdict::INCONCLUSIVE && inconclusive_tells;
        return result.variant == variant && (cut_off || error || open);
    });
}

/// What keeps a variant from having been seen to boot; empty if nothing does, or if nobody asked for its boots.
std::string why_not_booted(const Variant & variant, const Schedule & schedule, const Needs & needs) {
    const Series timed(variant, Mode::TIMED);
    const Series counted(variant, Mode::COUNTED);
    if (!timed.failure().empty()) {
        return timed.failure();
    }
    const bool asked_for = needs.timed || needs.counted || !variant.not_booted.empty();
    if (timed.size() > 0 || counted.size() > 0 || schedule.last == Last::NO || !asked_for) {
        return "";
    }
    if (!counted.failure().empty()) {
        return counted.failure();
    }
    if (schedule.last == Last::OUT_OF_TIME && timed.is_untried()) {
        return untried_sentence(schedule, needs.timed ? Mode::TIMED : Mode::COUNTED);
    }
    return timed.absence();
}

/// Errors of variants that no budget tells of: one that is required and missing, one that does not boot.
std::vector<BudgetResult> untold_errors(
    const Policy & policy,
    const std::vector<Variant> & variants,
    const std::vector<BudgetResult> & results,
    const Schedule & schedule,
    const std::string & arch) {
    const auto needs = needs_of(policy, variants, arch);
    std::vector<BudgetResult> errors;
    for (const auto & rule : policy.variants) {
        BudgetResult error;
        error.variant = rule.name;
        error.on_exceed = to_string(Consequence::FAIL);
        error.verdict = Verdict::ERROR;
        bool inconclusive_tells = false;
        if (const Variant * variant = find_variant(variants, rule.name, BuildRole::SUBJECT)) {
            const Series timed(*variant, Mode::TIMED);
            const bool untried = schedule.last == Last::OUT_OF_TIME && timed.is_untried();
            error.name = fmt::format("variant {} boots", rule.name);
            error.verdict = untried ? Verdict::INCONCLUSIVE : Verdict::ERROR;
            error.why = why_not_booted(*variant, schedule, needs[index_of(variants, *variant)]);
            inconclusive_tells = untried || timed.cut_off_when_busy() != nullptr;
        } else if (rule.required && applies_to(rule.arches, arch)) {
            error.name = fmt::format("variant {} is present", rule.name);
            error.why = fmt::format("no kernel of the build is variant \"{}\", which the policy requires", rule.name);
        }
        if (!error.why.empty() && !is_told(results, rule.name, inconclusive_tells)) {
            errors.push_back(std::move(error));
        }
    }
    // A kernel without a readable configuration could be any of the policy's variants, so it cannot be passed over. The second build is not on trial.
    for (const auto & variant : variants) {
        if (variant.build == BuildRole::SUBJECT && variant.name.empty() && variant.kind == Kind::UNKNOWN) {
            BudgetResult error;
            error.name = fmt::format("kernel {} can be booted", variant.release);
            error.variant = variant.release;
            error.on_exceed = to_string(Consequence::FAIL);
            error.verdict = Verdict::ERROR;
            error.why = variant.not_booted;
            errors.push_back(std::move(error));
        }
    }
    return errors;
}

Schedule schedule_of(const SamplingRules & rules, const std::vector<Pair> & pairs, Last last) {
    const auto compared =
        std::count_if(pairs.begin(), pairs.end(), [](const Pair & pair) { return pair.verdict != Verdict::SKIPPED; });
    const double share = measure::share_of(rules.confidence, std::max(static_cast<int>(compared), 1));
    return {
        rules.confidence,
        {share, rules.runs_min, rules.runs_max},
        {share, rules.counted_min, rules.counted_max},
        last,
        rules.total_timeout};
}

int exit_status_of(const Policy & policy, const std::vector<Verdict> & weights) {
    const auto some = [&](Verdict verdict) {
        return std::find(weights.begin(), weights.end(), verdict) != weights.end();
    };
    if (some(Verdict::FAIL)) {
        return 1;
    }
    if (some(Verdict::ERROR) && policy.on_error == Consequence::FAIL) {
        return 3;
    }
    return some(Verdict::INCONCLUSIVE) && policy.on_inconclusive == Consequence::FAIL ? 4 : 0;
}

/// A metric over a variant's valid samples of its mode.
struct MetricSeries {
    Unit unit = Unit::SECONDS;
    std::vector<double> values;
    std::vector<Sample *> samples;  ///< beside values
};

void collect(std::map<std::string, MetricSeries> & series, Sample & sample, const Variant & variant) {
    for (const auto & [metric, quantity] : sample.metrics) {
        if (is_counted(metric) != (sample.mode == Mode::COUNTED)) {
            continue;
        }
        auto & of_metric = series[metric];
        if (!of_metric.values.empty() && of_metric.unit != quantity.unit) {
            throw BugError(fmt::format(
                "The boots of {} give {} in different units; please report this.", words_of(variant), metric));
        }
        of_metric.unit = quantity.unit;
        of_metric.values.push_back(quantity.value);
        of_metric.samples.push_back(&sample);
    }
}

}  // namespace

bool is_counted(std::string_view metric) noexcept {
    return metric == "instructions" || metric.starts_with("instructions:");
}

double reading_error_of(std::string_view metric) noexcept {
    const bool exact = !is_counted(metric) || metric == "instructions" || metric == "instructions:decompression";
    return exact ? 0 : measure::PHASE_READING_ERROR;
}

std::vector<Needs> needs_of(const Policy & policy, const std::vector<Variant> & variants, const std::string & arch) {
    std::vector<Needs> needs(variants.size());
    std::vector<bool> in_vain(variants.size());  // a budget speaks of it, but can never be judged
    const auto never_boots = [](const Variant * variant) { return variant != nullptr && !variant->not_booted.empty(); };
    for (const auto & pair : pair_up(policy, variants, arch)) {
        for (const auto * variant : {pair.subject, pair.baseline}) {
            if (variant != nullptr && pair.verdict == Verdict::PASS) {
                auto & of = needs[index_of(variants, *variant)];
                (is_counted(pair.budget->metric) ? of.counted : of.timed) = true;
            } else if (variant != nullptr && (never_boots(pair.subject) || never_boots(pair.baseline))) {
                in_vain[index_of(variants, *variant)] = true;
            }
        }
    }
    for (std::size_t i = 0; i < variants.size(); ++i) {
        const auto & variant = variants[i];
        const bool subject = variant.build == BuildRole::SUBJECT && !variant.name.empty() && variant.not_booted.empty();
        needs[i].timed = needs[i].timed || (subject && !needs[i].counted && !in_vain[i]);
    }
    for (std::size_t i = 0; i < variants.size(); ++i) {
        const auto & variant = variants[i];
        const bool nothing = !needs[i].timed && !needs[i].counted;
        if (variant.build == BuildRole::AGAINST && !variant.name.empty() && variant.not_booted.empty() && nothing) {
            const Variant * namesake = find_variant(variants, variant.name, BuildRole::SUBJECT);
            needs[i] = namesake == nullptr ? needs[i] : needs[index_of(variants, *namesake)];
        }
    }
    return needs;
}

Judged judge(
    const Policy & policy,
    const std::vector<Variant> & variants,
    Last last,
    const std::string & today,
    const std::string & arch,
    const std::string & counter_missing) {
    const auto pairs = pair_up(policy, variants, arch);
    const auto schedule = schedule_of(policy.sampling, pairs, last);
    Judged judged;
    for (const auto & pair : pairs) {
        Trial trial = judge_pair(pair, schedule, counter_missing);
        if (trial.open) {
            const bool counted = is_counted(pair.budget->metric);
            const Mode mode = counted ? Mode::COUNTED : Mode::TIMED;
            const int most = counted ? policy.sampling.counted_max : policy.sampling.runs_max;
            for (const auto * variant : {pair.subject, pair.baseline}) {
                if (variant != nullptr && Series(*variant, mode).size() < most) {
                    add_once(judged.wanted, {index_of(variants, *variant), mode});
                }
            }
        }
        waive(trial.result, policy, today, arch);
        judged.budgets.push_back(std::move(trial.result));
    }
    for (auto & error : untold_errors(policy, variants, judged.budgets, schedule, arch)) {
        judged.budgets.push_back(std::move(error));
    }
    judged.findings = report_findings(policy, variants);

    std::vector<Verdict> weights;
    for (const auto & result : judged.budgets) {
        weights.push_back(weight(result));
    }
    for (const auto & finding : judged.findings) {
        if (finding.consequence != to_string(Consequence::NOTE)) {
            weights.push_back(finding.consequence == to_string(Consequence::FAIL) ? Verdict::FAIL : Verdict::WARN);
        }
    }
    for (const auto verdict : weights) {
        judged.verdict = worse(judged.verdict, verdict);
    }
    judged.exit_status = exit_status_of(policy, weights);
    return judged;
}

void summarise(std::vector<Variant> & variants, double confidence) {
    for (auto & variant : variants) {
        std::map<std::string, MetricSeries> series;
        for (auto & sample : variant.samples) {
            sample.outliers.clear();
            if (!sample.warmup && sample.valid && sample.outcome == Outcome::OK) {
                collect(series, sample, variant);
            }
        }
        variant.summary.clear();
        for (const auto & [metric, of_metric] : series) {
            variant.summary[metric] = measure::summarise(of_metric.values, of_metric.unit, confidence);
            for (const auto i : measure::outliers_of(of_metric.values)) {
                Sample & sample = *of_metric.samples[i];
                const auto * unknown =
                    sample.mode == Mode::TIMED ? "the machine was quiet: cause unknown" : "cause unknown";
                sample.outliers[metric] = sample.busy.empty() ? unknown : sample.busy;
            }
        }
    }
}

}  // namespace bootbudget::policy
