// SPDX-License-Identifier: GPL-2.0-or-later
// Names in the cache come from checksums and URLs that others wrote.
#include "common/digest.hpp"
#include "net/cache_place.hpp"
#include "net/validators.hpp"

#include <gmock/gmock.h>

namespace bootbudget::net {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

const std::string HEX = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

TEST(NetCachePlace, OfAKnownContentIsItsChecksum) {
    const CachePlace place{"sha256/ba/" + HEX, "kernel.rpm"};
    EXPECT_EQ(place_of({.url = "https://host/a/kernel.rpm", .what = "", .checksum = Checksum{"sha256", HEX}}), place);
    EXPECT_EQ(
        place_of({.url = "http://mirror/kernel.rpm", .what = "", .checksum = Checksum{"SHA256", "BA" + HEX.substr(2)}}),
        place);
    EXPECT_THAT(
        place_of({.url = "http://mirror/x", .what = "", .checksum = Checksum{"sha", HEX.substr(0, 40)}}).directory,
        StartsWith("sha1/ba/"));
}

TEST(NetCachePlace, OfAnUnknownContentIsItsUrl) {
    const CachePlace place = place_of({.url = "https://host/repomd.xml", .what = ""});
    const std::string digest = common::sha256("https://host/repomd.xml");
    EXPECT_EQ(place, (CachePlace{"url/" + digest.substr(0, 2) + "/" + digest, "repomd.xml"}));
    EXPECT_EQ(place_of({.url = "https://me:secret@host/repomd.xml", .what = ""}), place);
    EXPECT_NE(place_of({.url = "https://host/other/repomd.xml", .what = ""}), place);
}

TEST(NetCachePlace, RefusesWhatIsNoChecksum) {
    const auto refusal = [](const std::string & algorithm, const std::string & hex) -> std::string {
        try {
            checked({algorithm, hex}, "kernel.rpm");
            return "accepted";
        } catch (const UserError & error) {
            return error.what();
        }
    };
    EXPECT_THAT(
        refusal("md5", std::string(32, 'a')),
        AllOf(HasSubstr("kernel.rpm"), HasSubstr("\"md5\""), HasSubstr("sha256")));
    EXPECT_THAT(refusal("", HEX), HasSubstr("not accepted"));
    EXPECT_THAT(refusal("sha256", HEX.substr(1)), HasSubstr("is no sha256"));
    EXPECT_THAT(refusal("sha256", "../../../" + HEX.substr(9)), HasSubstr("is no sha256"));
    EXPECT_THAT(refusal("sha512", HEX), HasSubstr("is no sha512"));
    EXPECT_EQ(refusal("sha512", HEX + HEX), "accepted");
}

TEST(NetValidators, SurviveBeingStored) {
    const Validators validators{"\"a-b\"", "Mon, 30 Nov 2026 12:00:00 GMT", HEX};
    EXPECT_EQ(validators_from(to_text(validators)), validators);
    EXPECT_EQ(validators_from(to_text({})), Validators{});
    EXPECT_EQ(validators_from("garbage\n\netag: \x01\netag"), Validators{});
}

TEST(NetValidators, OfHostileServersAreNotSentBack) {
    EXPECT_EQ(storable("W/\"abc\""), "W/\"abc\"");
    EXPECT_EQ(storable("a\r\nX-Header: b"), "");
    EXPECT_EQ(storable(std::string(501, 'a')), "");
}

TEST(NetValidators, AreStrongOrNot) {
    EXPECT_TRUE((Validators{"\"abc\"", "", ""}.is_strong()));
    EXPECT_FALSE((Validators{"W/\"abc\"", "", ""}.is_strong()));
    EXPECT_FALSE((Validators{"", "Mon, 30 Nov 2026 12:00:00 GMT", ""}.is_strong()));
}

}  // namespace
}  // namespace bootbudget::net
