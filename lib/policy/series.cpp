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

Series::Series(const Variant & variant) : variant_(&variant) {
    for (const auto & sample : variant.samples) {
        if (sample.warmup || sample.mode != Mode::TIMED || sample.outcome == Outcome::CANCELLED) {
            continue;
        }
        counted_.push_back(&sample);
        if (sample.outcome == Outcome::OK && sample.valid) {
            valid_.push_back(&sample);
        } else if (failure_.empty()) {
            failure_ = fmt::format("boot {} of variant \"{}\" {}", sample.index, variant.name, ending(sample));
        }
    }
}

std::string Series::absence() const {
    for (const auto & sample : variant_->samples) {
        if (sample.warmup && sample.outcome != Outcome::OK && sample.outcome != Outcome::CANCELLED) {
            return fmt::format(
                "variant \"{}\" has no boot to judge: its warm-up boot {}", variant_->name, ending(sample));
        }
    }
    if (!variant_->not_booted.empty()) {
        return fmt::format("variant \"{}\" could not be booted: {}", variant_->name, variant_->not_booted);
    }
    return fmt::format("variant \"{}\" has no boot to judge: none was finished", variant_->name);
}

const Sample * Series::cut_off_at(double limit_seconds) const {
    const auto found = std::find_if(counted_.begin(), counted_.end(), [&](const Sample * sample) {
        return sample->outcome == Outcome::LAUNCH_TIMEOUT && sample->cut_off_seconds >= limit_seconds;
    });
    return found == counted_.end() ? nullptr : *found;
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

std::optional<Unit> Series::unit_of(const std::string & metric) const {
    if (valid_.empty()) {
        return std::nullopt;
    }
    const auto found = valid_.front()->metrics.find(metric);
    return found == valid_.front()->metrics.end() ? std::nullopt : std::optional(found->second.unit);
}

}  // namespace bootbudget::policy
