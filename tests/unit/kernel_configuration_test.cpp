// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/configuration.hpp"

#include <bootbudget/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <algorithm>
#include <cerrno>

namespace bootbudget::kernel {
namespace {

std::string message_of(std::string_view text) {
    try {
        parse_configuration(text, "the.config");
    } catch (const UserError & error) {
        return error.what();
    }
    return "accepted";
}

TEST(KernelConfiguration, ReadsEverySortOfValue) {
    const auto configuration = parse_configuration(
        "#\n# Automatically generated file; DO NOT EDIT.\n\nCONFIG_A=y\nCONFIG_B=m\n# CONFIG_C is not "
        "set\nCONFIG_D=-12\n"
        "CONFIG_E=0x1F\nCONFIG_F=\"a \\\"b\\\" \\\\ c\"\nCONFIG_G=\"\"\nCONFIG_H=n\nCONFIG_I=\"n\"",
        "the.config");
    const Configuration expected{
        {"CONFIG_A", "y"},
        {"CONFIG_B", "m"},
        {"CONFIG_D", "-12"},
        {"CONFIG_E", "0x1F"},
        {"CONFIG_F", "a \"b\" \\ c"},
        {"CONFIG_G", ""},
        {"CONFIG_I", "n"}};
    EXPECT_EQ(configuration, expected);
    EXPECT_EQ(value_of(configuration, "CONFIG_B"), "m");
    EXPECT_EQ(value_of(configuration, "CONFIG_C"), "n");
}

TEST(KernelConfiguration, TheLastOfTwoLinesCounts) {
    EXPECT_EQ(value_of(parse_configuration("CONFIG_A=y\nCONFIG_A=m\n", "x"), "CONFIG_A"), "m");
    EXPECT_EQ(value_of(parse_configuration("CONFIG_A=y\nCONFIG_A=n\n", "x"), "CONFIG_A"), "n");
}

TEST(KernelConfiguration, AnythingElseIsRefusedWithItsLine) {
    for (const char * line :
         {"hello",
          "CONFIG_=y",
          "CONFIG_A",
          "CONFIG_A=",
          "CONFIG_A=yes",
          "CONFIG_A=\"open",
          "CONFIG_A=\"a\"b\"",
          "CONFIG_A=\"\\\"",
          "CONFIG_A =y",
          "A=y",
          "CONFIG_A=y\r",
          "CONFIG_A=0x",
          "CONFIG_A=-",
          "CONFIG_A;rm=y"}) {
        EXPECT_THAT(message_of(std::string("CONFIG_OK=y\n") + line + "\n"), testing::HasSubstr("the.config:2: "))
            << line;
    }
    EXPECT_THAT(message_of("\x1b[2J\n"), testing::Not(testing::HasSubstr("\x1b")));
}

TEST(KernelConfiguration, SizesAreBounded) {
    EXPECT_THAT(message_of(std::string((std::size_t{4} << 20U) + 1, '#')), testing::HasSubstr("bytes"));
    EXPECT_THAT(message_of(std::string(100001, '\n')), testing::HasSubstr("more than 100000 lines"));
    EXPECT_EQ(message_of(std::string(100000, '\n')), "accepted");
}

TEST(KernelConfiguration, UnreadableFileIsASystemError) {
    try {
        read_configuration("/nonexistent/config");
        FAIL();
    } catch (const SystemError & error) {
        EXPECT_EQ(error.error_number(), ENOENT);
        EXPECT_THAT(error.what(), testing::HasSubstr("/nonexistent/config"));
    }
    EXPECT_THROW(read_configuration("/"), UserError);
}

TEST(KernelConfiguration, DifferencesAreByNameAndWithoutTheToolchain) {
    const auto left = parse_configuration(
        "CONFIG_A=y\nCONFIG_B=m\nCONFIG_GCC_VERSION=1\nCONFIG_LOCALVERSION=\"\"\nCONFIG_Z=1\n", "left");
    const auto right = parse_configuration(
        "CONFIG_B=y\nCONFIG_C=\"s\"\nCONFIG_GCC_VERSION=2\nCONFIG_LOCALVERSION=\"+debug\"\nCONFIG_Z=1\n", "right");
    const auto result = differences(left, right);
    ASSERT_EQ(result.size(), 3U);
    EXPECT_EQ(result[0].option + result[0].left + result[0].right, "CONFIG_Ayn");
    EXPECT_EQ(result[1].option + result[1].left + result[1].right, "CONFIG_Bmy");
    EXPECT_EQ(result[2].option + result[2].left + result[2].right, "CONFIG_Cns");
    EXPECT_TRUE(differences(left, left).empty());
}

TEST(KernelConfiguration, RealPairDiffersWhereFedoraMakesItDiffer) {
    const std::string directory = BOOTBUDGET_TEST_DATA "/configs/";
    const auto result = differences(
        read_configuration(directory + "kernel-x86_64-fedora.config"),
        read_configuration(directory + "kernel-x86_64-debug-fedora.config"));
    EXPECT_GT(result.size(), 150U);
    EXPECT_LT(result.size(), 180U);
    for (const char * option : {"CONFIG_KASAN", "CONFIG_PROVE_LOCKING", "CONFIG_LOCK_STAT", "CONFIG_DEBUG_KMEMLEAK"}) {
        EXPECT_TRUE(std::any_of(result.begin(), result.end(), [option](const Difference & difference) {
            return difference.option == option && difference.left == "n" && difference.right == "y";
        })) << option;
    }
    EXPECT_TRUE(std::is_sorted(
        result.begin(), result.end(), [](const Difference & a, const Difference & b) { return a.option < b.option; }));
}

}  // namespace
}  // namespace bootbudget::kernel
