// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "measure/boundary.hpp"

#include <chrono>

namespace bootbudget::policy {

/// Whether more boots will come, as far as whoever makes them knows.
enum class Last {
    NO,
    YES,         ///< no more will come
    OUT_OF_TIME  ///< nor any that sampling.total_timeout was too short for
};

/// When the comparisons of a check are looked at, and how much error each may make.
struct Schedule {
    double confidence = 0.95;  ///< of the whole check
    measure::Looks timed;      ///< from runs.min to runs.max boots; with the share of one comparison
    measure::Looks counted;    ///< from counted.min to counted.max boots
    Last last = Last::NO;
    std::chrono::milliseconds total_timeout{0};  ///< sampling.total_timeout, for the sentences
};

}  // namespace bootbudget::policy
