// SPDX-License-Identifier: GPL-2.0-or-later
// Ready policies are found beside the command: installed in ../share/bootbudget/policies, in a build tree in policies/. No path of the machine
// that built it is compiled in.
#include "subcommand.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <vector>

namespace bootbudget::cli {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> policy_directories() {
    std::error_code error;
    const auto command = fs::read_symlink("/proc/self/exe", error);
    if (error) {
        return {};
    }
    const auto bin = command.parent_path();
    return {bin.parent_path() / "share" / "bootbudget" / "policies", bin / "policies"};
}

std::vector<std::string> ready_names() {
    std::vector<std::string> names;
    for (const auto & directory : policy_directories()) {
        std::error_code error;
        for (const auto & entry : fs::directory_iterator(directory, error)) {
            const auto stem = entry.path().stem().string();
            if (entry.path().extension() == ".yaml" && stem != "kinds") {
                names.push_back(stem);
            }
        }
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

/// What can only be meant as a file.
bool is_file_name(const std::string & wish) {
    return wish.find('/') != std::string::npos || wish.ends_with(".yaml") || wish.ends_with(".yml");
}

/// The ready policy of that name, empty if there is none.
fs::path ready_policy(const std::string & name) {
    for (const auto & directory : policy_directories()) {
        std::error_code error;
        if (auto file = directory / (name + ".yaml"); fs::is_regular_file(file, error)) {
            return file.lexically_normal();
        }
    }
    return {};
}

[[noreturn]] void complain_of(const std::string & wish) {
    const auto names = ready_names();
    if (!names.empty()) {
        throw UserError(fmt::format(
            "There is no policy \"{}\": neither a file of that name nor one of the ready policies {}.",
            wish,
            fmt::join(names, ", ")));
    }
    std::vector<std::string> places;
    for (const auto & directory : policy_directories()) {
        places.push_back(directory.lexically_normal().string());
    }
    throw UserError(fmt::format(
        "There is no file \"{}\", and no ready policies were found (looked in {}). Name a policy file with --policy; "
        "docs/policy.md says how to write one.",
        wish,
        fmt::join(places, " and ")));
}

}  // namespace

std::string find_policy(const std::string & wish) {
    std::error_code error;
    if (is_file_name(wish)) {
        if (fs::exists(wish, error)) {
            return wish;
        }
        complain_of(wish);
    }
    // A bare name: a ready policy before anything of that name that happens to lie in the current directory.
    const auto names = ready_names();
    if (std::find(names.begin(), names.end(), wish) != names.end()) {
        return ready_policy(wish).string();
    }
    if (fs::is_regular_file(wish, error)) {
        return wish;
    }
    complain_of(wish);
}

}  // namespace bootbudget::cli
