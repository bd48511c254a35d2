// SPDX-License-Identifier: GPL-2.0-or-later
// All ways in which a server may answer, and what may be put behind a part.
#include "net/answer.hpp"

#include <gmock/gmock.h>

namespace bootbudget::net {
namespace {

constexpr std::uint64_t MAX = 1000;

Question whole() {
    return {.max_size = MAX};
}
Question rest(std::uint64_t offset) {
    return {.offset = offset, .max_size = MAX};
}
Question of_size(Question question, std::uint64_t size) {
    question.size = size;
    return question;
}
Answer with(long status, std::optional<std::uint64_t> length = {}, const char * range = "") {
    return {status, length, parse_content_range(range)};
}

TEST(NetAnswer, ReadsRanges) {
    EXPECT_EQ(parse_content_range("bytes 5-9/10"), (ContentRange{5, 10}));
    EXPECT_EQ(parse_content_range("bytes 0-0/*"), (ContentRange{0, std::nullopt}));
    for (const char * text :
         {"",
          "bytes",
          "bytes 5-",
          "bytes 5-9",
          "bytes 9-5/10",
          "bytes 5-10/10",
          "bytes */10",
          "lines 5-9/10",
          "bytes 5-9/10 ",
          "bytes -1-9/10",
          "bytes 5-9/99999999999999999999"}) {
        EXPECT_EQ(parse_content_range(text), std::nullopt) << text;
    }
}

TEST(NetAnswer, OfTheWholeFile) {
    EXPECT_EQ(use_of(whole(), with(200)), Use::WHOLE);
    EXPECT_EQ(use_of(whole(), with(200, MAX)), Use::WHOLE);
    EXPECT_EQ(use_of(whole(), with(200, MAX + 1)), Use::TOO_LARGE);
    EXPECT_EQ(use_of(of_size(whole(), 10), with(200, 10)), Use::WHOLE);
    EXPECT_EQ(use_of(of_size(whole(), 10), with(200, 9)), Use::WRONG_SIZE);
    EXPECT_EQ(use_of(of_size(whole(), 10), with(200)), Use::WHOLE) << "it may be of the right size";
    EXPECT_EQ(use_of(rest(5), with(200, 10)), Use::WHOLE);
    EXPECT_EQ(use_of(whole(), with(206, 5, "bytes 5-9/10")), Use::NONE) << "nobody asked for it";
}

TEST(NetAnswer, OfTheRest) {
    EXPECT_EQ(use_of(rest(5), with(206, 5, "bytes 5-9/10")), Use::REST);
    EXPECT_EQ(use_of(rest(5), with(206, 5, "bytes 5-9/*")), Use::REST);
    EXPECT_EQ(use_of(rest(5), with(206, 6, "bytes 4-9/10")), Use::START_OVER);
    EXPECT_EQ(use_of(rest(5), with(206, 5)), Use::START_OVER);
    EXPECT_EQ(use_of(of_size(rest(5), 11), with(206, 5, "bytes 5-9/10")), Use::WRONG_SIZE);
    EXPECT_EQ(use_of(of_size(rest(5), 11), with(206, 5, "bytes 5-9/*")), Use::WRONG_SIZE);
    EXPECT_EQ(use_of(rest(5), with(206, MAX, "bytes 5-1004/1005")), Use::TOO_LARGE);
    EXPECT_EQ(use_of(rest(5), with(416)), Use::START_OVER);
    EXPECT_EQ(use_of(whole(), with(416)), Use::NONE);
}

TEST(NetAnswer, WithoutAFile) {
    EXPECT_EQ(use_of({.conditional = true, .max_size = MAX}, with(304)), Use::UNCHANGED);
    EXPECT_EQ(use_of(whole(), with(304)), Use::NONE);
    for (const long status : {0L, 100L, 204L, 300L, 400L, 404L, 500L, 503L, 999L}) {
        EXPECT_EQ(use_of(whole(), with(status, 10)), Use::NONE) << status;
    }
}

TEST(NetAnswer, TellsTheSizeOfTheWhole) {
    EXPECT_EQ(size_by(whole(), with(200, 10)), 10U);
    EXPECT_EQ(size_by(rest(5), with(206, 5, "bytes 5-9/10")), 10U);
    EXPECT_EQ(size_by(rest(5), with(206, 5)), 10U);
    EXPECT_EQ(size_by(whole(), with(200)), std::nullopt);
    EXPECT_EQ(size_by(whole(), with(404, 10)), std::nullopt);
}

}  // namespace
}  // namespace bootbudget::net
