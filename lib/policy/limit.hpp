// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bootbudget/quantity.hpp>

#include <string>

namespace bootbudget::policy {

/// The least number at or above `value` that a person would choose as a limit (two digits; ratios in twentieths, memory in whole 32 MiB), as policies
/// write it: "41s", "1.8G", "640MiB", "3.45x". Empty if `value` is nothing that a policy could have.
std::string rounded_limit(double value, Unit unit);

}  // namespace bootbudget::policy
