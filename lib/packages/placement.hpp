// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "packages/payload.hpp"

#include <optional>
#include <string>

namespace bootbudget::packages {

/// Where a package's file goes: an absolute name → a relative one below the root, or nothing for a file that is not wanted.
using Placement = std::function<std::optional<std::string>(std::string_view)>;

/// unpack() for files that go elsewhere than their names say, such as from /usr/lib/modules to lib/modules.
void unpack_placed(
    const RpmFile & package,
    const std::filesystem::path & root,
    const Placement & placement,
    const UnpackLimits & limits,
    std::stop_token stop);

}  // namespace bootbudget::packages
