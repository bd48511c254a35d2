// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bootbudget/report.hpp>

#include <optional>
#include <string>
#include <vector>

namespace bootbudget::policy {

/// `variant "debug"`, `variant "debug" of the build against`.
std::string words_of(const Variant & variant);

/// The samples of a variant that verdicts may rest on, of one mode: no warm-up boots, and none that the user cut short.
class Series {
public:
    Series(const Variant & variant, Mode mode);

    const Variant & variant() const noexcept { return *variant_; }

    /// Why the variant cannot be judged, as half a sentence ("boot 2 of variant \"debug\" ended in panic: …"): the first boot of either mode that was no
    /// good. Empty if all were.
    const std::string & failure() const noexcept { return failure_; }

    /// Why there is no sample at all, as half a sentence, for when no more will come.
    std::string absence() const;

    /// Valid samples of the mode.
    int size() const noexcept { return static_cast<int>(valid_.size()); }

    /// A launch of a timed boot that the timeout cut off at or above `limit_seconds`.
    const Sample * cut_off_at(double limit_seconds) const;

    /// The metric's values in the order of the boots; nullopt if a valid sample lacks it (or has it in another unit).
    std::optional<std::vector<double>> values(const std::string & metric, Unit unit) const;

    /// What kept the machine busy in each boot, beside values(); empty for a quiet one.
    std::vector<std::string> busy() const;

    /// The metric's unit in the first valid sample.
    std::optional<Unit> unit_of(const std::string & metric) const;

private:
    const Variant * variant_;
    Mode mode_;
    std::vector<const Sample *> all_;    ///< of both modes
    std::vector<const Sample *> valid_;  ///< of the mode
    std::string failure_;
};

}  // namespace bootbudget::policy
