// SPDX-License-Identifier: GPL-2.0-or-later
// Variants are booted in turn, never one after the other's whole series, so that a machine which becomes busy half-way disturbs all of them alike. Counted boots
// do not mind a busy machine, so they may run side by side. After each round the judge says which boots could settle what is still open; only those are made.
#include "run/sampling.hpp"

#include "common/machine.hpp"
#include "common/process.hpp"
#include "common/units.hpp"
#include "measure/disturbance.hpp"
#include "measure/order.hpp"
#include "policy/series.hpp"
#include "run/expectation.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace bootbudget::run {

namespace {

using Clock = common::Clock;

/// A measured boot that failed decides its variant's budgets of this mode; more of them would only cost time.
bool has_failed(const Variant & variant, Mode mode) {
    const auto & samples = variant.samples;
    const bool cancelled = std::any_of(
        samples.begin(), samples.end(), [](const Sample & sample) { return sample.outcome == Outcome::CANCELLED; });
    return cancelled || !policy::Series(variant, mode).failure().empty();
}

/// "debug-03.log", "against-debug-03-counted.log".
std::string log_name(const Variant & variant, const boot::Turn & turn) {
    return fmt::format(
        "{}{}-{:02}{}{}.log",
        variant.build == BuildRole::AGAINST ? "against-" : "",
        variant.name,
        turn.index,
        turn.mode == Mode::COUNTED ? "-counted" : "",
        turn.warmup ? "-warmup" : "");
}

std::string description(const Variant & variant, const boot::Turn & turn) {
    return fmt::format(
        "{} ({}{}{}{})",
        variant.name,
        variant.release,
        variant.build == BuildRole::AGAINST ? " of the build against" : "",
        turn.mode == Mode::COUNTED ? ", counted" : "",
        turn.warmup ? ", warm-up" : "");
}

/// One call's worth of state: who was booted how often, and what the progress line says.
class Sampling {
public:
    Sampling(
        const policy::Policy & policy,
        std::vector<Variant> & variants,
        const std::vector<Series> & series,
        const Means & means,
        const std::filesystem::path & logs,
        Progress & progress,
        std::stop_token stop)
        : policy_(policy),
          variants_(variants),
          series_(series),
          means_(means),
          logs_(logs),
          progress_(progress),
          stop_(std::move(stop)),
          order_(means.seed),
          begin_(Clock::now()) {}

    Sampled run() {
        const auto & rules = policy_.sampling;
        for (int i = 0; i < rules.warmup; ++i) {
            round(needed(Mode::TIMED), Mode::TIMED, true);
        }
        for (int i = 0; i < rules.runs_min; ++i) {
            round(needed(Mode::TIMED), Mode::TIMED, false);
        }
        for (int i = 0; i < rules.counted_min; ++i) {
            round(needed(Mode::COUNTED), Mode::COUNTED, false);
        }
        auto judged = judge(policy::Last::NO);
        while (!judged.wanted.empty() && !out_of_time()) {
            const int made = boots_;
            round(wanted(judged, Mode::TIMED), Mode::TIMED, false);
            round(wanted(judged, Mode::COUNTED), Mode::COUNTED, false);
            if (boots_ == made) {
                break;  // what is wanted cannot be booted: no kernel, or a failed one
            }
            judged = judge(policy::Last::NO);
        }
        Sampled result;
        if (out_of_time()) {
            result.notes.push_back(fmt::format(
                "No further boots were made after the policy's total_timeout of {}.",
                common::format_quantity({static_cast<double>(rules.total_timeout.count()) / 1000.0, Unit::SECONDS})));
        }
        result.judged = judge(out_of_time() ? policy::Last::OUT_OF_TIME : policy::Last::YES);
        return result;
    }

private:
    policy::Judged judge(policy::Last last) {
        policy::summarise(variants_, policy_.sampling.confidence);
        return policy::judge(
            policy_, variants_, last, common::utc_now().substr(0, 10), common::machine_arch(), means_.counter_missing);
    }

    bool out_of_time() const { return Clock::now() - begin_ > policy_.sampling.total_timeout; }

    std::size_t index_of(const Series & one) const { return static_cast<std::size_t>(one.variant - variants_.data()); }

    std::vector<const Series *> needed(Mode mode) const {
        return those([&](std::size_t variant) {
            const auto & needs = means_.needs[variant];
            return mode == Mode::TIMED ? needs.timed : needs.counted;
        });
    }

    std::vector<const Series *> wanted(const policy::Judged & judged, Mode mode) const {
        return those([&](std::size_t variant) {
            const auto & all = judged.wanted;
            return std::find(all.begin(), all.end(), policy::Wanted{variant, mode}) != all.end();
        });
    }

    template <typename Test>
    std::vector<const Series *> those(const Test & test) const {
        std::vector<const Series *> chosen;
        for (const auto & one : series_) {
            if (test(index_of(one))) {
                chosen.push_back(&one);
            }
        }
        return chosen;
    }

