// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/boot_driver.hpp"
#include "kernel/boot_file.hpp"
#include "kernel/boot_tree.hpp"
#include "support/scratch.hpp"

#include <bootbudget/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace bootbudget::kernel {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

std::string x86_image() {
    std::string bytes(4096, '\0');
    bytes.replace(0x1fe, 8, "\x55\xaa\xeb\x66HdrS");
    bytes.replace(0x206, 2, "\x0f\x02");
    bytes[0x236] = 1;
    return bytes;
}

class KernelBootTree : public testing::Test {
protected:
    void write(const fs::path & name, const std::string & bytes) const {
        fs::create_directories((root() / name).parent_path());
        std::ofstream(root() / name, std::ios::binary) << bytes;
    }
    void kernel(const std::string & directory) const {
        write(directory + "/vmlinuz", x86_image());
        write(directory + "/config", "CONFIG_A=y\n");
    }
    std::string refusal(const std::string & release) const {
        try {
            describe_tree(root(), release);
            return "accepted";
        } catch (const UserError & error) {
            return error.what();
        }
    }
    const fs::path & root() const { return scratch_.path(); }

    tests::Scratch scratch_;
};

TEST_F(KernelBootTree, FedorasPlacesAreFound) {
    kernel("lib/modules/6.2-1.x86_64+debug");
    kernel("lib/modules/6.1-1.x86_64");
    fs::create_directories(root() / "lib/modules/5.0-no-image/kernel");
    write("lib/modules/README", "no directory");
    EXPECT_EQ(releases_in(root()), (std::vector<std::string>{"6.1-1.x86_64", "6.2-1.x86_64+debug"}));
    const BootTree tree = describe_tree(root(), "6.1-1.x86_64");
    EXPECT_EQ(tree.root, root());
    EXPECT_EQ(tree.arch, "x86_64");
    EXPECT_EQ(tree.modules, root() / "lib/modules/6.1-1.x86_64");
    EXPECT_EQ(tree.image, tree.modules / "vmlinuz");
    EXPECT_EQ(tree.configuration_file, tree.modules / "config");
    EXPECT_EQ(value_of(tree.configuration, "CONFIG_A"), "y");
}

TEST_F(KernelBootTree, OtherDistributionsPlacesAreFound) {
    fs::create_directories(root() / "lib/modules/6.1.0-57-amd64/kernel");
    write("boot/vmlinuz-6.1.0-57-amd64", x86_image());
    write("boot/config-6.1.0-57-amd64", "CONFIG_B=m\n");
    EXPECT_EQ(releases_in(root()), std::vector<std::string>{"6.1.0-57-amd64"});
    const BootTree tree = describe_tree(root(), "6.1.0-57-amd64");
    EXPECT_EQ(tree.image, root() / "boot/vmlinuz-6.1.0-57-amd64");
    EXPECT_EQ(value_of(tree.configuration, "CONFIG_B"), "m");
}

TEST_F(KernelBootTree, UsrLibIsAsGoodAsLibAndBothAreOneWhereOneLinksToTheOther) {
    kernel("usr/lib/modules/6.1");
    EXPECT_EQ(releases_in(root()), std::vector<std::string>{"6.1"});
    fs::create_directory_symlink("usr/lib", root() / "lib");
    EXPECT_EQ(releases_in(root()), std::vector<std::string>{"6.1"});
    EXPECT_EQ(describe_tree(root(), "6.1").arch, "x86_64");
}

TEST_F(KernelBootTree, AbsoluteLinksAreNotFollowedOutOfTheTree) {
    write("elsewhere/modules/6.1/vmlinuz", x86_image());
    fs::create_directory_symlink(root() / "elsewhere", root() / "lib");
    EXPECT_TRUE(releases_in(root()).empty());
    kernel("usr/lib/modules/6.2");
    fs::remove(root() / "usr/lib/modules/6.2/vmlinuz");
    fs::create_symlink(root() / "elsewhere/modules/6.1/vmlinuz", root() / "usr/lib/modules/6.2/vmlinuz");
    EXPECT_TRUE(releases_in(root()).empty());
}

TEST_F(KernelBootTree, WhatIsMissingIsNamed) {
    EXPECT_THAT(refusal("6.1"), HasSubstr("there is no kernel 6.1"));
    EXPECT_THAT(refusal("../x"), HasSubstr("is not the release of a kernel"));
    fs::create_directories(root() / "lib/modules/6.1");
    EXPECT_THAT(refusal("6.1"), HasSubstr("has no image"));
    write("lib/modules/6.1/vmlinuz", "a text\n");
    EXPECT_THAT(refusal("6.1"), HasSubstr("looks like text"));
    write("lib/modules/6.1/vmlinuz", x86_image());
    EXPECT_THAT(refusal("6.1"), HasSubstr("has no configuration"));
    write("lib/modules/6.1/config", "no config\n");
    EXPECT_THAT(refusal("6.1"), HasSubstr("config:1:"));
}

