// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/release.hpp"

#include <gtest/gtest.h>

namespace bootbudget::kernel {
namespace {

TEST(KernelRelease, RealReleasesAreReleases) {
    for (const char * text :
         {"6.17.4-300.fc43.x86_64",
          "6.17.4-300.fc43.x86_64+rt-debug",
          "6.1.0-57-amd64",
          "6.1.192+debug",
          "6.18.0~rc1"}) {
        EXPECT_TRUE(is_release(text)) << text;
    }
}

TEST(KernelRelease, TextThatWouldMakeAPathOrAnOptionIsNoRelease) {
    for (const char * text :
         {"", ".", "..", "-rf", "+debug", "6.1/../../etc", "6.1..2", "6.1 2", "6.1\n", "6.1\xc3\xa9", "6.1$(x)"}) {
        EXPECT_FALSE(is_release(text)) << text;
    }
    EXPECT_TRUE(is_release(std::string(64, '6')));
    EXPECT_FALSE(is_release(std::string(65, '6')));
    EXPECT_FALSE(is_release(std::string_view("6.1\0", 4)));
}

TEST(KernelRelease, FlavourIsTheSuffixWithoutDebug) {
    EXPECT_EQ(flavour_of("6.17.4-300.fc43.x86_64"), "base");
    EXPECT_EQ(flavour_of("6.17.4-300.fc43.x86_64+debug"), "base");
    EXPECT_EQ(flavour_of("6.17.4-300.fc43.x86_64+rt"), "rt");
    EXPECT_EQ(flavour_of("6.17.4-300.fc43.x86_64+rt-debug"), "rt");
    EXPECT_EQ(flavour_of("6.17.4-300.fc43.x86_64+rt_debug"), "rt");
    EXPECT_EQ(flavour_of("6.17.4-300.fc43.aarch64+64k-debug"), "64k");
    EXPECT_EQ(flavour_of("6.17.4-300.fc43.aarch64+rt-64k"), "rt-64k");
    EXPECT_EQ(flavour_of("6.1.0-57-amd64"), "base");
    EXPECT_EQ(flavour_of("6.18.0-rc1+"), "base");
}

TEST(KernelRelease, ArchIsTheLastPartBeforeTheSuffix) {
    EXPECT_EQ(arch_of("6.17.4-300.fc43.x86_64"), "x86_64");
    EXPECT_EQ(arch_of("6.17.4-300.fc43.aarch64+64k-debug"), "aarch64");
    EXPECT_EQ(arch_of("6.1.0-57-amd64"), "");
    EXPECT_EQ(arch_of("6.1.192"), "");
    EXPECT_EQ(arch_of(""), "");
}

}  // namespace
}  // namespace bootbudget::kernel
