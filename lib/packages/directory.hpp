// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace bootbudget::packages {

/// The files below a directory: nested or not, without hidden directories; links to directories are not followed, links to files are.
struct Listing {
    std::vector<std::filesystem::path> packages;  ///< *.rpm, sorted
    std::vector<std::string> others;              ///< names of up to a few other files, for messages
    std::size_t other_count = 0;
};

/// UserError if there is no such directory or it holds more than 10 000 files; SystemError if it cannot be listed.
Listing list_packages(const std::filesystem::path & directory, std::stop_token stop);

}  // namespace bootbudget::packages
