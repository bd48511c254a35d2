// SPDX-License-Identifier: GPL-2.0-or-later
// One budget of one variant becomes a line of the report. First what needs no arithmetic (skipped, could not be measured, cut off above the limit), then the looks, then
// the sentence that says why.
#include "policy/trial.hpp"

#include "common/units.hpp"
#include "policy/series.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bootbudget::policy {

namespace {

using measure::Standing;

/// The look that settled a comparison, or the last one.
struct Look {
    measure::Comparison comparison;
    measure::Judgement judgement;
    int boots = 0;  ///< of each series, at most
};

Verdict verdict_of(Consequence consequence) {
    return consequence == Consequence::FAIL ? Verdict::FAIL : Verdict::WARN;
}

std::vector<double> first(const std::vector<double> & values, int n) {
    return {values.begin(), values.begin() + std::min(static_cast<std::ptrdiff_t>(n), std::ssize(values))};
}

std::string count_of_boots(int boots, std::string_view adjective = "") {
    return fmt::format("{}{} boot{}", boots, adjective, boots == 1 ? "" : "s");
}

class Judge {
public:
    Judge(const Pair & pair, const Schedule & schedule) : pair_(pair), budget_(*pair.budget), schedule_(schedule) {
        BudgetResult & result = trial_.result;
        result.name = budget_.name;
        result.variant = pair.variant;
        result.metric = budget_.metric;
        if (budget_.baseline_variant) {
            result.baseline = "variant " + *budget_.baseline_variant;
        }
        result.limit = budget_.limit;
        result.on_exceed = to_string(budget_.on_exceed);
    }

    Trial judge() {
        if (pair_.verdict != Verdict::PASS) {
            settle(pair_.verdict, pair_.why);
            return trial_;
        }
        const Series subject(*pair_.subject);
        std::optional<Series> baseline;
        if (pair_.baseline != nullptr) {
            baseline.emplace(*pair_.baseline);
        }
        if (!exceeded_by_cut_off(subject) && !failed(subject) && !(baseline && failed(*baseline))) {
            compare(subject, baseline);
        }
        return trial_;
    }

private:
    void settle(Verdict verdict, const std::string & why) {
        trial_.result.verdict = verdict;
        trial_.result.why = why;
    }

    /// A launch that had taken longer than the limit when it was cut off needs no statistics.
    bool exceeded_by_cut_off(const Series & subject) {
        if (budget_.baseline_variant || (budget_.metric != "launch" && budget_.metric != "total")) {
            return false;
        }
        const Sample * sample = subject.cut_off_at(budget_.limit.value);
        if (sample == nullptr) {
            return false;
        }
        settle(
            verdict_of(budget_.on_exceed),
            fmt::format(
                "exceeds the limit of {} by its own evidence: boot {} was cut off after {}, still launching",
                limit(),
                sample->index,
                words(sample->cut_off_seconds, Unit::SECONDS)));
        return true;
    }

    bool failed(const Series & series) {
        const bool nothing = schedule_.last && series.size() == 0;
        if (series.failure().empty() && !nothing) {
            return false;
        }
        settle(
            Verdict::ERROR,
            "could not be measured: " + (series.failure().empty() ? series.absence() : series.failure()));
        return true;
    }

    void compare(const Series & subject, const std::optional<Series> & baseline) {
        const Unit unit =
            budget_.baseline_variant ? subject.unit_of(budget_.metric).value_or(Unit::SECONDS) : budget_.limit.unit;
        const auto values = values_of(subject, unit);
        const auto against = baseline ? values_of(*baseline, unit) : std::nullopt;
        if (trial_.result.verdict == Verdict::ERROR) {
            return;
        }
        const Look look = replay(*values, against);
        if (look.judgement.interval) {
            trial_.result.estimate = look.judgement.interval->estimate;
            trial_.result.interval_low = look.judgement.interval->low;
            trial_.result.interval_high = look.judgement.interval->high;
        }
        switch (look.judgement.standing) {
            case Standing::KEPT:
                settle(Verdict::PASS, settled_sentence(look));
                break;
            case Standing::EXCEEDED:
                settle(verdict_of(budget_.on_exceed), settled_sentence(look));
                break;
            case Standing::OPEN: {
                const int boots = std::min(subject.size(), baseline ? baseline->size() : subject.size());
                trial_.open = !schedule_.last && boots < schedule_.runs_max;
                settle(Verdict::INCONCLUSIVE, open_sentence(look, boots));
                break;
            }
        }
    }

    std::optional<std::vector<double>> values_of(const Series & series, Unit unit) {
        auto values = series.values(budget_.metric, unit);
        if (!values) {
            settle(
                Verdict::ERROR,
                fmt::format(
                    "could not be measured: not every boot of variant \"{}\" gave a value for {}",
                    series.name(),
                    budget_.metric));
        }
        return values;
    }

