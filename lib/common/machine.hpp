// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>

namespace bootbudget::common {

/// This machine's architecture as uname(2) names it: "x86_64", "aarch64", …
std::string machine_arch();

}  // namespace bootbudget::common
