// SPDX-License-Identifier: GPL-2.0-or-later
// Fisher and Yates's shuffle in Durstenfeld's form (CACM 7(7), 1964). Written out, because the standard leaves the sequence of std::shuffle and of
// std::uniform_int_distribution to each library, while that of std::mt19937_64 is fixed ([rand.predef]); a recorded seed must give the same order anywhere.
#include "measure/order.hpp"

#include <limits>
#include <numeric>
#include <utility>

namespace bootbudget::measure {

std::vector<std::size_t> Order::shuffled(std::size_t n) {
    std::vector<std::size_t> order(n);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t left = n; left > 1; --left) {
        std::swap(order[left - 1], order[static_cast<std::size_t>(below(left))]);
    }
    return order;
}

// The generator's 2^64 values do not divide by most bounds; those of the last, incomplete stretch are drawn again.
std::uint64_t Order::below(std::uint64_t bound) {
    constexpr auto GREATEST = std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t incomplete = (GREATEST % bound + 1) % bound;
    std::uint64_t drawn = generator_();
    while (drawn > GREATEST - incomplete) {
        drawn = generator_();
    }
    return drawn % bound;
}

}  // namespace bootbudget::measure
