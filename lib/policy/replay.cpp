// SPDX-License-Identifier: GPL-2.0-or-later
// The looks at one comparison, from the first on. Each sort of comparison has its own look; what they share is the loop around them.
//
// Why looking at seconds twice (all boots, the quiet ones) keeps to the error. Which boots found the machine busy is taken as given: it comes from others,
// not from the kernel. While none did, both series are the same and are judged with the whole share. From the first busy boot on each has half of it: bounds at half
// of the share lie beyond those at the whole one, so that what they may newly cross is half of what was left to spend. The error of "exceeded" is the
// quiet series' alone, with the whole share, for it is only made where the limit is kept, and there the other cannot be.
#include "policy/replay.hpp"

#include "measure/agreement.hpp"

#include <algorithm>

namespace bootbudget::policy {

namespace {

using measure::Comparison;
using measure::Judgement;
using measure::Looks;
using measure::Standing;

/// So many rounds on a busy machine, one after the other, and it is not expected to become quiet: three fifths of those that the policy allows. A machine that is
/// loaded now and then is waited for, and room is left for its quiet boots; one that always is does not cost all of runs.max.
int patience(const Looks & looks) {
    return std::max(looks.first, looks.last * 3 / 5);
}

std::ptrdiff_t busy_lately(const std::vector<std::string> & busy) {
    const auto quiet =
        std::find_if(busy.rbegin(), busy.rend(), [](const std::string & because) { return because.empty(); });
    return quiet - busy.rbegin();
}

template <typename Value>
std::vector<Value> first(const std::vector<Value> & values, int n) {
    return {values.begin(), values.begin() + std::min(static_cast<std::ptrdiff_t>(n), std::ssize(values))};
}

class Replay {
public:
    Replay(const BudgetRule & budget, const Schedule & schedule, const Evidence & evidence)
        : budget_(budget), evidence_(evidence), counted_(is_counted(budget.metric)) {
        looks_ = counted_ ? schedule.counted : schedule.timed;
    }

    Look run() const {
        auto made = std::ssize(evidence_.values);
        if (evidence_.baseline) {
            made = std::min(made, std::ssize(*evidence_.baseline));
        }
        Look look;
        look.looks = looks_;
        look.boots = static_cast<int>(made);
        for (int n = looks_.first; n <= std::min(static_cast<int>(made), looks_.last); ++n) {
            look = look_after(n);
            if (look.judgement.standing != Standing::OPEN) {
                break;
            }
        }
        return look;
    }

private:
    Look look_after(int n) const {
        Look look;
        look.looks = looks_;
        look.boots = n;
        look.comparison = comparison_of(first(evidence_.values, n));
        if (evidence_.baseline) {
            look.comparison.baseline = first(*evidence_.baseline, n);
        }
        const auto busy = first(evidence_.busy, n);
        for (const auto & because : busy) {
            if (!because.empty()) {
                ++look.busy;
                look.because = because;
            }
        }
        if (!counted_ && budget_.metric != "memory") {  // neither minds a load
            look.comparison.least_ratio_sd =
                look.busy > 0 ? measure::LEAST_BUSY_TIME_RATIO_SD : measure::LEAST_TIME_RATIO_SD;
        }
        if (counted_) {
            look_at_counted(look);
        } else if (look.busy > 0 && !evidence_.baseline && budget_.limit.unit == Unit::SECONDS) {
            look_at_busy(look, busy);
        } else {
            look.judgement = measure::judge(look.comparison, looks_);
        }
        return look;
    }

    Comparison comparison_of(std::vector<double> values) const {
        return {std::move(values), std::nullopt, budget_.limit.value, budget_.statistic, measure::LEAST_RATIO_SD};
    }

    void look_at_counted(Look & look) const {
        look.spread = measure::spread_of(look.comparison.values);
        if (look.comparison.baseline) {
            look.spread = std::max(*look.spread, measure::spread_of(*look.comparison.baseline));
        }
        const auto agreed = measure::agreed_interval(
            look.comparison.values,
            look.comparison.baseline,
            look.comparison.statistic,
            reading_error_of(budget_.metric));
        look.agreed = agreed.has_value();
        if (!agreed) {
            look.judgement = measure::judge(look.comparison, looks_);
            return;
        }
        look.judgement = {measure::standing_of(*agreed, look.comparison.limit), agreed};
        look.in_vain = look.judgement.standing == Standing::OPEN;
    }

    void look_at_busy(Look & look, const std::vector<std::string> & busy) const {
        const auto & values = look.comparison.values;
        std::vector<double> quiet_values;
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (busy[i].empty()) {
                quiet_values.push_back(values[i]);
            }
        }
        const Comparison quiet = comparison_of(std::move(quiet_values));
        Looks half = looks_;
        half.share /= 2;
        const bool enough_quiet = std::ssize(quiet.values) >= looks_.first;

        const Judgement of_all = measure::judge(look.comparison, half);
        const Judgement of_quiet = measure::judge(quiet, half);
        const Judgement exceeded = measure::judge(quiet, looks_);
        if (of_quiet.standing == Standing::KEPT) {
            look.judgement = of_quiet;
        } else if (of_all.standing == Standing::KEPT) {
            look.judgement = of_all;
            return;
        } else if (exceeded.standing == Standing::EXCEEDED) {
            look.judgement = exceeded;
        } else {
            look.judgement = enough_quiet ? of_quiet : of_all;
            look.judgement.standing = Standing::OPEN;
            const bool given_up = busy_lately(busy) >= patience(looks_);
            look.only_busy = of_all.standing == Standing::EXCEEDED && (!enough_quiet || given_up);
            look.in_vain = look.only_busy && given_up;
        }
        if (enough_quiet) {
            look.quiet = true;
            look.comparison = quiet;
        }
    }

    const BudgetRule & budget_;
    const Evidence & evidence_;
    Looks looks_;
    bool counted_;
};

}  // namespace

Look replay(const BudgetRule & budget, const Schedule & schedule, const Evidence & evidence) {
    return Replay(budget, schedule, evidence).run();
}

}  // namespace bootbudget::policy
