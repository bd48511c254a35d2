// SPDX-License-Identifier: GPL-2.0-or-later
// Exponential back-off with jitter, in floating point, where no number of failures overflows.
#include "net/retry.hpp"

#include <algorithm>
#include <cmath>

namespace bootbudget::net {

std::chrono::milliseconds pause_before(
    unsigned failures, std::chrono::milliseconds first, double chance, std::chrono::seconds asked_for) {
    using Milliseconds = std::chrono::duration<double, std::milli>;
    const double doublings = failures == 0 ? 0 : failures - 1;
    const Milliseconds own = Milliseconds(first) * std::exp2(doublings) * (0.75 + chance / 2);
    const Milliseconds pause = std::max(own, Milliseconds(asked_for));
    return std::chrono::duration_cast<std::chrono::milliseconds>(std::min(pause, Milliseconds(LONGEST_PAUSE)));
}

}  // namespace bootbudget::net
