// SPDX-License-Identifier: GPL-2.0-or-later
// Addresses as a guest's blocks have them, and the part of the boot that they are told to be.
#include "parts.hpp"

#include <gtest/gtest.h>

namespace bootbudget::counter {
namespace {

constexpr std::uint64_t MIB = 1ULL << 20U;
constexpr std::uint64_t GIB = 1ULL << 30U;

Part first_block_at(std::uint64_t address, std::uint64_t ram = 1280 * MIB) {
    Parts parts;
    parts.set_memory(ram);
    return parts.of(address);
}

TEST(Parts, FirmwareRunsAtTheResetVectorAndBelowOneMebibyte) {
    EXPECT_EQ(first_block_at(0xffff'fff0), Part::FIRMWARE);
    EXPECT_EQ(first_block_at(0xffff'fff0, 4 * GIB), Part::FIRMWARE);
    EXPECT_EQ(first_block_at(0xff00'0000), Part::FIRMWARE);
    EXPECT_EQ(first_block_at(0), Part::FIRMWARE);
    EXPECT_EQ(first_block_at(0xf'ffff), Part::FIRMWARE);
    EXPECT_EQ(first_block_at(0x10'0000), Part::DECOMPRESSION);
    EXPECT_EQ(first_block_at(0xfeff'ffff), Part::DECOMPRESSION);
    EXPECT_EQ(first_block_at(4 * GIB), Part::DECOMPRESSION);
}

TEST(Parts, FirmwareInitialisesItselfAtTheEndOfLowMemory) {
    EXPECT_EQ(first_block_at(1280 * MIB - 1), Part::FIRMWARE);
    EXPECT_EQ(first_block_at(1248 * MIB), Part::FIRMWARE);
    EXPECT_EQ(first_block_at(1248 * MIB - 1), Part::DECOMPRESSION);
    EXPECT_EQ(first_block_at(1280 * MIB), Part::DECOMPRESSION);
    // q35 with 4 GiB ends it at 2, pc at 3.
    EXPECT_EQ(first_block_at(2 * GIB - 1, 4 * GIB), Part::FIRMWARE);
    EXPECT_EQ(first_block_at(3 * GIB - 1, 4 * GIB), Part::FIRMWARE);
    EXPECT_EQ(first_block_at(2 * GIB, 4 * GIB), Part::DECOMPRESSION);
    EXPECT_EQ(first_block_at(2 * GIB - 1, 2560 * MIB), Part::DECOMPRESSION);
    EXPECT_EQ(first_block_at(3 * GIB - 1, 3 * GIB + 256 * MIB), Part::DECOMPRESSION);
}

TEST(Parts, AllIsKernelOnceItHasBegun) {
    for (const std::uint64_t text : {0xffff'ffff'8100'0000, 0xffff'ffff'8000'0000, 0xffff'ffff'bfe0'0000}) {
        Parts parts;
        parts.set_memory(1280 * MIB);
        EXPECT_EQ(parts.of(0x100'0000), Part::DECOMPRESSION);
        EXPECT_EQ(parts.of(0xffff'ffff'7fff'ffff), Part::DECOMPRESSION);
        EXPECT_EQ(parts.of(text), Part::KERNEL);
        EXPECT_EQ(parts.of(0x40'0000), Part::KERNEL) << "a user's program";
        EXPECT_EQ(parts.of(0xf'0000), Part::KERNEL) << "a processor's start";
        EXPECT_EQ(parts.of(0xffff'8880'0000'0000), Part::KERNEL);
    }
}

}  // namespace
}  // namespace bootbudget::counter
