// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "net/download.hpp"

#include <filesystem>
#include <stop_token>

namespace bootbudget::net {

/// The file of a file: URL, after its size and checksum have been checked as promised. Throws what fetch() throws.
std::filesystem::path check_local_file(const Download & download, const std::stop_token & stop);

}  // namespace bootbudget::net
