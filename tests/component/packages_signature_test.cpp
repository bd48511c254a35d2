// SPDX-License-Identifier: GPL-2.0-or-later
// Keys by the real gpg, signatures by the real rpmsign; forged packages carry what rpmsign would not sign.
#include "packages/keyring.hpp"
#include "packages/librpm.hpp"
#include "packages/rpm_file.hpp"
#include "support/command_run.hpp"
#include "support/forged_rpm.hpp"
#include "support/signing.hpp"

#include <rpm/rpmtd.h>
#include <bootbudget/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace bootbudget::packages {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::MatchesRegex;
namespace fs = std::filesystem;

constexpr std::uint32_t RSA_OF_HEADER = 268;
constexpr std::uint32_t PGP_OF_RPM_3 = 1002;  // over header and payload

// The value of a binary tag of a package's header.
std::string tag_of(const fs::path & path, std::uint32_t tag) {
    const librpm::Package package = librpm::open_package(path);
    rpmtd_s value{};
    if (headerGet(package.header.get(), static_cast<rpmTagVal>(tag), &value, HEADERGET_MINMEM) == 0) {
        return {};
    }
    std::string bytes(static_cast<const char *>(value.data), value.count);
    rpmtdFreeData(&value);
    return bytes;
}

class PackagesSignature : public testing::Test {
protected:
    static void SetUpTestSuite() {
        if (tests::Signer::is_possible()) {
            signer_ = new tests::Signer;
            trusted_ = signer_->make_key("Kernel Maintainers <kernel@example.org>");
            stranger_ = signer_->make_key("Stranger <stranger@example.org>");
        }
    }
    static void TearDownTestSuite() {
        delete signer_;
        signer_ = nullptr;
    }
    void SetUp() override {
        if (signer_ == nullptr) {
            GTEST_SKIP() << "gpg, gpgconf or rpmsign is missing: install the packages \"gnupg\" and \"rpm\"";
        }
        fs::create_directories(keys());
        key_file("trusted", signer_->exported(trusted_));
    }

    fs::path keys() const { return scratch_.path() / "keys"; }
    void key_file(const std::string & name, const std::string & content) const {
        std::ofstream(keys() / name, std::ios::binary) << content;
    }
    static tests::ForgedRpm kernel() {
        tests::ForgedRpm rpm;
        rpm.name = "kernel-core";
        rpm.version = "6.1";
        rpm.source_rpm = "kernel-6.1-1.src.rpm";
        rpm.entries = {
            {"/lib/modules/6.1/vmlinuz", 0100755, std::string(5000, 'k')},
            {"/lib/modules/6.1/config", 0100644, "CONFIG_A=y\n"}};
        rpm.provides = {{"kernel-uname-r", "6.1"}};
        return rpm;
    }
    fs::path forge(const tests::ForgedRpm & rpm) const { return tests::forge_into(scratch_.path() / "rpms", rpm); }
    fs::path forge_signed(const std::string & fingerprint, const std::string & digest = "sha256") const {
        const fs::path path = forge(kernel());
        signer_->sign(path, fingerprint, digest);
        return path;
    }
    std::string signature(const fs::path & path) const {
        const Keyring keyring(keys());
        return read_rpm(path, &keyring).signature;
    }
    std::string refusal(const fs::path & path) const {
        try {
            return signature(path);
        } catch (const UserError & error) {
            return error.what();
        }
    }
    static std::string good(const std::string & fingerprint) {
        return "good: " + fingerprint + " (Kernel Maintainers <kernel@example.org>)";
    }

    static tests::Signer * signer_;
    static std::string trusted_;
    static std::string stranger_;
    tests::Scratch scratch_;
};

tests::Signer * PackagesSignature::signer_ = nullptr;
std::string PackagesSignature::trusted_;
std::string PackagesSignature::stranger_;

TEST_F(PackagesSignature, AGoodSignatureNamesItsKey) {
    const fs::path path = forge_signed(trusted_);
    EXPECT_EQ(signature(path), good(trusted_));
    EXPECT_EQ(read_rpm(path).signature, "not checked");
}

