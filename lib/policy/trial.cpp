// SPDX-License-Identifier: GPL-2.0-or-later
// One budget of one variant becomes a line of the report. First what needs no arithmetic (skipped, could not be measured, cut off), then
// the looks (replay.cpp), then the sentence that says why (sentence.cpp).
#include "policy/trial.hpp"

#include "common/units.hpp"
#include "policy/replay.hpp"
#include "policy/sentence.hpp"
#include "policy/series.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bootbudget::policy {

namespace {

using measure::Standing;

Verdict verdict_of(Consequence consequence) {
    return consequence == Consequence::FAIL ? Verdict::FAIL : Verdict::WARN;
}

/// What kept the machine busy in each round, in either boot of it.
std::vector<std::string> busy_rounds(const Series & subject, const std::optional<Series> & baseline) {
    auto busy = subject.busy();
    if (baseline) {
        const auto other = baseline->busy();
        for (std::size_t i = 0; i < std::min(busy.size(), other.size()); ++i) {
            busy[i] = busy[i].empty() ? other[i] : busy[i];
        }
    }
    return busy;
}

class Judge {
public:
    Judge(const Pair & pair, const Schedule & schedule)
        : pair_(pair),
          budget_(*pair.budget),
          schedule_(schedule),
          mode_(is_counted(pair.budget->metric) ? Mode::COUNTED : Mode::TIMED) {
        BudgetResult & result = trial_.result;
        result.name = budget_.name;
        result.variant = pair.variant;
        result.metric = budget_.metric;
        result.baseline = baseline_name(budget_);
        result.limit = budget_.limit;
        result.on_exceed = to_string(budget_.on_exceed);
    }

    Trial judge(const std::string & counter_missing) {
        if (pair_.verdict != Verdict::PASS) {
            settle(pair_.verdict, pair_.why);
            return trial_;
        }
        if (mode_ == Mode::COUNTED && !counter_missing.empty()) {
            settle(
                Verdict::ERROR,
                fmt::format("could not be measured: instructions cannot be counted: {}", counter_missing));
            return trial_;
        }
        const Series subject(*pair_.subject, mode_);
        std::optional<Series> baseline;
        if (pair_.baseline != nullptr) {
            baseline.emplace(*pair_.baseline, mode_);
        }
        const bool settled = settled_by_cut_off(subject) || failed(subject) || (baseline && failed(*baseline)) ||
                             untried(subject) || (baseline && untried(*baseline));
        if (!settled) {
            compare(subject, baseline);
        }
        return trial_;
    }

private:
    void settle(Verdict verdict, const std::string & why) {
        trial_.result.verdict = verdict;
        trial_.result.why = why;
    }

    /// A launch that had taken longer than the limit when it was cut off needs no statistics, unless others kept the machine busy: then it tells
    /// nothing of a quiet one.
    bool settled_by_cut_off(const Series & subject) {
        if (pair_.baseline != nullptr || budget_.limit.unit != Unit::SECONDS) {
            return false;
        }
        const bool of_launch = budget_.metric == "launch" || budget_.metric == "total";
        const Sample * above = of_launch ? subject.cut_off_at(budget_.limit.value) : nullptr;
        if (above != nullptr) {
            settle(
                verdict_of(budget_.on_exceed),
                fmt::format(
                    "exceeds the limit of {} by its own evidence: boot {} was cut off after {}, still launching",
                    common::format_quantity(budget_.limit),
                    above->index,
                    common::format_quantity({above->cut_off_seconds, Unit::SECONDS})));
            return true;
        }
        if (const Sample * busy = subject.cut_off_when_busy()) {
            settle(Verdict::INCONCLUSIVE, cut_off_sentence(budget_, *busy));
            return true;
        }
        return false;
    }

    /// Nothing went wrong, there only was no time.
    bool untried(const Series & series) {
        if (schedule_.last != Last::OUT_OF_TIME || !series.is_untried()) {
            return false;
        }
        settle(Verdict::INCONCLUSIVE, untried_sentence(schedule_, mode_));
        return true;
    }

    bool failed(const Series & series) {
        const bool no_time = schedule_.last == Last::OUT_OF_TIME && series.is_untried();
        const bool nothing = schedule_.last != Last::NO && series.size() == 0 && !no_time;
        if (series.failure().empty() && !nothing) {
            return false;
        }
        settle(
            Verdict::ERROR,
            "could not be measured: " + (series.failure().empty() ? series.absence() : series.failure()));
        return true;
    }

    void compare(const Series & subject, const std::optional<Series> & baseline) {
        const Unit unit = baseline ? subject.unit_of(budget_.metric).value_or(Unit::SECONDS) : budget_.limit.unit;
        auto values = values_of(subject, unit);
        auto against = baseline ? values_of(*baseline, unit) : std::nullopt;
        if (trial_.result.verdict == Verdict::ERROR) {
            return;
        }
        const Look look =
            replay(budget_, schedule_, {std::move(*values), busy_rounds(subject, baseline), std::move(against)});
        if (look.judgement.interval) {
            trial_.result.estimate = look.judgement.interval->estimate;
            trial_.result.interval_low = look.judgement.interval->low;
            trial_.result.interval_high = look.judgement.interval->high;
        }
        switch (look.judgement.standing) {
            case Standing::KEPT:
                settle(Verdict::PASS, settled_sentence(budget_, schedule_, look));
                break;
            case Standing::EXCEEDED:
                settle(verdict_of(budget_.on_exceed), settled_sentence(budget_, schedule_, look));
                break;
            case Standing::OPEN: {
                const int boots = std::min(subject.size(), baseline ? baseline->size() : subject.size());
                trial_.open = schedule_.last == Last::NO && boots < look.looks.last && !look.in_vain;
                settle(Verdict::INCONCLUSIVE, open_sentence(budget_, schedule_, look, boots, trial_.open));
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
                    "could not be measured: not every boot of {} gave a value for {}",
                    words_of(series.variant()),
                    budget_.metric));
        }
        return values;
    }

    const Pair & pair_;
    const BudgetRule & budget_;
    const Schedule & schedule_;
    Mode mode_;
    Trial trial_;
};

}  // namespace

Trial judge_pair(const Pair & pair, const Schedule & schedule, const std::string & counter_missing) {
    return Judge(pair, schedule).judge(counter_missing);
}

}  // namespace bootbudget::policy
