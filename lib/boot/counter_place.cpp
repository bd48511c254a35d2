// SPDX-License-Identifier: GPL-2.0-or-later
// The counter is not a library of ours but a plugin of QEMU's, so no loader finds it: it lies in a directory of its own, which is found from the running
// program. That way a build tree, an installed tree and a tree that was moved after its installation all find their own.
#include "boot/counter_place.hpp"

#include "common/library_directories.hpp"

#include <bootbudget/error.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <system_error>

namespace bootbudget::boot {

namespace fs = std::filesystem;

std::vector<fs::path> counter_candidates(const fs::path & executable) {
    constexpr int LEVELS = 4;  // build/tests/component/NAME and its like
    std::vector<fs::path> candidates;
    auto directory = executable.parent_path();
    for (int i = 0; i < LEVELS && directory != directory.root_path(); ++i) {
        candidates.push_back(directory / "plugin" / "qemu" / COUNTER_FILE);
        directory = directory.parent_path();
    }
    const auto prefix = executable.parent_path().parent_path();
    for (const auto & library : common::library_directories(prefix)) {
        candidates.push_back(library / "bootbudget" / COUNTER_FILE);
    }
    candidates.push_back(fs::path(BOOTBUDGET_COUNTER_DIRECTORY) / COUNTER_FILE);
    return candidates;
}

CounterPlace find_counter() {
    std::error_code error;
    if (const char * named = std::getenv(COUNTER_VARIABLE); named != nullptr && *named != '\0') {
        const auto path = fs::absolute(named, error);
        if (!error && fs::is_regular_file(path, error)) {
            return {path, ""};
        }
        return {{}, fmt::format("${} names {}, which is no file", COUNTER_VARIABLE, named)};
    }
    const auto executable = fs::read_symlink("/proc/self/exe", error);
    for (const auto & candidate : counter_candidates(executable)) {
        if (fs::is_regular_file(candidate, error)) {
            return {candidate, ""};
        }
    }
    return {{}, fmt::format("the counter {} is not installed; install bootbudget-qemu-plugin", COUNTER_FILE)};
}

fs::path copy_counter(const fs::path & counter, const fs::path & directory) {
    const auto copy = directory / COUNTER_FILE;
    std::error_code error;
    fs::copy_file(counter, copy, error);
    if (!error) {
        using fs::perms;
        const auto readable =
            perms::owner_all | perms::group_read | perms::group_exec | perms::others_read | perms::others_exec;
        fs::permissions(copy, readable, error);
    }
    if (error) {
        throw SystemError(fmt::format("cannot copy {} to {}", counter.string(), directory.string()), error.value());
    }
    return copy;
}

std::string doubled_commas(const std::string & value) {
    std::string doubled;
    for (const char c : value) {
        doubled += c;
        if (c == ',') {
            doubled += c;
        }
    }
    return doubled;
}

}  // namespace bootbudget::boot
