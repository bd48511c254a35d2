// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "boot/console.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace bootbudget::test {

/// Outputs of real runs of libguestfs-test-tool; tests/data/console/README.md says of what.
inline std::filesystem::path recorded_log(const std::string & name) {
    return std::filesystem::path(BOOTBUDGET_TEST_DATA) / "console" / name;
}

inline std::vector<std::filesystem::path> recorded_logs() {
    std::vector<std::filesystem::path> logs;
    for (const auto & entry : std::filesystem::directory_iterator(recorded_log(""))) {
        if (entry.path().extension() == ".log") {
            logs.push_back(entry.path());
        }
    }
    return logs;
}

inline std::string text_of(const std::filesystem::path & path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The recordings have no arrival times: ten lines a second are made up.
inline std::vector<boot::TimedLine> timed(const std::string & text) {
    std::vector<boot::TimedLine> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back({line, static_cast<double>(lines.size()) / 10});
    }
    return lines;
}

}  // namespace bootbudget::test
