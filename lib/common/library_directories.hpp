// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <filesystem>
#include <vector>

namespace bootbudget::common {

/// Where a distribution may keep libraries and what belongs to them below `prefix`, such as /usr: lib64, lib, and Debian's lib/TRIPLET, as far as
/// there are any of the latter.
std::vector<std::filesystem::path> library_directories(const std::filesystem::path & prefix);

}  // namespace bootbudget::common
