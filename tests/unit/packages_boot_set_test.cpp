// SPDX-License-Identifier: GPL-2.0-or-later
#include "packages/boot_set.hpp"

#include "packages/entries.hpp"

#include <bootbudget/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bootbudget::packages {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string R = "6.17-1.fc43.x86_64";

RpmFile package(
    const std::string & name,
    const std::vector<std::string> & files,
    const std::string & source = "kernel-6.17-1.fc43") {
    RpmFile result;
    result.path = "/build/" + name + ".rpm";
    result.name = name;
    result.nevra = name;
    result.evr = "6.17-1.fc43";
    result.arch = "x86_64";
    result.source_nvr = source;
    result.files = files;
    result.sha256 = name;
    return result;
}

Capability uname_r(const std::string & what, const std::string & version) {
    return {what + "-uname-r", "=", version};
}

// Fedora's packages of one kernel; `v` as in "-debug", `release` as directories, `version` as dependencies spell it.
std::vector<RpmFile> fedora(const std::string & v, const std::string & release, const std::string & version) {
    const std::string modules = "/lib/modules/" + release;
    const std::string k = "kernel" + v;
    std::vector<RpmFile> all{
        package(k, {}),
        package(k + "-core", {modules + "/vmlinuz", modules + "/config"}),
        package(k + "-modules-core", {modules + "/kernel/drivers/scsi/virtio_scsi.ko.xz"}),
        package(k + "-modules", {modules + "/kernel/fs/xfs/xfs.ko.xz"}),
        package(k + "-modules-extra", {modules + "/kernel/net/rare.ko.xz"}),
        package(k + "-modules-internal", {modules + "/kernel/lib/crc_kunit.ko.xz"}),
        package(k + "-devel", {"/usr/src/kernels/" + release + "/Makefile", modules + "/build"}),
        package(k + "-debuginfo", {"/usr/lib/debug/lib/modules/" + release + "/vmlinux"}),
        package(k + "-uki-virt", {modules + "/vmlinuz-virt.efi"}),
    };
    const auto needs = [&](std::size_t i, const std::vector<std::string> & names) {
        for (const std::string & name : names) {
            all[i].requires_.push_back(uname_r(name, version));
        }
    };
    all[1].provides = {uname_r("kernel", version), uname_r(k + "-core", version)};
    all[2].provides = {uname_r(k + "-modules-core", version)};
    all[3].provides = {uname_r(k + "-modules", version)};
    all[4].provides = {uname_r(k + "-modules-extra", version)};
    all[5].provides = {uname_r(k + "-modules-internal", version)};
    all[8].provides = {uname_r("kernel", version)};
    needs(0, {k + "-core", k + "-modules-core", k + "-modules"});
    needs(1, {k + "-modules-core"});
    all[1].requires_.push_back({"/bin/sh", "", ""});
    all[1].requires_.push_back({"dracut", ">=", "027"});
    needs(2, {"kernel"});
    needs(3, {"kernel", k + "-modules-core"});
    needs(4, {"kernel", k + "-modules", k + "-modules-core"});
    needs(5, {"kernel", k + "-modules", k + "-modules-core"});
    needs(8, {k + "-modules-core"});
    return all;
}

std::vector<std::string> names(const FoundKernel & kernel) {
    std::vector<std::string> result;
    for (const RpmFile & file : kernel.boot_set) {
        result.push_back(file.nevra);
    }
    return result;
}

void remove(std::vector<RpmFile> & packages, const std::string & name) {
    std::erase_if(packages, [&name](const RpmFile & file) { return file.name == name; });
}

TEST(PackagesBootSet, TheBootSetOfAFedoraKernel) {
    const Kernels found = find_kernels(fedora("", R, R), "/build");
    ASSERT_EQ(found.kernels.size(), 1U);
    EXPECT_EQ(found.nvr, "kernel-6.17-1.fc43");
    EXPECT_EQ(found.kernels[0].release, R);
    EXPECT_EQ(found.kernels[0].not_bootable, "");
    EXPECT_THAT(names(found.kernels[0]), ElementsAre("kernel-core", "kernel-modules-core"));
    EXPECT_THAT(found.kernels[0].notes, testing::IsEmpty());
    ASSERT_EQ(found.notes.size(), 2U);
    EXPECT_THAT(found.notes[0], AllOf(HasSubstr("7 of the packages"), HasSubstr("kernel-devel")));
    EXPECT_THAT(found.notes[1], HasSubstr("Taken as given: /bin/sh, dracut (needs of an installed kernel"));
}

