// SPDX-License-Identifier: GPL-2.0-or-later
// execvp(3)'s search, done before the fork, where memory may be allocated and a missing program can be told apart from a failing one.
#include "common/program_path.hpp"

#include <unistd.h>

#include <algorithm>

namespace bootbudget::common {

std::optional<std::filesystem::path> program_path(const std::string & name, std::string_view path) {
    if (name.empty()) {
        return std::nullopt;
    }
    if (name.find('/') != std::string::npos) {
        return name;
    }
    while (!path.empty()) {
        const std::size_t size = std::min(path.find(':'), path.size());
        const std::filesystem::path directory = path.substr(0, size);
        path.remove_prefix(std::min(size + 1, path.size()));
        if (directory.is_absolute()) {
            std::filesystem::path candidate = directory / name;
            std::error_code error;
            if (std::filesystem::is_regular_file(candidate, error) && access(candidate.c_str(), X_OK) == 0) {
                return candidate;
            }
        }
    }
    return std::nullopt;
}

}  // namespace bootbudget::common
