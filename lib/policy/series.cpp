// SPDX-License-Identifier: GPL-2.0-or-later
// Sorts a variant's boots into those that count and those that spoil it. A boot that panicked or booted something else is never left out in silence: it makes
// the variant's budgets errors. Only where the instruction counter was at fault, or the slowness of a counted boot, the timed ones are left alone.
#include "policy/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace bootbudget::policy {

namespace {

std::string ending(const Sample & sample) {
    std::string text =
        sample.outcome == Outcome::OK ? "was not valid" : fmt::format("ended in {}", to_string(sample.outcome));
    if (!sample.detail.empty()) {
        text += ": " + sample.detail;
        text.erase(text.find_last_not_of(". ") + 1);
    }
    return text;
}

/// A boot that did well but for the counter, as its detail says (boot/instructions.cpp and boot/test_tool.cpp write these).
bool was_not_counted(const Sample & sample) {
    constexpr std::array<std::string_view, 4> WHY = {
        "QEMU ran without the instruction counter",
        "QEMU loaded the instruction counter",
        "The launch's instructions were not counted",
        "The instruction counter could not start"};
    return sample.outcome == Outcome::QEMU_FAILED &&
           std::any_of(WHY.begin(), WHY.end(), [&](std::string_view why) { return sample.detail.starts_with(why); });
}

/// Whether a boot that was no good says anything about boots of this mode.
bool concerns(const Sample & sample, Mode mode) {
    const bool only_counting = sample.outcome == Outcome::LAUNCH_TIMEOUT || was_not_counted(sample);
    return sample.mode == mode || sample.mode != Mode::COUNTED || !only_counting;
}

bool is_measured(const Sample & sample) {
    return !sample.warmup && sample.outcome != Outcome::CANCELLED;
}

bool is_bad_warmup(const Sample & sample) {
    return sample.warmup && sample.outcome != Outcome::OK && sample.outcome != Outcome::CANCELLED;
}

}  // namespace

std::string words_of(const Variant & variant) {
    return fmt::format(
        "variant \"{}\"{}", variant.name, variant.build == BuildRole::AGAINST ? " of the build against" : "");
}

Series::Series(const Variant & variant, Mode mode) : variant_(&variant), mode_(mode) {
    for (const auto & sample : variant.samples) {
        if (!is_measured(sample)) {
            continue;
        }
        if (sample.outcome == Outcome::OK && sample.valid) {
            if (sample.mode == mode) {
                valid_.push_back(&sample);
            }
        } else if (concerns(sample, mode)) {
            spoiling_.push_back(&sample);
        }
    }
    if (!spoiling_.empty()) {
        const Sample & first = *spoiling_.front();
        failure_ = fmt::format("boot {} of {} {}", first.index, words_of(variant), ending(first));
    }
}

const Sample * Series::cut_off_when_busy() const {
    const auto was_busy = [](const Sample * sample) {
        return sample->mode == Mode::TIMED && sample->outcome == Outcome::LAUNCH_TIMEOUT && !sample->busy.empty();
    };
    const bool all = std::all_of(spoiling_.begin(), spoiling_.end(), was_busy);
    return all && !spoiling_.empty() ? spoiling_.front() : nullptr;
}

bool Series::is_untried() const {
    const auto & samples = variant_->samples;
    return valid_.empty() && spoiling_.empty() && variant_->not_booted.empty() &&
           std::none_of(samples.begin(), samples.end(), is_bad_warmup);
}

std::string Series::absence() const {
    for (const auto & sample : variant_->samples) {
        if (is_bad_warmup(sample)) {
            return fmt::format("{} has no boot to judge: its warm-up boot {}", words_of(*variant_), ending(sample));
        }
    }
    if (!variant_->not_booted.empty()) {
        return fmt::format("{} could not be booted: {}", words_of(*variant_), variant_->not_booted);
    }
    return fmt::format(
        "{} has no {}boot to judge: none was finished", words_of(*variant_), mode_ == Mode::COUNTED ? "counted " : "");
}

const Sample * Series::cut_off_at(double limit_seconds) const {
    const auto found = std::find_if(spoiling_.begin(), spoiling_.end(), [&](const Sample * sample) {
        return sample->mode == Mode::TIMED && sample->outcome == Outcome::LAUNCH_TIMEOUT && sample->busy.empty() &&
               sample->cut_off_seconds >= limit_seconds;
    });
    return found == spoiling_.end() ? nullptr : *found;
}

std::optional<std::vector<double>> Series::values(const std::string & metric, Unit unit) const {
    std::vector<double> values;
    for (const auto * sample : valid_) {
        const auto found = sample->metrics.find(metric);
        if (found == sample->metrics.end() || found->second.unit != unit || !std::isfinite(found->second.value)) {
            return std::nullopt;
        }
        values.push_back(found->second.value);
    }
    return values;
}

std::vector<std::string> Series::busy() const {
    std::vector<std::string> busy;
    for (const auto * sample : valid_) {
        busy.push_back(sample->busy);
    }
    return busy;
}

std::optional<Unit> Series::unit_of(const std::string & metric) const {
    if (valid_.empty()) {
        return std::nullopt;
    }
    const auto found = valid_.front()->metrics.find(metric);
    return found == valid_.front()->metrics.end() ? std::nullopt : std::optional(found->second.unit);
}

}  // namespace bootbudget::policy