TEST(PackagesBootSet, SeveralKernelsOfOneBuildAreToldApartThoughProvidesSpellThemOtherwise) {
    std::vector<RpmFile> all = fedora("", R, R);
    for (const auto & [v, suffix, spelt] : std::vector<std::array<std::string, 3>>{
             {"-debug", "+debug", "+debug"}, {"-rt", "+rt", "+rt"}, {"-rt-debug", "+rt-debug", "+rt_debug"}}) {
        const auto more = fedora(v, R + suffix, R + spelt);
        all.insert(all.end(), more.begin(), more.end());
    }
    const Kernels found = find_kernels(all, "/build");
    ASSERT_EQ(found.kernels.size(), 4U);
    EXPECT_EQ(found.kernels[1].release, R + "+debug");
    EXPECT_EQ(found.kernels[3].release, R + "+rt-debug");
    EXPECT_THAT(names(found.kernels[3]), ElementsAre("kernel-rt-debug-core", "kernel-rt-debug-modules-core"));
    for (const FoundKernel & kernel : found.kernels) {
        EXPECT_EQ(kernel.not_bootable, "") << kernel.release;
    }
}

TEST(PackagesBootSet, AMissingRequiredPackageIsNamedWithWhoRequiresIt) {
    auto all = fedora("", R, R);
    remove(all, "kernel-modules-core");
    const Kernels found = find_kernels(all, "/build");
    ASSERT_EQ(found.kernels.size(), 1U);
    EXPECT_THAT(
        found.kernels[0].not_bootable,
        AllOf(
            HasSubstr(
                "nothing provides kernel-modules-core-uname-r = " + R + " needed by kernel-core-6.17-1.fc43.x86_64"),
            HasSubstr("Add the package")));
    EXPECT_THAT(names(found.kernels[0]), ElementsAre("kernel-core"))
        << "its configuration tells which variant is missed";
}

TEST(PackagesBootSet, AMissingModulesPackageIsANoteOnly) {
    auto all = fedora("", R, R);
    remove(all, "kernel-modules");
    const Kernels found = find_kernels(all, "/build");
    EXPECT_EQ(found.kernels[0].not_bootable, "");
    EXPECT_THAT(found.kernels[0].notes, ElementsAre(HasSubstr("requires kernel-modules-uname-r = " + R)));
    EXPECT_THAT(names(found.kernels[0]), ElementsAre("kernel-core", "kernel-modules-core"));
}

TEST(PackagesBootSet, ADriverIsFetchedFromWhereverItLies) {
    auto all = fedora("", R, R);
    all[2].files = {"/lib/modules/" + R + "/kernel/other.ko"};
    all[4].files.push_back("/lib/modules/" + R + "/kernel/drivers/scsi/virtio_scsi.ko.xz");
    EXPECT_THAT(
        names(find_kernels(all, "/build").kernels[0]),
        ElementsAre("kernel-core", "kernel-modules", "kernel-modules-core", "kernel-modules-extra"));
}

TEST(PackagesBootSet, WhatADriversPackageNeedsComesWithIt) {
    auto all = fedora("", R, R);
    all[4].files.push_back("/lib/modules/" + R + "/kernel/fs/ext4/ext4.ko.zst");
    EXPECT_THAT(
        names(find_kernels(all, "/build").kernels[0]),
        ElementsAre("kernel-core", "kernel-modules", "kernel-modules-core", "kernel-modules-extra"));
}

TEST(PackagesBootSet, ADriverThatCannotBeHadIsANote) {
    auto all = fedora("", R, R);
    all[4].files.push_back("/lib/modules/" + R + "/kernel/fs/ext4/ext4.ko.zst");
    remove(all, "kernel-modules");
    const Kernels found = find_kernels(all, "/build");
    EXPECT_EQ(found.kernels[0].not_bootable, "") << "only the configuration tells whether it is needed";
    EXPECT_THAT(names(found.kernels[0]), ElementsAre("kernel-core", "kernel-modules-core"));
    EXPECT_THAT(
        found.kernels[0].notes,
        testing::Contains(AllOf(
            HasSubstr("ext4"),
            HasSubstr("nothing provides kernel-modules-uname-r = " + R + " needed by kernel-modules-extra"))));
}

TEST(PackagesBootSet, WhatOthersProvideIsTheHosts) {
    auto all = fedora("", R, R);
    RpmFile shell = package("bash", {"/bin/sh"}, "bash-5-1");
    shell.provides = {{"/bin/sh", "", ""}};
    RpmFile dracut = package("dracut", {"/lib/modules/" + R + "/dracut-made-this"}, "dracut-60-1");
    dracut.provides = {{"dracut", "=", "60"}};
    dracut.requires_ = {{"never-there", "", ""}};
    all.push_back(shell);
    all.push_back(dracut);
    const Kernels found = find_kernels(all, "/build");
    EXPECT_EQ(found.kernels[0].not_bootable, "");
    EXPECT_THAT(names(found.kernels[0]), ElementsAre("kernel-core", "kernel-modules-core"));
    EXPECT_THAT(found.notes, testing::Contains(HasSubstr("Taken as given: /bin/sh, dracut (")));
}

