// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bootbudget/report.hpp>

#include <optional>
#include <string>
#include <vector>

namespace bootbudget::policy {

/// The samples of a variant that verdicts may rest on: no warm-up boots, and none that the user cut short.
class Series {
public:
    explicit Series(const Variant & variant);

    const std::string & name() const noexcept { return variant_->name; }

    /// Why the variant cannot be judged, as half a sentence ("boot 2 of variant \"debug\" ended in panic: …"): the first boot that was no good.
    /// Empty if all were.
    const std::string & failure() const noexcept { return failure_; }

    /// Why there is no sample at all, as half a sentence, for when no more will come.
    std::string absence() const;

    /// Valid timed samples.
    int size() const noexcept { return static_cast<int>(valid_.size()); }

    /// A launch that the timeout cut off at or above `limit_seconds`.
    const Sample * cut_off_at(double limit_seconds) const;

    /// The metric's values in the order of the boots; nullopt if a valid sample lacks it (or has it in another unit).
    std::optional<std::vector<double>> values(const std::string & metric, Unit unit) const;

    /// The metric's unit in the first valid sample.
    std::optional<Unit> unit_of(const std::string & metric) const;

private:
    const Variant * variant_;
    std::vector<const Sample *> counted_;
    std::vector<const Sample *> valid_;
    std::string failure_;
};

}  // namespace bootbudget::policy
