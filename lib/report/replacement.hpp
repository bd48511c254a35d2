// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace bootbudget::report {

/// Whether the file system may be asked to swap two names in one step (renameat2(2), RENAME_EXCHANGE).
enum class Swap { WHERE_SUPPORTED, NEVER };

/// Why `path` is not a place for a report, as the middle of a sentence ("holds a file x that no check wrote"); empty if it does not exist, is an
/// empty directory or the report of an earlier check.
std::string objection_to(const std::filesystem::path & path);

/// Gives the directory `fresh` the name `final_path`, in the same directory. What had that name before is at `fresh` afterwards, or nothing. At no moment is
/// there something half-done under `final_path`; on file systems that cannot swap, there may be nothing for a moment.
/// UserError if something that is no earlier report has taken the name; SystemError; `fresh` is still there then.
void replace(
    const std::filesystem::path & fresh, const std::filesystem::path & final_path, Swap swap = Swap::WHERE_SUPPORTED);

}  // namespace bootbudget::report
