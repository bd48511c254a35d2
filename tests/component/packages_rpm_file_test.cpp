// SPDX-License-Identifier: GPL-2.0-or-later
#include "packages/rpm_file.hpp"

#include "common/digest.hpp"
#include "support/forged_rpm.hpp"
#include "support/scratch.hpp"

#include <bootbudget/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

namespace bootbudget::packages {
namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

class PackagesRpmFile : public testing::Test {
protected:
    static tests::ForgedRpm plain() {
        tests::ForgedRpm rpm;
        rpm.name = "kernel-core";
        rpm.version = "6.1";
        rpm.release = "2.fc43";
        rpm.source_rpm = "kernel-6.1-2.fc43.src.rpm";
        rpm.entries = {
            {"/lib/modules/6.1-2.fc43.x86_64/vmlinuz", 0100755, std::string(5000, 'k')},
            {"/lib/modules/6.1-2.fc43.x86_64/config", 0100644, "CONFIG_A=y\n"}};
        rpm.provides = {{"kernel-uname-r", "6.1-2.fc43.x86_64"}, {"installonlypkg(kernel)", ""}};
        rpm.requires_ = {{"kernel-modules-core-uname-r", "6.1-2.fc43.x86_64"}};
        return rpm;
    }

    fs::path write(const std::string & bytes, const std::string & name = "kernel.rpm") const {
        std::ofstream(scratch_.path() / name, std::ios::binary) << bytes;
        return scratch_.path() / name;
    }

    std::string refusal(const fs::path & path) const {
        testing::internal::CaptureStderr();
        std::string message = "accepted";
        try {
            read_rpm(path);
        } catch (const UserError & error) {
            message = error.what();
            EXPECT_THAT(message, HasSubstr(path.string()));
        }
        EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << "librpm printed by itself";
        return message;
    }

    tests::Scratch scratch_;
};

TEST_F(PackagesRpmFile, TellsWhatIsInThePackage) {
    const fs::path path = write(tests::forge(plain()));
    const RpmFile package = read_rpm(path);
    EXPECT_EQ(package.path, path);
    EXPECT_EQ(package.name, "kernel-core");
    EXPECT_EQ(package.nevra, "kernel-core-6.1-2.fc43.x86_64");
    EXPECT_EQ(package.evr, "6.1-2.fc43");
    EXPECT_EQ(package.arch, "x86_64");
    EXPECT_EQ(package.source_nvr, "kernel-6.1-2.fc43");
    EXPECT_EQ(package.sha256, common::sha256_of_file(path));
    EXPECT_EQ(package.signature, "unsigned");
    ASSERT_EQ(package.provides.size(), 3U);
    EXPECT_EQ(package.provides[0].name, "kernel-uname-r");
    EXPECT_EQ(package.provides[0].sense, "=");
    EXPECT_EQ(package.provides[0].version, "6.1-2.fc43.x86_64");
    EXPECT_EQ(package.provides[1].sense, "");
    ASSERT_EQ(package.requires_.size(), 1U);
    EXPECT_EQ(package.requires_[0].name, "kernel-modules-core-uname-r");
    EXPECT_EQ(package.files.size(), 2U);
    EXPECT_EQ(package.files[0], "/lib/modules/6.1-2.fc43.x86_64/vmlinuz");
}

TEST_F(PackagesRpmFile, APackageWithoutFilesIsAPackage) {
    tests::ForgedRpm rpm = plain();
    rpm.entries.clear();
    EXPECT_TRUE(read_rpm(write(tests::forge(rpm))).files.empty());
}

TEST_F(PackagesRpmFile, AnythingElseIsNamedForWhatItIs) {
    EXPECT_THAT(refusal(write("")), HasSubstr("is empty"));
    EXPECT_THAT(refusal(write("#!/bin/sh\necho no\n")), HasSubstr("is not an RPM package"));
    EXPECT_THAT(refusal(write(std::string(100000, '\0'))), HasSubstr("is not an RPM package"));
    EXPECT_THAT(refusal(write("\xed\xab")), HasSubstr("is not an RPM package"));
    EXPECT_THAT(refusal(scratch_.path()), HasSubstr("no regular file"));
    ASSERT_EQ(::mkfifo((scratch_.path() / "fifo").c_str(), 0600), 0);
    EXPECT_THAT(refusal(scratch_.path() / "fifo"), HasSubstr("no regular file"));
    EXPECT_THROW(read_rpm(scratch_.path() / "missing.rpm"), SystemError);
}

TEST_F(PackagesRpmFile, AFileThatWasCutAnywhereIsRefused) {
    const std::string whole = tests::forge(plain());
    for (std::size_t size = 1; size < whole.size(); size += size < 700 ? 13 : 97) {
        EXPECT_THAT(
            refusal(write(whole.substr(0, size))),
            testing::AnyOf(HasSubstr("is cut short"), HasSubstr("is not an RPM package")))
            << size << " of " << whole.size();
    }
    EXPECT_THAT(refusal(write(whole.substr(0, whole.size() - 1))), HasSubstr("is cut short"));
    EXPECT_THAT(refusal(write(whole.substr(0, whole.size() / 2))), HasSubstr("fetch or build it again"));
}

TEST_F(PackagesRpmFile, AFlippedBitInTheHeaderOrThePayloadIsFound) {
    const std::string whole = tests::forge(plain());
    const std::size_t payload = whole.find("070701");
    const std::size_t header = whole.find("\x8e\xad\xe8\x01", 100);
    ASSERT_NE(payload, std::string::npos);
    ASSERT_NE(header, std::string::npos);
    for (std::size_t at = header; at < whole.size(); at += 61) {
        std::string damaged = whole;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
        const std::string message = refusal(write(damaged));
        if (at >= payload) {
            EXPECT_THAT(message, HasSubstr("is damaged in its payload")) << at;
        } else {
            EXPECT_THAT(message, testing::AnyOf(HasSubstr("damaged"), HasSubstr("cut short"))) << at;
        }
    }
}

TEST_F(PackagesRpmFile, BytesAfterThePayloadAreDamageToo) {
    EXPECT_THAT(refusal(write(tests::forge(plain()) + "more")), HasSubstr("damaged in its payload"));
}

TEST_F(PackagesRpmFile, APackageWhosePayloadHasNoDigestIsRefused) {
    tests::ForgedRpm rpm = plain();
    rpm.with_payload_digest = false;
    EXPECT_THAT(refusal(write(tests::forge(rpm))), HasSubstr("no digest of its payload"));
}

TEST_F(PackagesRpmFile, RandomDamageNeverEndsInAnythingButAnError) {
    const std::string whole = tests::forge(plain());
    std::uint32_t state = 12345;
    const auto next = [&state] { return state = state * 1664525U + 1013904223U; };
    for (int round = 0; round < 300; ++round) {
        std::string damaged = whole;
        // The lead and the signature header as well, where a change may go unnoticed: then the package must read as before.
        for (int i = 0; i < 1 + round % 7; ++i) {
            damaged[next() % damaged.size()] = static_cast<char>(next() >> 24U);
        }
        try {
            EXPECT_EQ(read_rpm(write(damaged)).nevra, "kernel-core-6.1-2.fc43.x86_64");
        } catch (const UserError &) {
        }
    }
}

}  // namespace
}  // namespace bootbudget::packages
