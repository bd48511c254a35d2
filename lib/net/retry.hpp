// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <chrono>

namespace bootbudget::net {

/// The longest pause between two attempts, whatever the server asks for.
inline constexpr std::chrono::milliseconds LONGEST_PAUSE{60000};

/// How long to wait after the `failures`-th failure in a row (from 1): `first` doubled with each, give or take a quarter by `chance` (in [0, 1)), so that many who failed
/// together do not come back together; at least what the server asked for (Retry-After, RFC 9110 10.2.3; 0 if it did not); at most LONGEST_PAUSE.
std::chrono::milliseconds pause_before(
    unsigned failures, std::chrono::milliseconds first, double chance, std::chrono::seconds asked_for);

}  // namespace bootbudget::net
