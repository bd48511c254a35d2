// SPDX-License-Identifier: GPL-2.0-or-later
// Packages put together at random from what hostile ones are made of, each with valid digests: whatever the combination, it ends with a tree that is in order or
// with a UserError, and nothing is written elsewhere. Meant to be run under sanitizers too.
#include "support/forged_unpacking.hpp"

#include <rpm/rpmtag.h>
#include <sys/stat.h>

#include <random>

namespace bootbudget::packages {
namespace {

// The same on every machine, unlike the standard library's distributions.
class Dice {
public:
    explicit Dice(std::uint32_t seed) : engine_(seed) {}
    std::size_t below(std::size_t limit) { return engine_() % limit; }
    bool one_in(std::size_t limit) { return below(limit) == 0; }
    template <typename T, std::size_t N>
    const T & of(const T (&choices)[N]) {
        return choices[below(N)];
    }

private:
    std::mt19937 engine_;
};

std::string random_name(Dice & dice) {
    constexpr const char * PARTS[] = {"lib", "a", "b", "c", "modules"};
    constexpr const char * ODD_PARTS[] = {"..", ".", "", "a\nb", "\xff", "x y"};
    std::string name;
    for (std::size_t i = 0, count = 1 + dice.below(4); i < count; ++i) {
        name += std::string("/") + (dice.one_in(60) ? dice.of(ODD_PARTS) : dice.of(PARTS));
    }
    return name;
}

ForgedEntry random_entry(Dice & dice) {
    constexpr const char * TARGETS[] = {"a", "../a", "../../..", "/etc/passwd", "b/c", "a/../../../../x", "."};
    constexpr std::uint16_t ODD_MODES[] = {0020666, 0060660, 0010644, 0140644, 0170644, 0104755, 0100000, 0107777};
    constexpr std::uint64_t ODD_SIZES[] = {0, 1, 0xffffffff, std::uint64_t{1} << 40U, ~std::uint64_t{0}};
    ForgedEntry entry{random_name(dice)};
    switch (dice.below(5)) {
        case 0:
            entry.mode = DIRECTORY_MODE;
            break;
        case 1:
            entry.mode = LINK_MODE;
            entry.link_target = dice.of(TARGETS);
            break;
        default:
            entry.mode = dice.one_in(40) ? dice.of(ODD_MODES) : FILE_MODE;
            entry.content = std::string(dice.below(3000), static_cast<char>('a' + dice.below(3)));
    }
    entry.inode = dice.one_in(5) ? 1 + static_cast<std::uint32_t>(dice.below(3)) : 0;
    if (dice.one_in(40)) {
        entry.header_size = dice.of(ODD_SIZES);
    }
    if (dice.one_in(40)) {
        entry.archive_size = static_cast<std::uint32_t>(dice.below(100000));
    }
    if (dice.one_in(40)) {
        entry.archive_name = "." + random_name(dice);
    }
    if (dice.one_in(40)) {
        entry.digest = dice.one_in(2) ? "" : std::string(64, '0');
    }
    entry.in_archive = !dice.one_in(40);
    entry.flags = dice.one_in(40) ? 64 : 0;
    return entry;
}

TEST_F(PackagesForged, WhateverIsPutTogetherNothingIsWrittenElsewhere) {
    int accepted = 0;
    constexpr int ROUNDS = 1000;
    for (int round = 0; round < ROUNDS; ++round) {
        Dice dice(static_cast<std::uint32_t>(round));
        ForgedRpm rpm;
        for (std::size_t i = 0, count = 1 + dice.below(6); i < count; ++i) {
            rpm.entries.push_back(random_entry(dice));
        }
        if (dice.one_in(30)) {
            constexpr std::uint32_t LISTS[] = {
                RPMTAG_BASENAMES, RPMTAG_DIRNAMES, RPMTAG_DIRINDEXES, RPMTAG_FILEDIGESTS, RPMTAG_FILEDEVICES};
            rpm.list_lengths = {{dice.of(LISTS), 1 + dice.below(8)}};
        }
        try {
            unpack(read_rpm(tests::forge_into(scratch_.path() / "rpms", rpm)), root_, everything, {}, {});
            ++accepted;
        } catch (const UserError &) {
        }
        for (const std::string & name : tree()) {
            struct stat status {};
            ASSERT_EQ(::lstat((root_ / name).c_str(), &status), 0);
            if (S_ISLNK(status.st_mode)) {
                const fs::path target = fs::path(name).parent_path() / fs::read_symlink(root_ / name);
                EXPECT_TRUE(target.is_relative() && *target.lexically_normal().begin() != "..") << round << ' ' << name;
            } else {
                EXPECT_TRUE(S_ISDIR(status.st_mode) || S_ISREG(status.st_mode)) << round << ' ' << name;
                EXPECT_EQ(status.st_mode & 07022U, 0U) << round << ' ' << name;
            }
        }
        fs::remove_all(root_);
        fs::create_directories(root_);
        expect_nothing_written();
        ASSERT_FALSE(HasFailure()) << "round " << round;
    }
    EXPECT_GT(accepted, ROUNDS / 20) << "hardly any reached the disk: nothing was shown";
    EXPECT_LT(accepted, ROUNDS);
}

}  // namespace
}  // namespace bootbudget::packages
