// SPDX-License-Identifier: GPL-2.0-or-later
// file: URLs need neither a server nor a cache.
#include "common/digest.hpp"
#include "net/download.hpp"
#include "net/url.hpp"
#include "support/scratch.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>

namespace bootbudget::net {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

class Silent : public Progress {
public:
    void step(const std::string & /*line*/) override {}
    void advance(double /*done*/, double /*total*/, double /*seconds_left*/) override {}
    void warn(const std::string & /*line*/) override {}
};

class NetLocalFile : public testing::Test {
protected:
    NetLocalFile() {
        std::ofstream(file()) << "content";
        download_.url = "file://" + percent_encoded(file().string());
        download_.what = "the package";
        download_.size = 7;
        download_.checksum = {"SHA256", common::sha256("content")};
    }
    fs::path file() const { return scratch_.path() / "kernel+1%41.rpm"; }
    fs::path get() {
        return fetch({download_}, {.cache = scratch_.path() / "cache", .ca_file = {}}, progress_, {}).at(0);
    }
    std::string refusal() {
        try {
            get();
            return "accepted";
        } catch (const UserError & error) {
            return error.what();
        }
    }

    tests::Scratch scratch_;
    Silent progress_;
    Download download_;
};

TEST_F(NetLocalFile, IsUsedWhereItIs) {
    // The name has "%41" in it, which percent_encoded() cannot know not to be an escape already.
    const std::string escape = "%41";
    download_.url.replace(download_.url.find(escape), escape.size(), "%2541");
    EXPECT_EQ(get(), file());
    EXPECT_FALSE(fs::exists(scratch_.path() / "cache"));
}

TEST_F(NetLocalFile, IsCheckedLikeOthers) {
    const fs::path plain = scratch_.path() / "plain.rpm";
    fs::copy_file(file(), plain);
    download_.url = "file://" + percent_encoded(plain.string());
    EXPECT_EQ(get(), plain);
    download_.size = 8;
    EXPECT_THAT(
        refusal(),
        AllOf(HasSubstr("cannot take the package from file:///"), HasSubstr("it has 7 bytes, and 8 were promised")));
    download_.size.reset();
    download_.checksum->hex.front() = download_.checksum->hex.front() == '0' ? '1' : '0';
    EXPECT_THAT(refusal(), AllOf(HasSubstr("its sha256 is " + common::sha256("content")), HasSubstr("index again")));
    download_.checksum.reset();
    download_.max_size = 6;
    EXPECT_THAT(refusal(), HasSubstr("larger than 6 bytes"));
}

TEST_F(NetLocalFile, MustBeAFile) {
    download_.url = "file:///nonexistent/kernel.rpm";
    EXPECT_THAT(refusal(), AllOf(HasSubstr("file:///nonexistent/kernel.rpm"), HasSubstr("there is no such file")));
    download_.url = "file:///";
    EXPECT_THAT(refusal(), HasSubstr("not a regular file"));
    download_.url = "file://example.org/kernel.rpm";
    EXPECT_THAT(refusal(), HasSubstr("is not a URL that can be used"));
}

TEST_F(NetLocalFile, StopsBeforeItBegins) {
    std::stop_source stop;
    stop.request_stop();
    EXPECT_THROW(fetch({download_}, {.cache = scratch_.path(), .ca_file = {}}, progress_, stop.get_token()), Cancelled);
}

TEST(NetDefaultCache, FollowsTheEnvironmentOfUsers) {
    if (::geteuid() == 0) {
        EXPECT_EQ(default_cache(), "/var/cache/bootbudget");
        return;
    }
    ::setenv("HOME", "/home/somebody", 1);
    ::setenv("XDG_CACHE_HOME", "/caches", 1);
    EXPECT_EQ(default_cache(), "/caches/bootbudget");
    ::setenv("XDG_CACHE_HOME", "relative", 1);
    EXPECT_EQ(default_cache(), "/home/somebody/.cache/bootbudget");
}

}  // namespace
}  // namespace bootbudget::net
