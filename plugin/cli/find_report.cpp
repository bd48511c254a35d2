// SPDX-License-Identifier: GPL-2.0-or-later
// Reports are named by their file or by the directory that a check left: both are what people have at hand.
#include "subcommand.hpp"

#include <fmt/format.h>
#include <bootbudget/error.hpp>

#include <system_error>

namespace bootbudget::cli {

namespace fs = std::filesystem;

fs::path find_report(const std::string & wish) {
    constexpr const char * NEXT = "give the directory that bootbudget check --output wrote, or its report.json";
    const auto is_absent = [](const fs::path & path) {
        std::error_code error;
        return fs::status(path, error).type() == fs::file_type::not_found || error == std::errc::filename_too_long;
    };
    fs::path file = wish;
    if (wish.empty() || is_absent(file)) {
        throw UserError(fmt::format("There is no report \"{}\"; {}.", wish, NEXT));
    }
    std::error_code error;
    if (fs::is_directory(file, error)) {
        file /= "report.json";
        if (is_absent(file)) {
            throw UserError(fmt::format("There is no report.json in {}; {}.", wish, NEXT));
        }
    }
    return file;
}

}  // namespace bootbudget::cli
