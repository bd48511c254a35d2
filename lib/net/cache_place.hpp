// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "net/download.hpp"

#include <string>

namespace bootbudget::net {

/// Where in the cache a download belongs, relative to the cache. Nothing of it can lead out of the cache, whatever an index or URL says.
struct CachePlace {
    std::string directory;  ///< "sha256/ab/abcdef…" or "url/01/0123…"
    std::string file;       ///< the name of the file in it, see file_name()

    bool operator==(const CachePlace &) const = default;
};

/// Throws UserError for a checksum that is none and for a malformed URL.
CachePlace place_of(const Download & download);

/// The checksum with its own name ("sha" is "sha1") and in lower case. UserError, naming `what`, for an algorithm that is unknown or too weak, and for text that is no
/// digest of it.
Checksum checked(const Checksum & checksum, const std::string & what);

}  // namespace bootbudget::net
