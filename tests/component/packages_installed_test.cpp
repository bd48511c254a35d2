// SPDX-License-Identifier: GPL-2.0-or-later
#include "packages/installed.hpp"

#include "support/as_ordinary_user.hpp"
#include "support/scratch.hpp"

#include <bootbudget/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace bootbudget::packages {
namespace {

using testing::AllOf;
using testing::HasSubstr;
namespace fs = std::filesystem;

class PackagesInstalled : public testing::Test {
protected:
    fs::path root() const { return scratch_.path(); }

    // As Debian has it, or as Fedora.
    void install(const std::string & release, bool in_boot = false) const {
        const fs::path modules = root() / "lib/modules" / release;
        fs::create_directories(modules);
        fs::create_directories(root() / "boot");
        const fs::path image = in_boot ? root() / "boot" / ("vmlinuz-" + release) : modules / "vmlinuz";
        const fs::path configuration = in_boot ? root() / "boot" / ("config-" + release) : modules / "config";
        std::ofstream(image) << "image";
        std::ofstream(configuration) << "CONFIG_A=y\n";
    }
    std::string refusal(const std::string & running, const std::string & select = {}) const {
        try {
            return "found " + find_installed(root(), running, select).kernels.at(0).release;
        } catch (const UserError & error) {
            return error.what();
        }
    }

    tests::Scratch scratch_;
};

TEST_F(PackagesInstalled, TheRunningKernelUnlessAnotherIsNamed) {
    install("6.1.0-1-amd64", true);
    install("6.17-1.fc43.x86_64");
    const FoundBuild build = find_installed(root(), "6.1.0-1-amd64", {});
    EXPECT_TRUE(build.is_tree);
    EXPECT_EQ(build.directory, root());
    ASSERT_EQ(build.kernels.size(), 1U);
    EXPECT_EQ(build.kernels[0].release, "6.1.0-1-amd64");
    EXPECT_EQ(refusal("6.1.0-1-amd64", "6.17-1.fc43.x86_64"), "found 6.17-1.fc43.x86_64");
}

TEST_F(PackagesInstalled, InAContainerThoseInstalledAreNamed) {
    EXPECT_THAT(refusal("6.6.0-host"), HasSubstr("no kernel is installed"));
    install("6.17-1.fc43.x86_64");
    EXPECT_THAT(
        refusal("6.6.0-host"),
        AllOf(HasSubstr("6.6.0-host"), HasSubstr("6.17-1.fc43.x86_64"), HasSubstr("container"), HasSubstr("--select")));
    EXPECT_EQ(refusal("6.6.0-host", "6.17-1.fc43.x86_64"), "found 6.17-1.fc43.x86_64");
    EXPECT_THAT(refusal("6.6.0-host", "6.18"), AllOf(HasSubstr("no kernel 6.18"), HasSubstr("6.17-1.fc43.x86_64")));
}

TEST_F(PackagesInstalled, AnImageForRootOnlyIsSaidToBe) {
    install("6.1.0-1-amd64", true);
    const fs::path image = root() / "boot/vmlinuz-6.1.0-1-amd64";
    fs::permissions(image, fs::perms::none);
    test::as_ordinary_user([&] {
        EXPECT_THAT(
            refusal("6.1.0-1-amd64"),
            AllOf(HasSubstr(image.string()), HasSubstr("by root only"), HasSubstr("as root")));
    });
    fs::permissions(image, fs::perms(0644));
    test::as_ordinary_user([&] { EXPECT_EQ(refusal("6.1.0-1-amd64"), "found 6.1.0-1-amd64"); });
}

}  // namespace
}  // namespace bootbudget::packages
