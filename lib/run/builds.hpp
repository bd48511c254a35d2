// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "packages/where.hpp"

#include <bootbudget/check.hpp>

#include <stop_token>
#include <utility>
#include <vector>

namespace bootbudget::run {

/// What the request names, found and verified, the build under test first. Throws as find_build() does, and UserError where the request demands signatures of
/// what has none: files of a tree.
std::vector<std::pair<BuildRole, packages::FoundBuild>> find_builds(
    const Request & request, Progress & progress, std::stop_token stop);

}  // namespace bootbudget::run
