// SPDX-License-Identifier: GPL-2.0-or-later
// Variants are booted in turn, never one after the other's whole series, so that a machine which becomes busy half-way disturbs all of them alike. After
// each round the judge says whether any comparison is still open; only those variants are booted again.
#include "run/sampling.hpp"

#include "common/machine.hpp"
#include "common/process.hpp"
#include "common/units.hpp"
#include "run/expectation.hpp"

#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include <algorithm>

namespace bootbudget::run {

namespace {

boot::Settings settings_of(const policy::BootRules & rules) {
    boot::Settings settings;
    settings.timeout = rules.timeout;
    settings.stall = rules.stall;
    settings.memory_bytes = rules.memory_bytes;
    settings.append = rules.append;
    return settings;
}

/// One call's worth of state: who was booted how often, and what the progress line says.
class Sampling {
public:
    Sampling(
        const policy::Policy & policy,
        std::vector<Variant> & variants,
        std::vector<Series> & series,
        const std::filesystem::path & logs,
        Progress & progress,
        std::stop_token stop)
        : policy_(policy),
          variants_(variants),
          series_(series),
          logs_(logs),
          progress_(progress),
          stop_(std::move(stop)),
          settings_(settings_of(policy.boot)),
          begin_(common::Clock::now()) {}

    Sampled run() {
        const auto & rules = policy_.sampling;
        for (int i = 0; i < rules.warmup; ++i) {
            round(true, {});
        }
        for (int i = 0; i < rules.runs_min; ++i) {
            round(false, {});
        }
        auto judged = judge(false);
        while (!judged.wanted.empty() && !out_of_time()) {
            round(false, judged.wanted);
            judged = judge(false);
        }
        Sampled result;
        if (out_of_time()) {
            result.notes.push_back(fmt::format(
                "No further boots were made after the policy's total_timeout of {}.",
                common::format_quantity({static_cast<double>(rules.total_timeout.count()) / 1000.0, Unit::SECONDS})));
        }
        result.judged = judge(true);
        return result;
    }

private:
    policy::Judged judge(bool last) {
        policy::summarise(variants_, policy_.sampling.confidence);
        return policy::judge(policy_, variants_, last, common::utc_now().substr(0, 10), common::machine_arch(), "");
    }

    bool out_of_time() const { return common::Clock::now() - begin_ > policy_.sampling.total_timeout; }

    /// A measured boot that failed decides its variant's budgets; more of them would only cost time.
    static bool has_failed(const Variant & variant) {
        return std::any_of(variant.samples.begin(), variant.samples.end(), [](const Sample & sample) {
            return !sample.warmup && !sample.valid;
        });
    }

    /// One boot of each series that is wanted (all if empty).
    void round(bool warmup, const std::vector<policy::Wanted> & wanted) {
        for (auto & one : series_) {
            const auto is_wanted = [&](const policy::Wanted & boot) { return &variants_[boot.variant] == one.variant; };
            if (!wanted.empty() && std::none_of(wanted.begin(), wanted.end(), is_wanted)) {
                continue;
            }
            if (has_failed(*one.variant) || out_of_time()) {
                continue;
            }
            boot(one, warmup);
        }
    }

    void boot(Series & one, bool warmup) {
        auto & variant = *one.variant;
        const int index = static_cast<int>(variant.samples.size());
        const auto log = fmt::format("{}-{:02}{}.log", variant.name, index, warmup ? "-warmup" : "");
        const double expected = expectation_.of(variant.name, variant.kind);
        const double before = done_seconds_;
        const auto start = common::Clock::now();
        progress_.step(
            fmt::format("boot {}: {} ({}{})", ++boots_, variant.name, variant.release, warmup ? ", warm-up" : ""));
        const auto on_phase = [&](Phase) {
            const double spent = std::chrono::duration<double>(common::Clock::now() - start).count();
            const double total = before + remaining(one);
            progress_.advance(before + std::min(spent, expected), total, std::max(total - before - spent, 0.0));
        };
        on_phase(Phase::APPLIANCE);
        variant.variables = boot::boot_environment(one.bootable, settings_);
        auto sample =
            boot::boot_once(one.bootable, settings_, logs_ / log, {index, Mode::TIMED, warmup}, on_phase, stop_);
        sample.log = "logs/" + log;
        const double seconds = std::chrono::duration<double>(common::Clock::now() - start).count();
        expectation_.learn(variant.name, seconds);
        done_seconds_ += seconds;
        if (sample.outcome != Outcome::OK) {
            progress_.warn(fmt::format("{}: {}: {}", variant.name, to_string(sample.outcome), sample.detail));
        }
        spdlog::debug("{} boot {} took {:.1f} s: {}", variant.name, index, seconds, to_string(sample.outcome));
        variant.samples.push_back(std::move(sample));
    }

    /// Seconds of all boots from now to runs.min, the one about to begin included (at least that one, once runs.min is reached).
    double remaining(const Series & current) const {
        double seconds = 0;
        for (const auto & one : series_) {
            const int made = static_cast<int>(one.variant->samples.size());
            const int all = policy_.sampling.warmup + policy_.sampling.runs_min;
            const int least = &one == &current ? 1 : 0;
            seconds += std::max(all - made, least) * expectation_.of(one.variant->name, one.variant->kind);
        }
        return seconds;
    }

    const policy::Policy & policy_;
    std::vector<Variant> & variants_;
    std::vector<Series> & series_;
    const std::filesystem::path & logs_;
    Progress & progress_;
    std::stop_token stop_;
    boot::Settings settings_;
    common::Clock::time_point begin_;
    Expectation expectation_;
    double done_seconds_ = 0;
    int boots_ = 0;
};

}  // namespace

Sampled sample_all(
    const policy::Policy & policy,
    std::vector<Variant> & variants,
    std::vector<Series> & series,
    const std::filesystem::path & logs,
    Progress & progress,
    std::stop_token stop) {
    return Sampling(policy, variants, series, logs, progress, std::move(stop)).run();
}

}  // namespace bootbudget::run
