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
