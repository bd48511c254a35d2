// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/account.hpp"

#include <stop_token>
#include <string>
#include <vector>

namespace bootbudget::boot {

/// What a program prints when the boots' account runs it; empty where it cannot be run or does not end: what is wrong with it the boot itself will say.
/// Throws Cancelled.
std::string answer_of(std::vector<std::string> argv, const common::Account & account, std::stop_token stop);

}  // namespace bootbudget::boot
