// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bootbudget/progress.hpp>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace bootbudget::net {

struct Checksum {
    /// "sha1", "sha224", "sha256", "sha384" or "sha512"; also "sha", which is repomd.xml's name of sha1. "md5" is refused: who wants to can forge it.
    std::string algorithm;
    std::string hex;  ///< in either case
};

/// One file to have.
struct Download {
    std::string url = {};   ///< http, https or file, fully percent-encoded; may hold a name and password
    std::string what = {};  ///< for messages: "kernel-core-6.17.4-300.fc43.x86_64.rpm", without any password
    std::optional<std::uint64_t> size = {};            ///< in bytes, as an index promised
    std::optional<Checksum> checksum = {};             ///< likewise
    std::uint64_t max_size = std::uint64_t{4} << 30U;  ///< in bytes; what a server may make us store at most
};

struct FetchOptions {
    std::filesystem::path cache = {};  ///< made if missing; belongs to this user alone. See default_cache()
    unsigned parallel = 4;             ///< transfers at once, at least 1
    unsigned attempts = 5;  ///< for one file, at least 1. One that brought a megabyte before it failed is not counted
    std::chrono::milliseconds first_pause{1000};  ///< between the first two attempts; see pause_before()
    std::chrono::seconds stall{
        30};  ///< a connection that takes longer, or a transfer slower than low_speed for so long, has failed
    std::uint64_t low_speed = 1000;      ///< bytes a second
    std::filesystem::path ca_file = {};  ///< certificates (PEM) to trust instead of the system's; empty: the system's
};

/// Has all the files, and returns their paths in the order asked for. Files already in the cache, parts that an earlier call left, and what another
/// process is fetching at the moment are all used; a call that fails or is stopped leaves its parts for the next one.
///
/// The cache holds, each in a directory of its own with a lock (flock(2)) and, under way, the part that there is:
/// - ALGORITHM/AB/ABCDEF…/NAME: a file with a known checksum. It is fetched once, whatever its URL was. Each time it is asked for, its checksum is computed
///   again: that costs little against what follows (a package of 100 MB some tenths of a second), finds what a crash or a bad disk made of it, and is why
///   nothing has to wait for the disk (fsync(2)) when it is written. A damaged one is fetched again.
/// - url/AB/ABCDEF…/NAME: a file without a checksum, under the SHA-256 of its URL without name and password. The server is asked each time; it may
///   answer that the file has not changed (If-None-Match, If-Modified-Since). Such a path may be another call's next version: read it soon.
/// Entries that nobody asked for in UNUSED_DAYS are removed, once a day, by whoever comes by; nothing else bounds the cache.
///
/// A file: URL's file is not copied: the path returned is its own, and its size and checksum have been checked.
///
/// Proxies are those of the environment (https_proxy, no_proxy, …; curl(1)). TLS 1.2 or newer, certificate and host name are always verified. At most 10
/// redirects are followed, never from https to http, nor to a file. Attempts are repeated when the connection fails or stalls and when the server answers 5xx,
/// 408 or 429.
///
/// `progress`: bytes of all files; a step for each file downloaded and for each attempt that is repeated. Throws
/// - UserError: no such file, host, or local file, refused access, a certificate that is not the host's or not trusted, a loop of redirects, a file with
///   another size or checksum than promised or larger than allowed, a malformed URL or checksum, a cache that is not only ours;
/// - SystemError: the server or network failed in all attempts; the cache cannot be written;
/// - Cancelled: the stop token was triggered, within a fraction of a second.
/// Every message names the URL, without name, password and query.
std::vector<std::filesystem::path> fetch(
    const std::vector<Download> & downloads, const FetchOptions & options, Progress & progress, std::stop_token stop);

inline constexpr int UNUSED_DAYS = 14;

/// Where the cache is unless the user says otherwise: /var/cache/bootbudget for root; else $XDG_CACHE_HOME/bootbudget if that is an absolute path, else
/// ~/.cache/bootbudget. UserError if this account has no home directory.
std::filesystem::path default_cache();

}  // namespace bootbudget::net
