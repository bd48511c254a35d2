// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "report/words.hpp"

#include <bootbudget/report.hpp>

#include <string>

namespace bootbudget::report {

/// "quiet", "busy (41 % CPU pressure in 3 of 5 boots)", "busy (up to 41 % CPU pressure, in 3 of 5 boots)" where they differ: the timed boots that are
/// in the summary, else the counted ones, which are never called quiet. Empty if no boot says anything of its surroundings.
std::string disturbance(const Variant & variant);

/// The section that names each value far off its series, with the likely cause; empty if there is none.
std::string outliers(const Report & report, const Words & words);

}  // namespace bootbudget::report
