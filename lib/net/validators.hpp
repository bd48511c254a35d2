// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace bootbudget::net {

/// What tells two versions of a file apart (RFC 9110 8.8), kept beside a file of the cache or a part of one.
struct Validators {
    std::string etag;           ///< as the server wrote it, quotes and all; empty if it gave none
    std::string last_modified;  ///< likewise
    std::string sha256;         ///< of the file they belong to; empty for a part

    bool operator==(const Validators &) const = default;

    /// Whether a part can be continued by it: a strong entity tag (RFC 9110 13.1.5).
    bool is_strong() const noexcept { return !etag.empty() && etag.front() == '"'; }
};

/// The value of a server's header if it can be sent back and stored, else empty: printable ASCII of at most 500 bytes.
std::string storable(std::string_view value);

/// As a small text file, and back. What cannot be read gives no validators: the file is fetched again then.
std::string to_text(const Validators & validators);
Validators validators_from(std::string_view text);

}  // namespace bootbudget::net
