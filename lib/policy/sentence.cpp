// SPDX-License-Identifier: GPL-2.0-or-later
// The sentence of a verdict: the value, the limit, the bound that decided, and from how many boots. Where nothing is decided, what would decide it.
#include "policy/sentence.hpp"

#include "common/units.hpp"
#include "measure/agreement.hpp"

#include <fmt/format.h>

namespace bootbudget::policy {

namespace {

using measure::Standing;

constexpr std::string_view WHAT_WOULD_DECIDE =
    "load only slows; a budget in instructions, a ratio or a quiet machine would decide it";

class Sentence {
public:
    Sentence(const BudgetRule & budget, const Schedule & schedule, const Look & look)
        : budget_(budget), schedule_(schedule), look_(look), counted_(is_counted(budget.metric)) {}

    std::string settled() const {
        const bool kept = look_.judgement.standing == Standing::KEPT;
        const auto & interval = *look_.judgement.interval;
        return fmt::format(
            "{} {} the limit of {} ({} bound {} {}, {})",
            subject(),
            kept ? "keeps" : "exceeds",
            limit(),
            kept ? "upper" : "lower",
            words(kept ? interval.high : interval.low),
            look_.agreed ? fmt::format("by the tolerance of {}", tolerance())
                         : fmt::format("at {:g} %", schedule_.confidence * 100),
            ground());
    }

    std::string open(int boots, bool more_may_follow) const {
        const std::string so_far = fmt::format("still open after {}", count(boots));
        if (!look_.judgement.interval) {
            const std::string too_few = fmt::format(
                "{}: too few to say on which side of the limit of {} it is; the policy's least is {}",
                so_far,
                limit(),
                look_.looks.first);
            return boots < look_.looks.first ? too_few : no_bounds(so_far);
        }
        if (look_.agreed) {
            return fmt::format(
                "{}: {} is nearer to the limit of {} than the {} that {} apart; more of them would not tell",
                so_far,
                subject(),
                limit(),
                tolerance(),
                has_baseline() ? "counted boots of each side may lie" : "counted boots may lie");
        }
        if (look_.only_busy) {
            return only_busy(so_far);
        }
        const std::string between = fmt::format(
            "{}{}: between {} and {}, the limit is {}",
            so_far,
            remark(),
            words(look_.judgement.interval->low),
            words(look_.judgement.interval->high),
            limit());
        if (more_may_follow) {
            return fmt::format("{}; up to {} may follow", between, count(look_.looks.last - boots, " more"));
        }
        const auto further = measure::further_values(look_.comparison, look_.looks);
        if (!further) {
            return between + "; that is too near to the limit for any number of boots";
        }
        const std::string_view most = counted_ ? "sampling.counted.max" : "sampling.runs.max";
        return fmt::format(
            "{}; {} would probably settle it ({}{})",
            between,
            count(*further, look_.quiet ? " more quiet" : " more"),
            boots < look_.looks.last ? "the run ended before " : "",
            most);
    }

private:
    bool has_baseline() const { return !baseline_name(budget_).empty(); }

    std::string words(double value) const { return common::format_quantity({value, budget_.limit.unit}); }

    std::string limit() const { return common::format_quantity(budget_.limit); }

    static std::string percent(double share) { return fmt::format("{:.2g} %", share * 100); }

    /// "0.5 %", of a phase "0.5 % and 2.4 M".
    std::string tolerance() const {
        const double error = reading_error_of(budget_.metric);
        const auto share = percent(measure::COUNTED_TOLERANCE);
        return error > 0 ? share + " and " + common::format_quantity({error, Unit::COUNT}) : share;
    }

    std::string count(int boots, std::string_view adjective = "") const {
        return fmt::format("{}{}{} boot{}", boots, adjective, counted_ ? " counted" : "", boots == 1 ? "" : "s");
    }

    /// "29.1 s ± 0.4 s", "a median of 29.1 s", "2.91x of variant \"nodebug\"".
    std::string subject() const {
        const double estimate = look_.judgement.interval->estimate;
        const bool median = budget_.statistic == measure::Statistic::MEDIAN;
        const std::string text = (median ? "a median of " : "") + words(estimate);
        if (budget_.baseline_variant) {
            return fmt::format("{} of variant \"{}\"", text, *budget_.baseline_variant);
        }
        if (budget_.baseline_against) {
            return text + " of the build against";
        }
        return median || look_.agreed ? text : mean_and_deviation(measure::moments_of(look_.comparison.values));
    }

