// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "report/words.hpp"

#include <bootbudget/report.hpp>

#include <string>

namespace bootbudget::report {

/// The measured variant of the other build with this variant's name; nullptr if there is none.
const Variant * namesake(const Variant & variant, const Report & report);

/// What the build against is called: its NVR, else where it came from; empty if there is none.
std::string name_of_against(const Report & report);

/// "+3.1 %": how far `summary` is from the other build's; empty where a percentage would say nothing.
std::string change(const std::string & metric, const Summary & summary, const Summary & against);

/// The table of the variants of the build against, each metric beside that of the build under test with the change; empty if there is none.
std::string against(const Report & report, const Words & words);

}  // namespace bootbudget::report
