// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "doctor/doctor.hpp"
#include "doctor/machine.hpp"

#include <vector>

namespace bootbudget::doctor {

/// What each task needs, held against what was seen: everything for `check`, then everything for `build`, each in the order in which one would mend it.
std::vector<Examination> judge(const Machine & machine);

}  // namespace bootbudget::doctor
