// SPDX-License-Identifier: GPL-2.0-or-later
// Servers answer a request for a part with the part, with the whole file, with another part, or with an error (RFC 9110 14 and 15.5.17); only what
// provably continues the part that is there is put behind it.
#include "net/answer.hpp"

#include <charconv>

namespace bootbudget::net {

namespace {

constexpr long OK = 200;
constexpr long PARTIAL_CONTENT = 206;
constexpr long NOT_MODIFIED = 304;
constexpr long RANGE_NOT_SATISFIABLE = 416;

// Takes a number off the begin of `text`.
std::optional<std::uint64_t> take_number(std::string_view & text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) {
        return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

bool take(std::string_view & text, std::string_view begin) {
    if (!text.starts_with(begin)) {
        return false;
    }
    text.remove_prefix(begin.size());
    return true;
}

}  // namespace

std::optional<ContentRange> parse_content_range(std::string_view text) {
    if (!take(text, "bytes ")) {
        return std::nullopt;
    }
    const auto first = take_number(text);
    if (!first || !take(text, "-")) {
        return std::nullopt;
    }
    const auto last = take_number(text);
    if (!last || *last < *first || !take(text, "/")) {
        return std::nullopt;
    }
    if (text == "*") {
        return ContentRange{*first, std::nullopt};
    }
    const auto total = take_number(text);
    if (!total || !text.empty() || *total <= *last) {
        return std::nullopt;
    }
    return ContentRange{*first, total};
}

std::optional<std::uint64_t> size_by(const Question & question, const Answer & answer) {
    if (answer.status == PARTIAL_CONTENT) {
        if (answer.range && answer.range->total) {
            return answer.range->total;
        }
        return answer.length ? std::optional(question.offset + *answer.length) : std::nullopt;
    }
    return answer.status == OK ? answer.length : std::nullopt;
}

Use use_of(const Question & question, const Answer & answer) {
    switch (answer.status) {
        case OK:
            break;
        case PARTIAL_CONTENT:
            if (question.offset == 0) {
                return Use::NONE;  // nobody asked for a part
            }
            if (!answer.range || answer.range->first != question.offset) {
                return Use::START_OVER;
            }
            break;
        case NOT_MODIFIED:
            return question.conditional ? Use::UNCHANGED : Use::NONE;
        case RANGE_NOT_SATISFIABLE:
            return question.offset > 0 ? Use::START_OVER : Use::NONE;
        default:
            return Use::NONE;
    }
    if (const auto size = size_by(question, answer); size) {
        if (*size > question.max_size) {
            return Use::TOO_LARGE;
        }
        if (question.size && *size != *question.size) {
            return Use::WRONG_SIZE;
        }
    }
    return answer.status == OK ? Use::WHOLE : Use::REST;
}

}  // namespace bootbudget::net
