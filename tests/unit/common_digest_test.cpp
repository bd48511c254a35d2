// SPDX-License-Identifier: GPL-2.0-or-later
// The vectors of FIPS 180-4's examples, and files of sizes around the reading buffer's.
#include "common/digest.hpp"

#include <bootbudget/error.hpp>

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

namespace bootbudget::common {
namespace {

namespace fs = std::filesystem;

TEST(Sha256, AgreesWithTheStandard) {
    EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256(std::string(1000000, 'a')), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Digest, AgreesWithTheStandard) {
    const auto digest = [](const char * algorithm) {
        Digest computed(algorithm);
        computed.add("a");
        computed.add("bc");
        return computed.hex();
    };
    EXPECT_EQ(digest("sha1"), "a9993e364706816aba3e25717850c26c9cd0d89d");
    EXPECT_EQ(digest("sha224"), "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7");
    EXPECT_EQ(digest("sha256"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(
        digest("sha384"),
        "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed8086072ba1e7cc2358baeca134c825a7");
    EXPECT_EQ(
        digest("sha512"),
        "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce8"
        "0e2a"
        "9ac94fa54ca49f");
}

TEST(Digest, KnowsItsAlgorithms) {
    EXPECT_EQ(Digest::hex_length("sha256"), 64U);
    EXPECT_EQ(Digest::hex_length("sha512"), 128U);
    EXPECT_EQ(Digest::hex_length("md5"), 0U);
    EXPECT_EQ(Digest::hex_length(""), 0U);
    EXPECT_THROW(Digest("md5"), BugError);
}

TEST(Digest, OfAFileCanBeStopped) {
    std::stop_source stop;
    EXPECT_EQ(digest_of_file("/dev/null", "sha1", stop.get_token()), "da39a3ee5e6b4b0d3255bfef95601890afd80709");
    stop.request_stop();
    EXPECT_THROW(digest_of_file("/dev/null", "sha1", stop.get_token()), Cancelled);
}

TEST(Sha256, OfAFileIsThatOfItsBytes) {
    std::string directory = (fs::temp_directory_path() / "common_digest_XXXXXX").string();
    ASSERT_NE(mkdtemp(directory.data()), nullptr);
    for (const std::size_t size : {0U, 1U, 65535U, 65536U, 65537U, 300000U}) {
        std::string bytes(size, '\0');
        for (std::size_t i = 0; i < size; ++i) {
            bytes[i] = static_cast<char>(i * 31 % 251);
        }
        const fs::path path = fs::path(directory) / "päckage 1.rpm";
        std::ofstream(path, std::ios::binary) << bytes;
        EXPECT_EQ(sha256_of_file(path), sha256(bytes)) << size;
    }
    fs::remove_all(directory);
}

TEST(Sha256, NamesTheFileThatCannotBeRead) {
    try {
        sha256_of_file("/nonexistent/kernel.rpm");
        FAIL() << "nothing was thrown";
    } catch (const SystemError & error) {
        EXPECT_EQ(error.error_number(), ENOENT);
        EXPECT_THAT(error.what(), testing::HasSubstr("/nonexistent/kernel.rpm"));
    }
    try {
        sha256_of_file("/");
        FAIL() << "nothing was thrown";
    } catch (const SystemError & error) {
        EXPECT_EQ(error.error_number(), EISDIR);
    }
}

}  // namespace
}  // namespace bootbudget::common
