// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace bootbudget::common {

/// The first executable regular file of that name in the directories of `path` (separated by colons; relative ones are passed over, as they would
/// mean another file in another directory). A name with a slash is returned as it is, if it is not empty.
std::optional<std::filesystem::path> program_path(const std::string & name, std::string_view path);

}  // namespace bootbudget::common
