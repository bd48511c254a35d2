// SPDX-License-Identifier: GPL-2.0-or-later
// System.map is read once from beginning to end for the few names that are wanted: a hundred thousand short lines take some milliseconds.
#include "kernel/symbols.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <set>
#include <string_view>

namespace bootbudget::kernel {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t MAX_LINES = 4'000'000;

fs::path system_map(const BootTree & tree) {
    std::error_code error;
    const auto beside_modules = tree.modules / "System.map";
    return fs::is_regular_file(beside_modules, error) ? beside_modules
                                                      : tree.root / "boot" / ("System.map-" + tree.release);
}

}  // namespace

std::map<std::string, std::uint64_t> addresses_of(const BootTree & tree, const std::vector<std::string> & functions) {
    std::map<std::string, std::uint64_t> addresses;
    std::set<std::string> ambiguous;
    std::ifstream file(system_map(tree));
    std::string line;
    for (std::size_t number = 0; number < MAX_LINES && std::getline(file, line); ++number) {
        const auto space = line.find(' ');
        if (space == std::string::npos || line.size() < space + 4 || line[space + 2] != ' ') {
            continue;
        }
        const auto name = line.substr(space + 3);
        if ((line[space + 1] != 't' && line[space + 1] != 'T') ||
            std::find(functions.begin(), functions.end(), name) == functions.end()) {
            continue;
        }
        std::uint64_t address = 0;
        const auto [end, error] = std::from_chars(line.data(), line.data() + space, address, 16);
        if (error != std::errc() || end != line.data() + space || address == 0) {
            continue;
        }
        const auto known = addresses.try_emplace(name, address).first;
        if (known->second != address) {
            ambiguous.insert(name);
        }
    }
    for (const auto & name : ambiguous) {
        addresses.erase(name);
    }
    return addresses;
}

}  // namespace bootbudget::kernel
