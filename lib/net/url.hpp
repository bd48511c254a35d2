// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace bootbudget::net {

/// URLs by libcurl's own parser (libcurl-url(3)), so that what is checked is what is fetched.

/// The URL for messages: without name, password and fragment; "?…" instead of a query, which may hold a token. For a string that is no URL: what can be
/// shown of it. At most some hundred bytes, printable.
std::string shown(const std::string & url);

/// "http", "https" or "file". UserError if it is another one, or no URL.
std::string scheme_of(const std::string & url);

/// The URL of a file that an index in the directory names. `reference` is a path below `directory`, of which characters that URLs cannot have
/// are percent-encoded ('+' too, which some servers take for a space; "%41" is left as it is); or a whole URL, as xml:base may be one. A slash is added to a directory without
/// one; name, password and query of the directory are kept, unless the reference is a URL. UserError for an http index that names a local file, and
/// for an https index that names an http URL.
std::string join(const std::string & directory, const std::string & reference);

/// The path of a local file, or a reference, as a part of a URL.
std::string percent_encoded(std::string_view path);

/// Last part of the path, decoded, as a harmless file name: letters, digits and "._+-~^" only, not beginning with '.', at most 200 bytes; "index" if empty.
std::string file_name(const std::string & url);

/// The local path of a file: URL. UserError if it names another host or cannot be a path.
std::filesystem::path local_path(const std::string & url);

/// What tells this URL from others in the cache: it without name, password and fragment.
std::string identity(const std::string & url);

}  // namespace bootbudget::net
