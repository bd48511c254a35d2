// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "packages/rpm_file.hpp"

#include <string>
#include <string_view>

namespace bootbudget::packages {

/// UserError for a package that is not as a package should be: "the package N (FILE) is refused: WHAT; fetch or build it again."
[[noreturn]] void refuse(const RpmFile & package, const std::string & what);

/// The same for one of its files: "… its entry \"NAME\" WHAT …".
[[noreturn]] void refuse(const RpmFile & package, std::string_view entry, const std::string & what);

}  // namespace bootbudget::packages
