// SPDX-License-Identifier: GPL-2.0-or-later
// Ready policies are found beside the command: installed in share/bootbudget/policies, in a build tree in the source's policies/. No path of the
// machine that built it is compiled in.
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
    return {bin.parent_path() / "share" / "bootbudget" / "policies", bin.parent_path() / "policies"};
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

}  // namespace

std::string find_policy(const std::string & wish) {
    std::error_code error;
    if (fs::exists(wish, error)) {
        return wish;
    }
    if (wish.find('/') == std::string::npos) {
        for (const auto & directory : policy_directories()) {
            const auto file = directory / (wish + ".yaml");
            if (fs::exists(file, error)) {
                return file.lexically_normal().string();
            }
        }
    }
    throw UserError(fmt::format(
        "There is no policy \"{}\": neither a file of that name nor a ready policy ({}).",
        wish,
        fmt::join(ready_names(), ", ")));
}

}  // namespace bootbudget::cli