    /// Seconds as a watch shows them, both with one decimal; anything else with its own digits.
    std::string mean_and_deviation(const measure::Moments & moments) const {
        if (budget_.limit.unit == Unit::SECONDS && moments.mean >= 1 && moments.mean < 120 && moments.sd >= 0.05 &&
            moments.sd < 120) {
            return fmt::format("{:.1f} s ± {:.1f} s", moments.mean, moments.sd);
        }
        return words(moments.mean) + " ± " + words(moments.sd);
    }

    /// What the bound rests on: "3 boots each", "3 quiet of 5 boots", "2 counted boots that agree within 0.03 %".
    std::string ground() const {
        const std::string each = has_baseline() ? " each" : "";
        if (look_.quiet) {
            return fmt::format("{} quiet of {}", look_.comparison.values.size(), count(look_.boots));
        }
        if (counted_ && look_.agreed) {
            return fmt::format("{}{} that agree within {}", count(look_.boots), each, tolerance());
        }
        return count(look_.boots) + each + remark();
    }

    /// Beside the number of boots, what is unusual about them.
    std::string remark() const {
        if (counted_ && look_.spread) {
            return fmt::format(
                ", which differ by {}, more than the {} that would have made {} enough",
                percent(*look_.spread),
                tolerance(),
                look_.looks.first);
        }
        if (look_.quiet) {
            return fmt::format(", {} of them quiet", look_.comparison.values.size());
        }
        const bool seconds = budget_.limit.unit == Unit::SECONDS && !has_baseline();
        return look_.busy > 0 && seconds ? fmt::format(", {} on a busy machine", of_them(look_.busy, look_.boots)) : "";
    }

    static std::string of_them(int some, int all) { return some == all ? "all" : fmt::format("{} of them", some); }

    std::string no_bounds(const std::string & so_far) const {
        return fmt::format(
            "{}: too few for bounds of the {} at {:g} %; the limit is {}",
            so_far,
            budget_.statistic == measure::Statistic::MEDIAN ? "median" : "mean",
            schedule_.confidence * 100,
            limit());
    }

    std::string only_busy(const std::string & so_far) const {
        return fmt::format(
            "{}, {} on a busy machine ({}): beyond the limit of {} only there, and {}",
            so_far,
            of_them(look_.busy, look_.boots),
            look_.because,
            limit(),
            WHAT_WOULD_DECIDE);
    }

    const BudgetRule & budget_;
    const Schedule & schedule_;
    const Look & look_;
    bool counted_;
};

}  // namespace

std::string baseline_name(const BudgetRule & budget) {
    if (budget.baseline_variant) {
        return "variant " + *budget.baseline_variant;
    }
    return budget.baseline_against ? "build against" : "";
}

std::string untried_sentence(const Schedule & schedule, Mode mode) {
    const bool counted = mode == Mode::COUNTED;
    return fmt::format(
        "no {}boot was made before total_timeout of {}, {} are needed",
        counted ? "counted " : "",
        common::format_quantity({static_cast<double>(schedule.total_timeout.count()) / 1000.0, Unit::SECONDS}),
        (counted ? schedule.counted : schedule.timed).first);
}

std::string cut_off_sentence(const BudgetRule & budget, const Sample & cut_off) {
    return fmt::format(
        "undecided: boot {} was cut off after {}, still launching, on a busy machine ({}); the limit is {}, and {}",
        cut_off.index,
        common::format_quantity({cut_off.cut_off_seconds, Unit::SECONDS}),
        cut_off.busy,
        common::format_quantity(budget.limit),
        WHAT_WOULD_DECIDE);
}

std::string settled_sentence(const BudgetRule & budget, const Schedule & schedule, const Look & look) {
    return Sentence(budget, schedule, look).settled();
}

std::string open_sentence(
    const BudgetRule & budget, const Schedule & schedule, const Look & look, int boots, bool more_may_follow) {
    return Sentence(budget, schedule, look).open(boots, more_may_follow);
}

}  // namespace bootbudget::policy