TEST_F(PackagesSignature, KeysMayBeBinaryOrSeveralInAFile) {
    const fs::path path = forge_signed(trusted_);
    key_file("trusted", signer_->exported(trusted_, false));
    EXPECT_EQ(signature(path), good(trusted_));
    key_file("trusted", signer_->exported(stranger_, false) + signer_->exported(trusted_, false));
    EXPECT_EQ(signature(path), good(trusted_));
    key_file("trusted", "A comment\n" + signer_->exported(stranger_) + "\nand\n" + signer_->exported(trusted_));
    EXPECT_EQ(signature(path), good(trusted_));
    fs::rename(keys() / "trusted", scratch_.path() / "elsewhere");
    fs::create_symlink(scratch_.path() / "elsewhere", keys() / "link");
    key_file(".hidden", "no key");
    fs::create_directory(keys() / "directory");
    EXPECT_EQ(signature(path), good(trusted_));
}

TEST_F(PackagesSignature, EdwardsCurvesAndSubkeysSignToo) {
    const std::string edwards = signer_->make_key("Edwards <ed@example.org>", "ed25519");
    key_file("edwards", signer_->exported(edwards));
    EXPECT_EQ(signature(forge_signed(edwards)), "good: " + edwards + " (Edwards <ed@example.org>)");

    const std::string primary = signer_->make_key("Primary <primary@example.org>");
    signer_->add_subkey(primary);
    key_file("primary", signer_->exported(primary));
    EXPECT_EQ(signature(forge_signed(primary)), "good: " + primary + " (Primary <primary@example.org>)");
}

TEST_F(PackagesSignature, AnUnsignedPackageIsNamed) {
    const fs::path path = forge(kernel());
    EXPECT_THAT(
        refusal(path),
        AllOf(
            HasSubstr("the package kernel-core-6.1-1.x86_64 (" + path.string() + ") is not signed"),
            HasSubstr("rpmsign")));
    EXPECT_EQ(read_rpm(path).signature, "unsigned");
}

TEST_F(PackagesSignature, AnotherKeyIsNamed) {
    EXPECT_THAT(
        refusal(forge_signed(stranger_)),
        AllOf(
            HasSubstr("kernel-core-6.1-1.x86_64"),
            HasSubstr("is signed by the key " + stranger_.substr(24) + ", which is not in " + keys().string())));
}

TEST_F(PackagesSignature, ASignatureOfAnotherPackageIsBad) {
    const std::string signature = tag_of(forge_signed(trusted_), RSA_OF_HEADER);
    ASSERT_FALSE(signature.empty());
    tests::ForgedRpm other = kernel();
    other.entries[0].content[17] = 'X';
    other.signature_tags = {{RSA_OF_HEADER, signature}};
    EXPECT_THAT(
        refusal(forge(other)),
        AllOf(HasSubstr("has a bad signature by the key " + trusted_), HasSubstr("kernel-core-6.1-1")));

    // In the main header, where rpm does not look for signatures; newer versions refuse it there.
    tests::ForgedRpm inside = kernel();
    inside.header_tags = {{RSA_OF_HEADER, signature}};
    EXPECT_THAT(
        refusal(forge(inside)),
        testing::AnyOf(HasSubstr("has a bad signature by the key " + trusted_), HasSubstr("invalid signature tag")));

    tests::ForgedRpm damaged = kernel();
    damaged.signature_tags = {{RSA_OF_HEADER, signature.substr(0, signature.size() / 2)}};
    EXPECT_THAT(refusal(forge(damaged)), HasSubstr("has a signature that this librpm cannot read"));
    damaged.signature_tags = {{RSA_OF_HEADER, signature.substr(0, signature.size() - 1) + "?"}};
    EXPECT_THAT(refusal(forge(damaged)), HasSubstr("has a bad signature by the key " + trusted_));
}

TEST_F(PackagesSignature, ASignatureAsOfRpm3DoesNotCount) {
    tests::ForgedRpm old = kernel();
    old.signature_tags = {{PGP_OF_RPM_3, tag_of(forge_signed(trusted_), RSA_OF_HEADER)}};
    const fs::path path = forge(old);
    EXPECT_THAT(refusal(path), HasSubstr("has no signature of its header, only one as rpm 3 made them"));
    EXPECT_EQ(read_rpm(path).signature, "not checked");
}

TEST_F(PackagesSignature, AWeakDigestDoesNotCount) {
    EXPECT_THAT(refusal(forge_signed(trusted_, "sha1")), HasSubstr("over a digest of a kind (number 2)"));
    EXPECT_EQ(signature(forge_signed(trusted_, "sha512")), good(trusted_));
}

