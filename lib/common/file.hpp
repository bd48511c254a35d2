// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

namespace bootbudget::common {

/// The whole content of a regular file. UserError if it is none, or larger than `max_bytes`; SystemError if it cannot be read.
std::string read_file(const std::filesystem::path & path, std::size_t max_bytes);

}  // namespace bootbudget::common
