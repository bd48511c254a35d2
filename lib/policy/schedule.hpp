// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "measure/boundary.hpp"

namespace bootbudget::policy {

/// When the comparisons of a check are looked at, and how much error each may make.
struct Schedule {
    double confidence = 0.95;  ///< of the whole check
    measure::Looks timed;      ///< from runs.min to runs.max boots; with the share of one comparison
    measure::Looks counted;    ///< from counted.min to counted.max boots
    bool last = false;         ///< no more boots will come
};

}  // namespace bootbudget::policy
