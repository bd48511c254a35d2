// SPDX-License-Identifier: GPL-2.0-or-later
// Results of builds lie flat or in a directory per architecture, with logs beside them. A directory given by mistake, such as a home, must end soon and
// in a sentence.
#include "packages/directory.hpp"

#include <fmt/format.h>
#include <bootbudget/error.hpp>

#include <algorithm>
#include <system_error>

namespace bootbudget::packages {

namespace fs = std::filesystem;

Listing list_packages(const fs::path & directory, std::stop_token stop) {
    constexpr std::size_t MAX_FILES = 10000;
    constexpr std::size_t NAMED = 3;
    std::error_code error;
    const fs::file_status status = fs::status(directory, error);
    if (status.type() == fs::file_type::not_found) {
        throw UserError(fmt::format("there is no directory {}.", directory.string()));
    }
    if (status.type() == fs::file_type::none) {
        throw SystemError(fmt::format("cannot read the directory {}", directory.string()), error.value());
    }
    if (status.type() != fs::file_type::directory) {
        throw UserError(fmt::format(
            "{} is not a directory; give the directory that holds all packages of the build.", directory.string()));
    }
    Listing listing;
    std::size_t count = 0;
    fs::recursive_directory_iterator entry(directory, error);
    for (const fs::recursive_directory_iterator end; !error && entry != end; entry.increment(error)) {
        if (stop.stop_requested()) {
            throw Cancelled(fmt::format("Reading {} was cancelled.", directory.string()));
        }
        if (++count > MAX_FILES) {
            throw UserError(fmt::format(
                "{} holds more than {} files; give the directory that holds the packages of the build only.",
                directory.string(),
                MAX_FILES));
        }
        const std::string name = entry->path().filename().string();
        std::error_code ignored;
        if (entry->is_directory(ignored)) {
            if (name.front() == '.') {
                entry.disable_recursion_pending();
            }
        } else if (entry->path().extension() == ".rpm") {
            listing.packages.push_back(entry->path());
        } else {
            ++listing.other_count;
            if (listing.others.size() < NAMED) {
                listing.others.push_back(name);
            }
        }
    }
    if (error) {
        throw SystemError(fmt::format("cannot list the directory {}", directory.string()), error.value());
    }
    std::sort(listing.packages.begin(), listing.packages.end());
    return listing;
}

}  // namespace bootbudget::packages
