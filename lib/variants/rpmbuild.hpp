// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "variants/build_log.hpp"
#include "variants/build_progress.hpp"
#include "variants/sources.hpp"
#include "variants/switches.hpp"
#include "variants/workspace.hpp"

#include "common/process.hpp"

#include <stop_token>
#include <string>

namespace bootbudget::variants {

/// rpmbuild's version, such as "4.18.0". Throws SystemError with the command that installs it when there is none.
std::string rpmbuild_version(const Workspace & workspace, std::stop_token stop);

/// One run of `rpmbuild -bb`; its output goes to `log`, the packages to the workspace's RPMS. Returns how it ended; throws what the log throws, Cancelled, SystemError.
common::ProcessEnd run_rpmbuild(
    const StagedSource & staged,
    const Switches & switches,
    bool check_dependencies,
    const Workspace & workspace,
    BuildLog & log,
    BuildProgress & progress,
    std::stop_token stop);

}  // namespace bootbudget::variants
