// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

namespace bootbudget::tests {

/// A directory of one test, gone with it. Its name has a space and letters beyond ASCII, so that every test shows that such paths work.
class Scratch {
public:
    Scratch() {
        std::string name = (std::filesystem::temp_directory_path() / "böot budget-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) {
            throw std::runtime_error("cannot create " + name);
        }
        path_ = name;
        std::filesystem::permissions(path_, std::filesystem::perms(0755));
    }
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Scratch(const Scratch &) = delete;
    Scratch & operator=(const Scratch &) = delete;

    const std::filesystem::path & path() const noexcept { return path_; }

private:
    std::filesystem::path path_;
};

inline std::string content_of(const std::filesystem::path & path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace bootbudget::tests
