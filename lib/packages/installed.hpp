// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "packages/where.hpp"

#include <filesystem>
#include <string>

namespace bootbudget::packages {

/// The kernel of this machine, whose file system is at `root`, that `select` names, else `running` (uname -r). UserError with the kernels that are
/// installed if that is not among them, as in a container; and if its image or configuration cannot be read, with the next step.
FoundBuild find_installed(const std::filesystem::path & root, const std::string & running, const std::string & select);

/// Only the kernel that `select` names, if it names one. UserError with those there are.
void keep_selected(FoundBuild & build, const std::string & select, const std::string & where);

}  // namespace bootbudget::packages
