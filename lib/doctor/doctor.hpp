// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace bootbudget::doctor {

enum class Health { OK, WARNING, MISSING };

/// One thing a task needs.
struct Examination {
    std::string task;  ///< "check", "build", …
    std::string what;  ///< "libguestfs-test-tool"
    Health health = Health::OK;
    std::string found;   ///< version, path, free space
    std::string remedy;  ///< the command that mends it on this distribution; empty when ok
};

/// Looks at the machine; starts version commands only. Never throws for something that is missing.
std::vector<Examination> examine(
    const std::filesystem::path & work_directory, const std::string & user, std::stop_token stop);

std::string to_text(const std::vector<Examination> & examinations, bool colour);
std::string to_json(const std::vector<Examination> & examinations);

/// 0 if nothing is missing for `check`, else 3.
int exit_status(const std::vector<Examination> & examinations);

}  // namespace bootbudget::doctor