TEST(PackagesBootSet, ANeedOfTheBuildsOwnVersionIsNotGiven) {
    for (const char * version : {"6.17-1.fc43", "0:6.17-1.fc43", "6.17-1.fc43.x86_64"}) {
        auto all = fedora("", R, R);
        all[1].requires_.push_back({"kernel-firmware", "=", version});
        EXPECT_THAT(
            find_kernels(all, "/build").kernels[0].not_bootable,
            HasSubstr("nothing provides kernel-firmware = " + std::string(version)))
            << version;
    }
    auto all = fedora("", R, R);
    all[1].requires_.push_back({"kernel-firmware", "=", "6.16-1.fc43"});
    EXPECT_EQ(find_kernels(all, "/build").kernels[0].not_bootable, "") << "of another build it is somebody else's";
}

TEST(PackagesBootSet, RichDependenciesAreTakenApart) {
    auto all = fedora("", R, R);
    all[1].requires_.push_back({"(linux-firmware >= 2015 if linux-firmware)", "", ""});
    all[1].requires_.push_back(
        {"(kernel-modules-extra-uname-r = " + R + " if kernel-modules-core-uname-r = " + R + ")", "", ""});
    all[1].requires_.push_back({"(grubby or systemd-udev)", "", ""});
    all[1].requires_.push_back({"((kmod with kmod-xz) or kmod-ng)", "", ""});
    all[1].requires_.push_back({"(kernel-modules-internal-uname-r = " + R + " if fedora-only else glibc)", "", ""});
    const Kernels found = find_kernels(all, "/build");
    EXPECT_EQ(found.kernels[0].not_bootable, "");
    EXPECT_THAT(
        names(found.kernels[0]),
        ElementsAre("kernel-core", "kernel-modules", "kernel-modules-core", "kernel-modules-extra"));
    EXPECT_THAT(
        found.notes,
        testing::Contains(
            HasSubstr("Taken as given: /bin/sh, dracut, glibc, grubby, kmod, kmod-ng, kmod-xz, systemd-udev (")));
}

TEST(PackagesBootSet, ARequirementThatIsNoneIsRefusedWithItsPackage) {
    for (const std::string & need :
         {std::string("(a if"), "(" + std::string(100000, '('), std::string("(a and b or c)")}) {
        auto all = fedora("", R, R);
        all[1].requires_.push_back({need, "", ""});
        try {
            find_kernels(all, "/build");
            ADD_FAILURE() << need.substr(0, 50);
        } catch (const UserError & error) {
            EXPECT_THAT(error.what(), HasSubstr("kernel-core"));
        }
    }
    std::string involved = "a0";
    for (int i = 1; i < 60; ++i) {
        involved = "(a" + std::to_string(i) + " and " + involved + ")";
    }
    auto all = fedora("", R, R);
    all[1].requires_.push_back({involved, "", ""});
    EXPECT_THROW(find_kernels(all, "/build"), UserError);
}

TEST(PackagesBootSet, RpmsOwnNeedsAreNotNamed) {
    auto all = fedora("", R, R);
    all[1].requires_.push_back({"rpmlib(PayloadIsZstd)", "<=", "5.4.18-1"});
    const Kernels found = find_kernels(all, "/build");
    EXPECT_EQ(found.kernels[0].not_bootable, "");
    EXPECT_THAT(found.notes, testing::Each(testing::Not(HasSubstr("rpmlib"))));
}

TEST(PackagesBootSet, AFileOfTheBuildIsAskedOfTheBuild) {
    auto all = fedora("", R, R);
    all[1].requires_.push_back({"/lib/modules/" + R + "/kernel/net/rare.ko.xz", "", ""});
    EXPECT_THAT(
        names(find_kernels(all, "/build").kernels[0]),
        ElementsAre("kernel-core", "kernel-modules", "kernel-modules-core", "kernel-modules-extra"));
}

TEST(PackagesBootSet, OfTwoBuildsOneCanBeSelected) {
    auto all = fedora("", R, R);
    auto other = fedora("", "6.18-1.fc43.x86_64", "6.18-1.fc43.x86_64");
    for (RpmFile & file : other) {
        file.source_nvr = "kernel-6.18-1.fc43";
        file.evr = "6.18-1.fc43";
        file.nevra += "-6.18";
        all.push_back(file);
    }
    for (const auto & [select, release] : std::vector<std::pair<std::string, std::string>>{
             {"kernel-6.17-1.fc43", R},
             {"kernel-6.18-1.fc43", "6.18-1.fc43.x86_64"},
             {"kernel", "6.18-1.fc43.x86_64"}}) {
        const Kernels found = find_kernels(all, "/build", select);
        ASSERT_EQ(found.kernels.size(), 1U) << select;
        EXPECT_EQ(found.kernels[0].release, release);
        EXPECT_EQ(found.kernels[0].boot_set.size(), 2U);
    }
    EXPECT_THROW(find_kernels(all, "/build", "kernel-6.19-1.fc43"), UserError);
}

