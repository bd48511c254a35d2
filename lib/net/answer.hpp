// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bootbudget::net {

/// "bytes 5-9/10" of RFC 9110 14.4.
struct ContentRange {
    std::uint64_t first = 0;
    std::optional<std::uint64_t> total;  ///< absent for "*"

    bool operator==(const ContentRange &) const = default;
};

/// nullopt for anything else, such as a range that ends before it begins or beyond the whole.
std::optional<ContentRange> parse_content_range(std::string_view text);

/// What was asked of the server.
struct Question {
    std::uint64_t offset = 0;                ///< of the first byte wanted; what comes before is there already
    bool conditional = false;                ///< only if it differs from the file that is there
    std::optional<std::uint64_t> size = {};  ///< of the whole file, as promised
    std::uint64_t max_size = 0;
};

/// What its answer's head says.
struct Answer {
    long status = 0;
    std::optional<std::uint64_t> length;  ///< Content-Length
    std::optional<ContentRange> range;    ///< Content-Range
};

/// What to do with its body.
enum class Use {
    WHOLE,       ///< it is the file from the begin
    REST,        ///< it is what was missing
    UNCHANGED,   ///< none: the file that is there is current
    START_OVER,  ///< none: it does not fit the part that is there, so ask for the whole file
    WRONG_SIZE,  ///< none: the file has another size than promised
    TOO_LARGE,   ///< none: the file is larger than allowed
    NONE,        ///< none: the status says that there is no file in it
};

Use use_of(const Question & question, const Answer & answer);

/// The size of the whole file, if the answer tells.
std::optional<std::uint64_t> size_by(const Question & question, const Answer & answer);

}  // namespace bootbudget::net
