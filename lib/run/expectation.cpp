// SPDX-License-Identifier: GPL-2.0-or-later
// The next boot of a variant takes about as long as its last one; before the first, a guess by kind.
#include "run/expectation.hpp"

namespace bootbudget::run {

double expected_boot_seconds(Kind kind) noexcept {
    return kind == Kind::DEBUG ? 60.0 : 25.0;
}

void Expectation::learn(const std::string & variant, double seconds) {
    latest_[variant] = seconds;
}

double Expectation::of(const std::string & variant, Kind kind) const {
    const auto known = latest_.find(variant);
    return known != latest_.end() ? known->second : expected_boot_seconds(kind);
}

}  // namespace bootbudget::run
