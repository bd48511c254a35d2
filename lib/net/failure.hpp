// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "net/download.hpp"

#include <curl/curl.h>

#include <chrono>
#include <string>

namespace bootbudget::net {

/// Who can mend it: decides the type of the error.
enum class Blame { USER, SYSTEM };

/// Whether another attempt may help. ONCE is for what is mostly a mistake of the user's, and a hiccup at times.
enum class Again { NEVER, ONCE, ALWAYS };

/// Why an attempt to download failed.
struct Failure {
    Blame blame = Blame::SYSTEM;
    Again again = Again::NEVER;
    std::string happened;                 ///< "the server has no such file (HTTP status 404)"
    std::string next_step;                ///< "check the URL"
    std::chrono::seconds retry_after{0};  ///< as the server asked
};

/// An answer without the file.
Failure failure_of_status(long status);

/// A transfer that libcurl ended. `detail` is the text in its error buffer, may be empty.
Failure failure_of_curl(CURLcode code, const std::string & detail, const FetchOptions & options);

/// A file of another size than promised. `is_local`: of this machine, so that it is to be mended, not fetched again.
Failure wrong_size(std::uint64_t promised, std::uint64_t found, bool is_local);
Failure longer_than_promised(std::uint64_t promised);
Failure wrong_checksum(const Checksum & promised, const std::string & found, bool is_local);
Failure too_large(std::uint64_t allowed);

/// Throws the failure as UserError or SystemError: "cannot download kernel-core.rpm from https://…: the server failed (HTTP status 503), after 5 attempts; try again later."
/// `led_to`: where redirects led, empty if there were none. `attempts` are mentioned if more than 1.
[[noreturn]] void raise(
    const Failure & failure, const Download & download, const std::string & led_to, unsigned attempts);

}  // namespace bootbudget::net