    /// One boot of each of these, in the next order. Timed boots are alone on the machine.
    void round(const std::vector<const Series *> & members, Mode mode, bool warmup) {
        std::vector<PlannedBoot> boots;
        for (const auto i : order_.shuffled(members.size())) {
            const auto & one = *members[i];
            if (has_failed(*one.variant, mode)) {
                continue;
            }
            const boot::Turn turn{static_cast<int>(one.variant->samples.size()), mode, warmup};
            boots.push_back({&one, turn, logs_ / log_name(*one.variant, turn)});
        }
        if (mode == Mode::COUNTED) {
            make(boots, means_.jobs);
            return;
        }
        for (const auto & boot : boots) {
            make({boot}, 1);
        }
    }

    void make(const std::vector<PlannedBoot> & boots, int jobs) {
        if (boots.empty() || out_of_time()) {
            return;
        }
        BootEvents events;
        events.began = [this](const PlannedBoot & boot) { began(boot); };
        events.ended = [this](const PlannedBoot & boot, Sample && sample, double seconds) {
            ended(boot, std::move(sample), seconds);
        };
        events.tick = [this] { show(); };
        make_boots(boots, jobs, means_.settings, events, stop_);
    }

    void began(const PlannedBoot & boot) {
        auto & variant = *boot.series->variant;
        if (variant.variables.empty()) {
            variant.variables = boot::boot_environment(boot.series->bootable, means_.settings);
        }
        progress_.step(fmt::format("boot {}: {}", ++boots_, description(variant, boot.turn)));
        running_.push_back({&boot, Clock::now()});
        show();
    }

    void ended(const PlannedBoot & boot, Sample && sample, double seconds) {
        std::erase_if(running_, [&](const Running & one) { return one.boot == &boot; });
        auto & variant = *boot.series->variant;
        expectation_.learn(variant, boot.turn.mode, seconds);
        done_seconds_ += seconds;
        sample.log = "logs/" + boot.log.filename().string();
        // Counted boots side by side would find each other.
        if (boot.turn.mode == Mode::TIMED || means_.jobs == 1) {
            sample.busy = measure::busy_because(sample.noise, common::online_processors());
        }
        if (sample.outcome != Outcome::OK) {
            progress_.warn(
                fmt::format("{}: {}: {}", description(variant, boot.turn), to_string(sample.outcome), sample.detail));
        }
        spdlog::debug("{} took {:.1f} s: {}", description(variant, boot.turn), seconds, to_string(sample.outcome));
        variant.samples.push_back(std::move(sample));
    }

    void show() {
        double spent = 0;
        double left = 0;
        for (const auto & one : running_) {
            const double so_far = std::chrono::duration<double>(Clock::now() - one.begin).count();
            const double expected = expectation_.of(*one.boot->series->variant, one.boot->turn.mode);
            spent += std::min(so_far, expected);
            left += std::max(expected - so_far, 0.0);
        }
        left += waiting_seconds();
        const double total = done_seconds_ + spent + left;
        if (total > 0) {
            progress_.advance(done_seconds_ + spent, total, left);
        }
    }

    /// Seconds of the boots up to runs.min and counted.min that have not begun.
    double waiting_seconds() const {
        double seconds = 0;
        for (const auto & one : series_) {
            const auto & rules = policy_.sampling;
            const auto & needs = means_.needs[index_of(one)];
            const int timed = needs.timed ? rules.warmup + rules.runs_min : 0;
            const int counted = needs.counted ? rules.counted_min : 0;
            for (const auto & [mode, boots] : {std::pair(Mode::TIMED, timed), std::pair(Mode::COUNTED, counted)}) {
                if (!has_failed(*one.variant, mode)) {
                    seconds += waiting(one, mode, boots) * expectation_.of(*one.variant, mode);
                }
            }
        }
        return seconds;
    }

    int waiting(const Series & one, Mode mode, int all) const {
        const auto & samples = one.variant->samples;
        const auto made =
            std::count_if(samples.begin(), samples.end(), [&](const Sample & sample) { return sample.mode == mode; });
        const auto under_way = std::count_if(running_.begin(), running_.end(), [&](const Running & running) {
            return running.boot->series == &one && running.boot->turn.mode == mode;
        });
        return std::max(all - static_cast<int>(made + under_way), 0);
    }

    struct Running {
        const PlannedBoot * boot = nullptr;
        Clock::time_point begin;
    };

    const policy::Policy & policy_;
    std::vector<Variant> & variants_;
    const std::vector<Series> & series_;
    const Means & means_;
    const std::filesystem::path & logs_;
    Progress & progress_;
    std::stop_token stop_;
    measure::Order order_;
    Clock::time_point begin_;
    Expectation expectation_;
    std::vector<Running> running_;
    double done_seconds_ = 0;
    int boots_ = 0;
};

}  // namespace

Sampled sample_all(
    const policy::Policy & policy,
    std::vector<Variant> & variants,
    const std::vector<Series> & series,
    const Means & means,
    const std::filesystem::path & logs,
    Progress & progress,
    std::stop_token stop) {
    return Sampling(policy, variants, series, means, logs, progress, std::move(stop)).run();
}

}  // namespace bootbudget::run
