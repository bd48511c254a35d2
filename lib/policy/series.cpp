// SPDX-License-Identifier: GPL-2.0-or-later
// Sorts a variant's boots into those that count and those that spoil it. A boot that panicked or booted something else is never left out in silence: it makes
// the variant's budgets errors.
#include "policy/series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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

}  // namespace

std::string words_of(const Variant & variant) {
    return fmt::format(
        "variant \"{}\"{}", variant.name, variant.build == BuildRole::AGAINST ? " of the build against" : "");
}

Series::Series(const Variant & variant, Mode mode) : variant_(&variant), mode_(mode) {
    for (const auto & sample : variant.samples) {
        if (sample.warmup || sample.outcome == Outcome::CANCELLED) {
            continue;
        }
        all_.push_back(&sample);
        if (sample.outcome != Outcome::OK || !sample.valid) {
            if (failure_.empty()) {
                failure_ = fmt::format("boot {} of {} {}", sample.index, words_of(variant), ending(sample));
            }
        } else if (sample.mode == mode) {
            valid_.push_back(&sample);
        }
    }
}

std::string Series::absence() const {
    for (const auto & sample : variant_->samples) {
        if (sample.warmup && sample.outcome != Outcome::OK && sample.outcome != Outcome::CANCELLED) {
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
    const auto found = std::find_if(all_.begin(), all_.end(), [&](const Sample * sample) {
        return sample->mode == Mode::TIMED && sample->outcome == Outcome::LAUNCH_TIMEOUT &&
               sample->cut_off_seconds >= limit_seconds;
    });
    return found == all_.end() ? nullptr : *found;
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
