// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/account.hpp"

#include <filesystem>
#include <stop_token>

namespace bootbudget::run {

/// What would make every boot fail alike, asked before anything is unpacked: libguestfs-test-tool is there, and the boots' account can reach
/// `work`. SystemError with the next step.
void require_means(const std::filesystem::path & work, const common::Account & account, std::stop_token stop);

}  // namespace bootbudget::run
