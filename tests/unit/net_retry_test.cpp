// SPDX-License-Identifier: GPL-2.0-or-later
// How long to wait, and whether to try again at all.
#include "net/failure.hpp"
#include "net/retry.hpp"

#include <gmock/gmock.h>

namespace bootbudget::net {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

TEST(NetRetry, PausesDoubleWithSomeChance) {
    EXPECT_EQ(pause_before(1, 1000ms, 0.5, 0s), 1000ms);
    EXPECT_EQ(pause_before(2, 1000ms, 0.5, 0s), 2000ms);
    EXPECT_EQ(pause_before(5, 1000ms, 0.5, 0s), 16000ms);
    EXPECT_EQ(pause_before(1, 1000ms, 0.0, 0s), 750ms);
    EXPECT_EQ(pause_before(1, 1000ms, 1.0, 0s), 1250ms);
    EXPECT_EQ(pause_before(0, 1000ms, 0.5, 0s), 1000ms);
}

TEST(NetRetry, PausesFollowTheServerWithinReason) {
    EXPECT_EQ(pause_before(1, 1000ms, 0.5, 20s), 20000ms);
    EXPECT_EQ(pause_before(5, 1000ms, 0.5, 2s), 16000ms);
    EXPECT_EQ(pause_before(1, 1000ms, 0.5, 24h), LONGEST_PAUSE);
    EXPECT_EQ(pause_before(4000000000U, 1000ms, 0.5, 0s), LONGEST_PAUSE);
}

TEST(NetRetry, OnlyHelpsAgainstTrouble) {
    for (const long status : {500L, 502L, 503L, 504L, 599L, 408L, 429L, 206L, 304L}) {
        EXPECT_EQ(failure_of_status(status).again, Again::ALWAYS) << status;
        EXPECT_EQ(failure_of_status(status).blame, Blame::SYSTEM) << status;
    }
    for (const long status : {400L, 401L, 403L, 404L, 407L, 410L, 451L}) {
        EXPECT_EQ(failure_of_status(status).again, Again::NEVER) << status;
        EXPECT_EQ(failure_of_status(status).blame, Blame::USER) << status;
    }
    for (const CURLcode code :
         {CURLE_PARTIAL_FILE, CURLE_OPERATION_TIMEDOUT, CURLE_COULDNT_CONNECT, CURLE_GOT_NOTHING}) {
        EXPECT_EQ(failure_of_curl(code, "", {}).again, Again::ALWAYS) << code;
    }
    EXPECT_EQ(failure_of_curl(CURLE_COULDNT_RESOLVE_HOST, "", {}).again, Again::ONCE);
    EXPECT_EQ(failure_of_curl(CURLE_PEER_FAILED_VERIFICATION, "", {}).again, Again::NEVER);
    EXPECT_THAT(
        failure_of_curl(CURLE_RECV_ERROR, "reset\x1b by peer.", {}).happened, HasSubstr("(reset\\x1B by peer)"));
}

}  // namespace
}  // namespace bootbudget::net
