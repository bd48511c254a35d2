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
///
/// A boot that was no good spoils the series of both modes, for a kernel that panicked once cannot be judged by its other boots. But a counted boot that was
/// cut off by the timeout, or that ran and was not counted, tells nothing against timed ones: it spoils the counted series alone.
class Series {
public:
    Series(const Variant & variant, Mode mode);

    const Variant & variant() const noexcept { return *variant_; }

    /// Why the variant cannot be judged, as half a sentence ("boot 2 of variant \"debug\" ended in panic: …"): the first boot that spoils the series.
    /// Empty if none does.
    const std::string & failure() const noexcept { return failure_; }

    /// The first boot that spoils the series, if every one that does is a timed launch that was cut off while others kept the machine busy; else
    /// nullptr. What such a launch would have taken on a quiet machine is not known.
    const Sample * cut_off_when_busy() const;

    /// Why there is no sample at all, as half a sentence, for when no more will come.
    std::string absence() const;

    /// True if no measured boot was made, and neither a warm-up boot nor the lack of a kernel says that none can be: there was only no time.
    bool is_untried() const;

    /// Valid samples of the mode.
    int size() const noexcept { return static_cast<int>(valid_.size()); }

    /// A launch of a timed boot on a quiet machine that the timeout cut off at or above `limit_seconds`.
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
    std::vector<const Sample *> spoiling_;  ///< of both modes
    std::vector<const Sample *> valid_;     ///< of the mode
    std::string failure_;
};

}  // namespace bootbudget::policy
