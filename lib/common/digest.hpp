// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace bootbudget::common {

/// Lower-case hex SHA-256, computed by librpm's digest functions. Throws SystemError for a file that cannot be read.
std::string sha256(std::string_view bytes);
std::string sha256_of_file(const std::filesystem::path & path);

}  // namespace bootbudget::common
