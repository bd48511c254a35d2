// SPDX-License-Identifier: GPL-2.0-or-later
#include "doctor/machine.hpp"

#include "boot/qemu_choice.hpp"

#include <gmock/gmock.h>

namespace bootbudget::doctor {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(DoctorMachine, VersionsAsProgramsTellThem) {
    EXPECT_EQ(parse_version("RPM version 4.18.0\n"), "4.18.0");
    EXPECT_EQ(
        parse_version("QEMU emulator version 7.2.22 (Debian 1:7.2+dfsg-7+deb12u18)\nCopyright (c) 2003-2022\n"),
        "7.2.22");
    EXPECT_EQ(parse_version("gcc (Debian 12.2.0-14+deb12u1) 12.2.0\n"), "12.2.0-14+deb12u1");
    EXPECT_EQ(parse_version("GNU ld (GNU Binutils for Debian) 2.40\n"), "2.40");
    EXPECT_EQ(parse_version("kmod version 30\n+ZSTD +XZ -ZLIB\n"), "30");
    EXPECT_EQ(parse_version("This is perl 5, version 36, subversion 0 (v5.36.0) built for x86_64\n"), "5.36.0");
    EXPECT_EQ(parse_version("*** Zstandard CLI (64-bit) v1.5.4, by Yann Collet ***\n"), "1.5.4");
    EXPECT_THAT(parse_version("Invalid command '--version'; type \"help\" for a list.\n"), IsEmpty());
    EXPECT_THAT(parse_version(""), IsEmpty());
}

TEST(DoctorMachine, FeaturesOfKmod) {
    EXPECT_THAT(
        parse_kmod_features("kmod version 30\n+ZSTD +XZ -ZLIB +LIBCRYPTO -EXPERIMENTAL\n"),
        ElementsAre("LIBCRYPTO", "XZ", "ZSTD"));
    EXPECT_THAT(parse_kmod_features("kmod version 9\n"), IsEmpty());
}

TEST(DoctorMachine, EmulatorsByArchitecture) {
    using boot::qemu_names;
    EXPECT_EQ(qemu_names("x86_64").front(), "qemu-system-x86_64");
    EXPECT_EQ(qemu_names("ppc64le").front(), "qemu-system-ppc64");
    EXPECT_EQ(qemu_names("i686").front(), "qemu-system-i386");
    EXPECT_EQ(qemu_names("armv7l").front(), "qemu-system-arm");
    EXPECT_THAT(qemu_names("riscv64"), ElementsAre("qemu-system-riscv64", "qemu-kvm", "/usr/libexec/qemu-kvm"));
}

TEST(DoctorDistribution, FamilyByIdThenByLikeness) {
    EXPECT_EQ(parse_os_release("ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n").family, Family::DEBIAN);
    EXPECT_EQ(parse_os_release("ID=debian\nPRETTY_NAME=\"Debian GNU/Linux 12\"\n").name, "Debian GNU/Linux 12");
    EXPECT_EQ(parse_os_release("ID=fedora\n").family, Family::FEDORA);
    EXPECT_EQ(parse_os_release("ID=\"linuxmint\"\nID_LIKE=\"ubuntu debian\"\n").family, Family::DEBIAN);
    EXPECT_EQ(parse_os_release("ID='rocky'\nID_LIKE='rhel centos fedora'\n").family, Family::FEDORA);
    EXPECT_EQ(parse_os_release("ID_LIKE=fedora\nID=ultramarine\n").family, Family::FEDORA);
    EXPECT_EQ(parse_os_release("ID=arch\nNAME=debian\n").family, Family::OTHER);
    EXPECT_EQ(parse_os_release("").name, "unknown");
    EXPECT_EQ(parse_os_release("PRETTY_NAME=\"A \\\"B\\\"\"\n#c\n=x\n").name, "A \"B\"");
}

}  // namespace
}  // namespace bootbudget::doctor