TEST_F(PackagesSignature, WhatChangedAfterSigningIsDamage) {
    const fs::path path = forge_signed(trusted_);
    const std::string whole = tests::content_of(path);
    for (const char * place : {"kkkk", "CONFIG_A=y", "Written by hand"}) {
        std::string changed = whole;
        changed[changed.find(place) + 2] ^= 1;
        std::ofstream(path, std::ios::binary | std::ios::trunc) << changed;
        EXPECT_THAT(refusal(path), AllOf(HasSubstr(path.string()), HasSubstr("is damaged in its"))) << place;
    }
}

TEST_F(PackagesSignature, ADirectoryWithoutKeysIsAMistake) {
    const fs::path path = forge_signed(trusted_);
    fs::remove(keys() / "trusted");
    EXPECT_THAT(
        refusal(path),
        AllOf(HasSubstr("no public key in the directory " + keys().string()), HasSubstr("gpg --export")));
    fs::remove(keys());
    EXPECT_THAT(refusal(path), HasSubstr("there is no directory " + keys().string()));
    std::ofstream(keys()) << "a file";
    EXPECT_THAT(refusal(path), HasSubstr("there is no directory " + keys().string()));
}

TEST_F(PackagesSignature, AFileThatIsNoKeyIsNamed) {
    const fs::path path = forge_signed(trusted_);
    const std::string armored = signer_->exported(trusted_);
    const std::vector<std::pair<std::string, std::string>> mistakes{
        {"just text\n", "is no OpenPGP public key"},
        {"", "is empty"},
        {armored.substr(0, armored.size() / 2), "is damaged: a block of it is not a whole public key"},
        {armored.substr(0, 200) + "!" + armored.substr(201), "is damaged: a block of it is not a whole public key"},
        {signer_->exported_secret(trusted_), "holds a private key"},
        {signer_->exported(trusted_, false).substr(0, 100), "is no OpenPGP public key"},
    };
    for (const auto & [content, answer] : mistakes) {
        key_file("mistake", content);
        EXPECT_THAT(
            refusal(path),
            HasSubstr("the file " + (keys() / "mistake").string() + " in the directory of keys " + answer));
    }
    // OpenPGP, but nothing that librpm takes for a key.
    key_file("mistake", tag_of(path, RSA_OF_HEADER));
    EXPECT_EQ(signature(path), good(trusted_));
    fs::remove(keys() / "trusted");
    EXPECT_THAT(refusal(path), HasSubstr("no usable public key"));
    key_file("other", signer_->exported(stranger_));
    EXPECT_THAT(refusal(path), HasSubstr("(this librpm cannot use keys in mistake)"));
}

TEST_F(PackagesSignature, TheCommandDemandsSignaturesOfBothBuilds) {
    const test::Scratch scratch;
    const fs::path path = forge_signed(trusted_);
    const std::string rpms = path.parent_path().string();
    const auto check = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "check");
        arguments.insert(arguments.end(), {"--dry-run", "--keyring", keys().string()});
        return test::run_command(scratch, arguments);
    };
    // The forged image is none, which is found out later.
    EXPECT_THAT(check({rpms}).err, HasSubstr("is not a kernel image"));

    tests::ForgedRpm unsigned_one = kernel();
    const fs::path old = tests::forge_into(scratch_.path() / "old", unsigned_one);
    const auto against = check({rpms, "--against", old.parent_path().string()});
    EXPECT_EQ(against.status, 2);
    EXPECT_THAT(against.err, HasSubstr("(" + old.string() + ") is not signed"));

    const auto subject = check({old.parent_path().string()});
    EXPECT_EQ(subject.status, 2);
    EXPECT_THAT(subject.err, HasSubstr("(" + old.string() + ") is not signed"));

    const fs::path tree = scratch_.path() / "tree";
    fs::create_directories(tree / "lib/modules/6.1");
    std::ofstream(tree / "lib/modules/6.1/vmlinuz") << "an image";
    const auto of_tree = check({"tree:" + tree.string()});
    EXPECT_EQ(of_tree.status, 2);
    EXPECT_THAT(of_tree.err, HasSubstr("does not come from packages"));
}

}  // namespace
}  // namespace bootbudget::packages
