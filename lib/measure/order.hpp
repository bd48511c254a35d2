// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace bootbudget::measure {

/// The order of the boots within each round, shuffled, so that no variant always comes after the same other one. The same seed gives the same orders on
/// every platform.
class Order {
public:
    explicit Order(std::uint64_t seed) : generator_(seed) {}

    /// The next round's order: 0 … n-1, each once.
    std::vector<std::size_t> shuffled(std::size_t n);

private:
    /// 0 … bound-1, each as likely. Needs bound ≥ 1.
    std::uint64_t below(std::uint64_t bound);

    std::mt19937_64 generator_;
};

}  // namespace bootbudget::measure
