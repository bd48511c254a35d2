// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/boot_tree.hpp"
#include "support/scratch.hpp"

#include <bootbudget/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace bootbudget::kernel {
namespace {

using testing::AllOf;
using testing::HasSubstr;

// Zero bytes with pieces put in.
std::string image(std::size_t size, const std::vector<std::pair<std::size_t, std::string>> & pieces) {
    std::string bytes(size, '\0');
    for (const auto & [offset, piece] : pieces) {
        bytes.replace(offset, piece.size(), piece);
    }
    return bytes;
}

std::string zeros(std::string text, std::size_t size) {
    text.resize(size, '\0');
    return text;
}

const std::string X86 = image(4096, {{0x1fe, "\x55\xaa"}, {0x202, "HdrS\x0f\x02"}, {0x236, "\x7f"}});

class KernelImage : public testing::Test {
protected:
    std::filesystem::path write(const std::string & bytes) const {
        std::ofstream(scratch_.path() / "vmlinuz", std::ios::binary) << bytes;
        return scratch_.path() / "vmlinuz";
    }
    std::string name_of(const std::string & bytes) const {
        const ImageFormat format = identify_image(write(bytes));
        return format.arch + " " + format.name;
    }
    std::string refusal(const std::string & bytes) const {
        try {
            return "accepted as " + name_of(bytes);
        } catch (const UserError & error) {
            EXPECT_THAT(error.what(), HasSubstr((scratch_.path() / "vmlinuz").string()));
            return error.what();
        }
    }
    tests::Scratch scratch_;
};

TEST_F(KernelImage, KernelsAreKnownByTheirBytes) {
    EXPECT_EQ(name_of(X86), "x86_64 bzImage");
    EXPECT_EQ(name_of(image(4096, {{0x1fe, "\x55\xaa"}, {0x202, "HdrS\x0f\x02"}})), "i686 bzImage");
    EXPECT_EQ(name_of(image(4096, {{0, "MZ"}, {56, "ARMd"}})), "aarch64 arm64 Image");
    const std::string pe("PE\0\0\x64\xaa", 6);
    EXPECT_EQ(name_of(image(4096, {{0, "MZ"}, {4, "zimg"}, {0x3c, "\x80"}, {0x80, pe}})), "aarch64 EFI zboot");
    EXPECT_EQ(
        name_of(image(
            4096,
            {{0,
              "\x7f"
              "ELF\x02\x01"},
             {16, std::string("\x02\0\x15\0", 4)}})),
        "ppc64le ELF vmlinux");
    EXPECT_EQ(name_of(image(0x11000, {{0x10008, "S390EP"}})), "s390x s390 image");
}

TEST_F(KernelImage, WhatIsNoKernelIsNamedForWhatItLooksLike) {
    EXPECT_THAT(refusal(""), HasSubstr("it is empty"));
    EXPECT_THAT(refusal("not a kernel\n"), HasSubstr("looks like text"));
    EXPECT_THAT(refusal("\x1f\x8b\x08 more"), HasSubstr("gzip-compressed"));
    EXPECT_THAT(refusal(std::string(5000, '\0')), HasSubstr("only zero bytes"));
    EXPECT_THAT(refusal("\xed\xab\xee\xdb"), HasSubstr("an RPM package"));
    EXPECT_THAT(refusal(std::string("\x01\x02\x00\x04", 4)), HasSubstr("first bytes are 01 02 00 04"));
    EXPECT_THAT(refusal(X86.substr(0, 0x204)), HasSubstr("is not a kernel image"));
}

TEST_F(KernelImage, AProgramIsNoKernel) {
    EXPECT_THROW(identify_image("/proc/self/exe"), UserError);
    EXPECT_THROW(identify_image(scratch_.path()), UserError);
    EXPECT_THROW(identify_image(scratch_.path() / "missing"), SystemError);
}

TEST_F(KernelImage, AUnifiedImageIsNamedAsSuchAlthoughAKernelIsInIt) {
    const std::string pe = std::string("PE\0\0\x64\x86\x02\x00", 8) + std::string(12, '\0') + std::string("\x10\0", 2);
    const std::size_t table = 0x80 + 24 + 16;
    const std::string uki = image(
        4096, {{0, "MZ"}, {0x3c, "\x80"}, {0x80, pe}, {table, zeros(".osrel", 8)}, {table + 40, zeros(".linux", 8)}});
    EXPECT_THAT(refusal(uki), AllOf(HasSubstr("unified kernel image"), HasSubstr("-core")));
}

TEST_F(KernelImage, NoCutOrDamagedImageIsReadBeyondItsEnd) {
    const std::string pe("PE\0\0\x64\x86\xff\xff", 8);
    const std::string hostile =
        image(600, {{0, "MZ"}, {0x3c, "\x80"}, {0x80, pe}, {0x80 + 20, "\xff\xff"}, {0x1fe, "\x55\xaa"}});
    for (std::size_t size = 0; size < hostile.size(); size += 7) {
        EXPECT_THROW(identify_image(write(hostile.substr(0, size))), UserError) << size;
    }
    EXPECT_THROW(identify_image(write(image(64, {{0, "MZ"}, {0x3c, "\xff\xff\xff\xff"}}))), UserError);
    EXPECT_THROW(
        identify_image(write(image(
            64,
            {{0,
              "\x7f"
              "ELF\x02\x01"},
             {32, "\xff\xff\xff\xff"},
             {54, "\xff\xff\xff\xff"}}))),
        UserError);
}

}  // namespace
}  // namespace bootbudget::kernel
