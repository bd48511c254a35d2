// SPDX-License-Identifier: GPL-2.0-or-later
// URLs as people and indexes write them, hostile ones too.
#include "net/url.hpp"

#include <bootbudget/error.hpp>

#include <gmock/gmock.h>

namespace bootbudget::net {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(NetUrl, IsShownWithoutSecrets) {
    EXPECT_EQ(shown("https://host/a/b.rpm"), "https://host/a/b.rpm");
    EXPECT_EQ(shown("https://me:secret@host:8443/a?token=secret#part"), "https://host:8443/a?…");
    EXPECT_EQ(shown("https://secret@host/"), "https://host/");
    EXPECT_EQ(shown("file:///srv/repo"), "file:///srv/repo");
    for (const char * malformed :
         {"https://me:secret@ho st/a",
          "https://me:se/secret@ho st/a",
          "https://me:secret@host:port/?secret",
          "me:secret@",
          "//me:secret@host",
          "https://host:x/a#secret"}) {
        EXPECT_THAT(shown(malformed), Not(HasSubstr("secret"))) << malformed;
    }
    EXPECT_THAT(shown("https://host:x/\x1b[31m"), Not(HasSubstr("\x1b")));
}

TEST(NetUrl, HasOneOfThreeSchemes) {
    EXPECT_EQ(scheme_of("HTTPS://host/"), "https");
    EXPECT_EQ(scheme_of("http://host"), "http");
    EXPECT_EQ(scheme_of("file:///srv"), "file");
    for (const char * other :
         {"ftp://host/",
          "host/path",
          "",
          "koji:kernel-6.1-1",
          "https://",
          "https://ho st/",
          "gopher://x",
          "https://a/\n"}) {
        EXPECT_THROW(scheme_of(other), UserError) << other;
    }
}

TEST(NetUrl, JoinsADirectoryAndAFile) {
    EXPECT_EQ(join("https://host/repo", "repodata/repomd.xml"), "https://host/repo/repodata/repomd.xml");
    EXPECT_EQ(join("https://host/repo/", "/repodata/repomd.xml"), "https://host/repo/repodata/repomd.xml");
    EXPECT_EQ(join("https://host", "a"), "https://host/a");
    EXPECT_EQ(join("https://me:pw@host/repo?token=1", "a.rpm"), "https://me:pw@host/repo/a.rpm?token=1");
    EXPECT_EQ(join("file:///srv/my%20repo", "a.rpm"), "file:///srv/my%20repo/a.rpm");
    EXPECT_EQ(join("https://host/x/repo", "../Packages/a.rpm"), "https://host/x/Packages/a.rpm");
    EXPECT_EQ(join("https://host/repo", ""), "https://host/repo/");
}

TEST(NetUrl, EncodesWhatAUrlCannotHave) {
    // Releases of libcurl differ in the case of the digits.
    EXPECT_THAT(
        join("https://host/r", "k/kernel-6.1~rc1^2+x 1?#é.rpm"),
        testing::StrCaseEq("https://host/r/k/kernel-6.1~rc1%5E2%2Bx%201%3F%23%C3%A9.rpm"));
    EXPECT_EQ(percent_encoded("a%41%4g%"), "a%41%254g%25");
}

TEST(NetUrl, FollowsAWholeUrlOnlyToASafePlace) {
    EXPECT_EQ(join("https://host/repo", "https://mirror/a.rpm"), "https://mirror/a.rpm");
    EXPECT_EQ(join("http://host/repo", "https://mirror/a.rpm"), "https://mirror/a.rpm");
    EXPECT_EQ(join("file:///srv", "https://mirror/a.rpm"), "https://mirror/a.rpm");
    EXPECT_THROW(join("https://host/repo", "http://mirror/a.rpm"), UserError);
    EXPECT_THROW(join("http://host/repo", "file:///etc/passwd"), UserError);
    EXPECT_THROW(join("https://host/repo", "FILE:///etc/passwd"), UserError);
    EXPECT_THROW(join("https://host/repo", "ftp://mirror/a.rpm"), UserError);
    EXPECT_EQ(join("https://host/repo", "//mirror/a.rpm"), "https://host/repo/mirror/a.rpm");
}

TEST(NetUrl, GivesAHarmlessFileName) {
    EXPECT_EQ(file_name("https://host/repo/kernel-6.1~rc1%5E2%2Bx.x86_64.rpm?x=/y"), "kernel-6.1~rc1^2+x.x86_64.rpm");
    EXPECT_EQ(file_name("https://host/repo/"), "index");
    EXPECT_EQ(file_name("https://host"), "index");
    EXPECT_EQ(file_name("https://host/%2e%2e"), "_.");
    EXPECT_EQ(file_name("https://host/..%2f..%2fetc%2fpasswd"), "_._.._etc_passwd");
    EXPECT_EQ(file_name("https://host/.lock"), "_lock");
    EXPECT_EQ(file_name("https://host/a%00b%0ac%C3%A9"), "a_b_c__");
    EXPECT_EQ(file_name("https://host/" + std::string(1000, 'a') + ".rpm"), std::string(196, 'a') + ".rpm");
}

TEST(NetUrl, OfALocalFileIsAPath) {
    EXPECT_EQ(local_path("file:///srv/my%20repo/a%2Bb"), "/srv/my repo/a+b");
    EXPECT_THROW(local_path("file:///a%00b"), UserError);
    EXPECT_THROW(local_path("file://elsewhere/a"), UserError);
}

TEST(NetUrl, HasAnIdentityWithoutSecrets) {
    EXPECT_EQ(identity("https://me:pw@host/a?x#y"), identity("https://host/a?x"));
    EXPECT_NE(identity("https://host/a?x"), identity("https://host/a?y"));
}

}  // namespace
}  // namespace bootbudget::net