TEST(PackagesBootSet, AUnifiedImageAloneIsNotBootable) {
    auto all = fedora("", R, R);
    all = {all[2], all[8]};
    const Kernels found = find_kernels(all, "/build");
    ASSERT_EQ(found.kernels.size(), 1U);
    EXPECT_THAT(found.kernels[0].not_bootable, AllOf(HasSubstr("unified kernel image"), HasSubstr("kernel-uki-virt")));
    EXPECT_TRUE(found.kernels[0].boot_set.empty());
}

TEST(PackagesBootSet, TwoBuildsAreRefusedWithBothNames) {
    auto all = fedora("", R, R);
    auto other = fedora("", "6.18-1.fc43.x86_64", "6.18-1.fc43.x86_64");
    for (RpmFile & file : other) {
        file.source_nvr = "kernel-6.18-1.fc43";
        file.nevra += "-6.18";
        all.push_back(file);
    }
    try {
        find_kernels(all, "/build");
        FAIL();
    } catch (const UserError & error) {
        EXPECT_THAT(
            error.what(),
            AllOf(
                HasSubstr("/build"),
                HasSubstr("kernel-6.17-1.fc43"),
                HasSubstr("kernel-6.18-1.fc43"),
                HasSubstr("give a directory")));
    }
}

TEST(PackagesBootSet, UnrelatedPackagesAndStrangeModulesAreNotesOnly) {
    auto all = fedora("", R, R);
    all.push_back(package("kernel-headers", {"/usr/include/linux/x.h"}, "kernel-headers-6.17-1.fc43"));
    all.push_back(package("kmod-strange", {"/lib/modules/" + R + "/kernel/strange.ko"}, "strange-1-1"));
    const Kernels found = find_kernels(all, "/build");
    EXPECT_THAT(names(found.kernels[0]), ElementsAre("kernel-core", "kernel-modules-core"));
    EXPECT_THAT(found.notes, testing::Contains(HasSubstr("kmod-strange holds modules of another build")));
}

TEST(PackagesBootSet, ACopyIsLeftOutAndADifferentPackageOfTheSameNameRefused) {
    auto all = fedora("", R, R);
    all.push_back(all[1]);
    all.back().path = "/build/copy/kernel-core.rpm";
    EXPECT_THAT(
        find_kernels(all, "/build").notes, testing::Contains(HasSubstr("/build/copy/kernel-core.rpm is a copy")));
    all.back().sha256 = "other";
    EXPECT_THROW(find_kernels(all, "/build"), UserError);
}

TEST(PackagesBootSet, AnImageWithoutProvidesIsAKernelToo) {
    const Kernels found = find_kernels(
        {package("linux", {"/usr/lib/modules/6.1.0-57-amd64/vmlinuz", "/usr/lib/modules/6.1.0-57-amd64/config"})},
        "/b");
    ASSERT_EQ(found.kernels.size(), 1U);
    EXPECT_EQ(found.kernels[0].release, "6.1.0-57-amd64");
    const Kernels boot = find_kernels({package("linux", {"/boot/vmlinuz-6.1.0-57-amd64"})}, "/b");
    ASSERT_EQ(boot.kernels.size(), 1U);
    EXPECT_TRUE(find_kernels({package("bash", {"/bin/bash"})}, "/b").kernels.empty());
}

TEST(PackagesBootSet, NamesOfModulePathsAreTakenApart) {
    EXPECT_EQ(module_path("/lib/modules/6.1/kernel/x.ko").rest, "kernel/x.ko");
    EXPECT_EQ(module_path("/usr/lib/modules/6.1/vmlinuz").release, "6.1");
    EXPECT_EQ(module_path("/lib/modules/6.1").rest, "");
    for (const char * name :
         {"/lib/modules", "/lib/modules/", "/lib/modules/../x", "/opt/lib/modules/6.1/x", "lib/modules/6.1/x"}) {
        EXPECT_EQ(module_path(name).release, "") << name;
    }
}

TEST(PackagesEntries, LinksThatStayInside) {
    EXPECT_TRUE(stays_inside("x", "lib/modules/1/link"));
    EXPECT_TRUE(stays_inside("../../x/y", "lib/modules/1/link"));
    EXPECT_TRUE(stays_inside("../../../x", "lib/modules/1/link"));
    for (const char * target : {"", "/etc/passwd", "../../../../x", "a/../../b", "./x", "a//b"}) {
        EXPECT_FALSE(stays_inside(target, "lib/modules/1/link")) << target;
    }
}

}  // namespace
}  // namespace bootbudget::packages
