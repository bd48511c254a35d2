// SPDX-License-Identifier: GPL-2.0-or-later
// Names in packages may hold anything, and these sentences go to terminals.
#include "packages/refusal.hpp"

#include "common/units.hpp"

#include <fmt/format.h>
#include <bootbudget/error.hpp>

namespace bootbudget::packages {

void refuse(const RpmFile & package, const std::string & what) {
    throw UserError(fmt::format(
        "the package {} ({}) is refused: {}; fetch or build it again.", package.nevra, package.path.string(), what));
}

void refuse(const RpmFile & package, std::string_view entry, const std::string & what) {
    refuse(package, fmt::format("its entry \"{}\" {}", common::printable(entry, 200), what));
}

}  // namespace bootbudget::packages
