// SPDX-License-Identifier: GPL-2.0-or-later
// The next boot of a variant takes about as long as its last one of the same sort; before the first, a guess by kind.
#include "run/expectation.hpp"

namespace bootbudget::run {

double expected_boot_seconds(Kind kind, Mode mode) noexcept {
    return (kind == Kind::DEBUG ? 60.0 : 25.0) * (mode == Mode::COUNTED ? 1.6 : 1.0);
}

void Expectation::learn(const Variant & variant, Mode mode, double seconds) {
    latest_[{variant.build, variant.name, mode}] = seconds;
}

double Expectation::of(const Variant & variant, Mode mode) const {
    const auto known = latest_.find({variant.build, variant.name, mode});
    return known != latest_.end() ? known->second : expected_boot_seconds(variant.kind, mode);
}

}  // namespace bootbudget::run
