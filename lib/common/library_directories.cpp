// SPDX-License-Identifier: GPL-2.0-or-later
// Fedora has one library directory an architecture, Debian one for each architecture's triplet (multiarch).
#include "common/library_directories.hpp"

#include <algorithm>

namespace bootbudget::common {

namespace fs = std::filesystem;

std::vector<fs::path> library_directories(const fs::path & prefix) {
    std::vector<fs::path> directories{prefix / "lib64", prefix / "lib"};
    std::error_code error;
    for (fs::directory_iterator entry(prefix / "lib", error), end; !error && entry != end; entry.increment(error)) {
        if (entry->path().filename().string().find("-linux-gnu") != std::string::npos) {
            directories.push_back(entry->path());
        }
    }
    std::sort(directories.begin() + 2, directories.end());
    return directories;
}

}  // namespace bootbudget::common