    Look replay(const std::vector<double> & values, const std::optional<std::vector<double>> & baseline) const {
        const int looks = schedule_.runs_max - schedule_.runs_min + 1;
        Look look;
        const auto boots = baseline ? std::min(values.size(), baseline->size()) : values.size();
        const int made = static_cast<int>(boots) - schedule_.runs_min + 1;
        for (int number = 1; number <= std::min(made, looks); ++number) {
            look.boots = schedule_.runs_min + number - 1;
            look.comparison.values = first(values, look.boots);
            if (baseline) {
                look.comparison.baseline = first(*baseline, look.boots);
            }
            look.comparison.limit = budget_.limit.value;
            look.comparison.statistic = budget_.statistic;
            look.judgement = measure::judge(look.comparison, alpha_of(number));
            if (look.judgement.standing != Standing::OPEN) {
                break;
            }
        }
        look.boots = static_cast<int>(look.comparison.values.size());
        if (look.comparison.baseline) {
            look.boots = std::min(look.boots, static_cast<int>(look.comparison.baseline->size()));
        }
        return look;
    }

    double alpha_of(int look) const {
        const int looks = schedule_.runs_max - schedule_.runs_min + 1;
        return measure::alpha_of_look(schedule_.confidence, schedule_.comparisons, look, looks);
    }

    static std::string words(double value, Unit unit) { return common::format_quantity({value, unit}); }

    std::string limit() const { return common::format_quantity(budget_.limit); }

    /// "29.1 s ± 0.4 s", "a median of 29.1 s", "2.91x of variant \"nodebug\"".
    std::string subject_words(const Look & look) const {
        const double estimate = look.judgement.interval->estimate;
        const bool median = budget_.statistic == measure::Statistic::MEDIAN;
        std::string text = (median ? "a median of " : "") + words(estimate, budget_.limit.unit);
        if (budget_.baseline_variant) {
            text += fmt::format(" of variant \"{}\"", *budget_.baseline_variant);
        } else if (!median) {
            text = mean_and_deviation(measure::moments_of(look.comparison.values));
        }
        return text;
    }

    /// Seconds as a watch shows them, both with one decimal; anything else with its own digits.
    std::string mean_and_deviation(const measure::Moments & moments) const {
        const Unit unit = budget_.limit.unit;
        if (unit == Unit::SECONDS && moments.mean >= 1 && moments.mean < 120 && moments.sd >= 0.05 &&
            moments.sd < 120) {
            return fmt::format("{:.1f} s ± {:.1f} s", moments.mean, moments.sd);
        }
        return words(moments.mean, unit) + " ± " + words(moments.sd, unit);
    }

    std::string settled_sentence(const Look & look) const {
        const bool kept = look.judgement.standing == Standing::KEPT;
        return fmt::format(
            "{} {} the limit of {} ({} bound {} at {:g} %, {}{})",
            subject_words(look),
            kept ? "keeps" : "exceeds",
            limit(),
            kept ? "upper" : "lower",
            words(kept ? look.judgement.interval->high : look.judgement.interval->low, budget_.limit.unit),
            schedule_.confidence * 100,
            count_of_boots(look.boots),
            budget_.baseline_variant ? " each" : "");
    }

    std::string open_sentence(const Look & look, int boots) const {
        const std::string so_far = fmt::format("still open after {}", count_of_boots(boots));
        if (!look.judgement.interval) {
            return fmt::format(
                "{}: too few to say on which side of the limit of {} it is; the policy's least is {}",
                so_far,
                limit(),
                schedule_.runs_min);
        }
        const std::string between = fmt::format(
            "{}: between {} and {}, the limit is {}",
            so_far,
            words(look.judgement.interval->low, budget_.limit.unit),
            words(look.judgement.interval->high, budget_.limit.unit),
            limit());
        if (trial_.open) {
            return fmt::format("{}; up to {} may follow", between, count_of_boots(schedule_.runs_max - boots, " more"));
        }
        const auto further =
            measure::further_values(look.comparison, alpha_of(schedule_.runs_max - schedule_.runs_min + 1));
        if (!further) {
            return between + "; that is too near to the limit for any number of boots";
        }
        return fmt::format(
            "{}; {} would probably settle it ({})",
            between,
            count_of_boots(*further, " more"),
            boots < schedule_.runs_max ? "the run ended before sampling.runs.max" : "sampling.runs.max");
    }

    const Pair & pair_;
    const BudgetRule & budget_;
    const Schedule & schedule_;
    Trial trial_;
};

}  // namespace

Trial judge_pair(const Pair & pair, const Schedule & schedule) {
    return Judge(pair, schedule).judge();
}

}  // namespace bootbudget::policy