TEST_F(KernelBootTree, RealConfigurationsHaveNoObstacleOnTheirArchitecture) {
    for (const auto & [file, arch] : std::vector<std::pair<std::string, std::string>>{
             {"kernel-x86_64-fedora", "x86_64"},
             {"kernel-x86_64-debug-fedora", "x86_64"},
             {"kernel-x86_64-rt-fedora", "x86_64"},
             {"kernel-x86_64-rt-debug-fedora", "x86_64"},
             {"kernel-aarch64-fedora", "aarch64"},
             {"kernel-aarch64-debug-fedora", "aarch64"},
             {"kernel-s390x-fedora", "s390x"},
             {"mini-6.1-debug", "x86_64"},
             {"mini-6.1-nodebug", "x86_64"}}) {
        BootTree tree;
        tree.release = "6.1";
        tree.arch = arch;
        tree.configuration = read_configuration(BOOTBUDGET_TEST_DATA "/configs/" + file + ".config");
        EXPECT_EQ(obstacle(tree, arch), "") << file;
        EXPECT_THAT(obstacle(tree, "riscv64"), HasSubstr("is for " + arch + ", and this machine is riscv64")) << file;
    }
}

TEST_F(KernelBootTree, EachOptionThatABootNeedsIsMissedByName) {
    BootTree tree;
    tree.release = "6.1";
    tree.arch = "x86_64";
    const Configuration whole = read_configuration(BOOTBUDGET_TEST_DATA "/configs/kernel-x86_64-fedora.config");
    for (const char * option :
         {"CONFIG_SCSI_VIRTIO",
          "CONFIG_VIRTIO_PCI",
          "CONFIG_VIRTIO_CONSOLE",
          "CONFIG_BLK_DEV_SD",
          "CONFIG_EXT4_FS",
          "CONFIG_EXT4_USE_FOR_EXT2",
          "CONFIG_SERIAL_8250_CONSOLE",
          "CONFIG_BLK_DEV_INITRD",
          "CONFIG_DEVTMPFS",
          "CONFIG_BINFMT_SCRIPT",
          "CONFIG_TMPFS"}) {
        tree.configuration = whole;
        tree.configuration.erase(option);
        EXPECT_THAT(obstacle(tree, "x86_64"), HasSubstr(option));
    }
    for (const auto & [arch, option] : std::vector<std::pair<std::string, std::string>>{
             {"aarch64", "CONFIG_SERIAL_AMBA_PL011_CONSOLE"},
             {"aarch64", "CONFIG_SCSI_VIRTIO"},
             {"s390x", "CONFIG_SCLP_CONSOLE"},
             {"s390x", "CONFIG_S390_GUEST"},
             {"s390x", "CONFIG_BLK_DEV_INITRD"}}) {
        tree.arch = arch;
        tree.configuration = read_configuration(BOOTBUDGET_TEST_DATA "/configs/kernel-" + arch + "-fedora.config");
        tree.configuration.erase(option);
        EXPECT_THAT(obstacle(tree, arch), HasSubstr(option));
    }
    tree.arch = "x86_64";
    tree.configuration = whole;
    tree.configuration.erase("CONFIG_EXT4_FS");
    tree.configuration["CONFIG_EXT2_FS"] = "m";
    EXPECT_EQ(obstacle(tree, "x86_64"), "");
}

TEST_F(KernelBootTree, WhatABootNeedsOfAReleaseIsKnownByName) {
    for (const char * name :
         {"vmlinuz",
          "vmlinux",
          "config",
          "System.map",
          "modules.order",
          "modules.builtin",
          "modules.builtin.modinfo",
          "kernel/fs/ext4/ext4.ko.xz",
          "extra/x.ko",
          "weak-updates/y.ko.zst"}) {
        EXPECT_TRUE(is_boot_file(name)) << name;
    }
    for (const char * name :
         {"",
          ".vmlinuz.hmac",
          "vmlinuz-virt.efi",
          "symvers.xz",
          "symvers.gz",
          "build",
          "source",
          "modules.dep",
          "modules.dep.bin",
          "modules.block",
          "vdso/vdso64.so",
          "kernel",
          "dtb/board.dtb",
          "kernel/config",
          "kernel/modules.order"}) {
        EXPECT_FALSE(is_boot_file(name)) << name;
    }
}

TEST_F(KernelBootTree, ModulesAreKnownByTheirFileNames) {
    EXPECT_EQ(module_name("kernel/drivers/scsi/virtio-scsi.ko.xz"), "virtio_scsi");
    EXPECT_EQ(module_name("crc32c_generic.ko"), "crc32c_generic");
    EXPECT_EQ(module_name("a/x.ko.zst"), "x");
    for (const char * name : {"", "modules.dep", "x.kob", ".ko", "x.ko.", "kernel/x", "x.c"}) {
        EXPECT_EQ(module_name(name), "") << name;
    }
}

}  // namespace
}  // namespace bootbudget::kernel
