// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "packages/payload.hpp"
#include "support/forged_rpm.hpp"
#include "support/scratch.hpp"

#include <bootbudget/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace bootbudget::packages {

using tests::ForgedEntry;
using tests::ForgedRpm;
namespace fs = std::filesystem;

inline constexpr std::uint16_t FILE_MODE = 0100644;
inline constexpr std::uint16_t DIRECTORY_MODE = 040755;
inline constexpr std::uint16_t LINK_MODE = 0120777;

inline bool everything(std::string_view /*name*/) {
    return true;
}

/// Forges packages, which read_rpm() accepts, and unpacks them below root_.
class PackagesForged : public testing::Test {
protected:
    PackagesForged() {
        fs::create_directories(root_);
        std::ofstream(scratch_.path() / "outside") << "untouched";
    }

    RpmFile forged(const std::vector<ForgedEntry> & entries) {
        ForgedRpm rpm;
        rpm.entries = entries;
        return read_rpm(tests::forge_into(scratch_.path() / "rpms", rpm));
    }

    // The message of the UserError, or "accepted".
    std::string unpack_all(const std::vector<ForgedEntry> & entries) {
        const RpmFile package = forged(entries);
        try {
            unpack(package, root_, everything, {}, {});
        } catch (const UserError & error) {
            return error.what();
        }
        return "accepted";
    }

    // All names below the root, with a '/' after directories.
    std::set<std::string> tree() const {
        std::set<std::string> names;
        for (const auto & entry : fs::recursive_directory_iterator(root_)) {
            const bool directory = !entry.is_symlink() && entry.is_directory();
            names.insert(entry.path().lexically_relative(root_).string() + (directory ? "/" : ""));
        }
        return names;
    }

    std::set<std::string> files() const {
        std::set<std::string> names = tree();
        std::erase_if(names, [](const std::string & name) { return name.back() == '/'; });
        return names;
    }

    void expect_nothing_written() const {
        EXPECT_THAT(files(), testing::IsEmpty());
        // The root, the packages and the file beside them: nothing else appeared.
        std::set<std::string> beside;
        for (const auto & entry : fs::directory_iterator(scratch_.path())) {
            beside.insert(entry.path().filename().string());
        }
        EXPECT_EQ(beside, (std::set<std::string>{"outside", "root", "rpms"}));
        EXPECT_EQ(tests::content_of(scratch_.path() / "outside"), "untouched");
    }

    tests::Scratch scratch_;
    fs::path root_ = scratch_.path() / "root";
};

}  // namespace bootbudget::packages
