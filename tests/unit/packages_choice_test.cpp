// SPDX-License-Identifier: GPL-2.0-or-later
#include "packages/choice.hpp"

#include <bootbudget/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bootbudget::packages {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

KernelBuild kernel(const std::string & evr, const std::string & name = "kernel") {
    const auto colon = evr.find(':');
    return {name + "-" + (colon == std::string::npos ? evr : evr.substr(colon + 1)), evr};
}

std::string refusal(
    const std::vector<KernelBuild> & builds, const std::string & select, Several several = Several::NEWEST) {
    try {
        return "took " + choose_build(builds, select, several, "/there").nvr;
    } catch (const UserError & error) {
        return error.what();
    }
}

TEST(PackagesChoice, TheNewestByRpmsRules) {
    for (const auto & [older, newer] : std::vector<std::pair<std::string, std::string>>{
             {"6.17.4-9.fc43", "6.17.4-10.fc43"},
             {"6.9-1", "6.10-1"},
             {"6.18~rc1-1", "6.18-1"},
             {"6.18-1", "6.18^git2-1"},
             {"7.0-1", "1:5.0-1"},
             {"6.17-1.fc42", "6.17-1.fc43"}}) {
        EXPECT_EQ(choose_build({kernel(older), kernel(newer)}, "", Several::NEWEST, "").evr, newer);
        EXPECT_EQ(choose_build({kernel(newer), kernel(older)}, "", Several::NEWEST, "").evr, newer);
    }
}

TEST(PackagesChoice, ABuildOrTheNewestOfASourcePackageIsSelected) {
    const std::vector<KernelBuild> builds{
        kernel("6.17-1"),
        kernel("6.18-1"),
        kernel("6.12-1", "kernel-longterm-6.12"),
        kernel("6.12-2", "kernel-longterm-6.12")};
    EXPECT_EQ(choose_build(builds, "kernel-6.17-1", Several::NEWEST, "").evr, "6.17-1");
    EXPECT_EQ(choose_build(builds, "kernel", Several::NEWEST, "").evr, "6.18-1");
    EXPECT_EQ(choose_build(builds, "kernel", Several::MISTAKE, "").evr, "6.18-1");
    EXPECT_EQ(choose_build(builds, "kernel-longterm-6.12", Several::NEWEST, "").evr, "6.12-2");
    EXPECT_EQ(builds[3].name(), "kernel-longterm-6.12");
}

TEST(PackagesChoice, WhatIsNotSettledIsAMistakeThatNamesWhatThereIs) {
    const std::vector<KernelBuild> builds{kernel("6.17-1"), kernel("6.18-1"), kernel("6.12-1", "kernel-longterm")};
    EXPECT_THAT(
        refusal(builds, ""),
        AllOf(
            HasSubstr("2 source packages"),
            HasSubstr("kernel-6.18-1, kernel-longterm-6.12-1"),
            HasSubstr("--select kernel."),
            Not(HasSubstr("6.17-1"))));
    EXPECT_THAT(refusal(builds, "", Several::MISTAKE), AllOf(HasSubstr("3 builds"), HasSubstr("--select")));
    EXPECT_THAT(refusal(builds, "kernel-rt"), AllOf(HasSubstr("no build \"kernel-rt\""), HasSubstr("kernel-6.17-1")));
    EXPECT_THAT(refusal({builds[0]}, "kernel-6.18-1", Several::MISTAKE), HasSubstr("no build"));
    EXPECT_EQ(refusal({builds[0]}, "", Several::MISTAKE), "took kernel-6.17-1");
}

}  // namespace
}  // namespace bootbudget::packages
