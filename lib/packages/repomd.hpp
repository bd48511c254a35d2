// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "net/download.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bootbudget::packages {

/// A file of metadata that a repository's index names.
struct MetadataFile {
    std::string href;
    std::string base;  ///< xml:base, mostly empty
    net::Checksum checksum;
    std::optional<std::uint64_t> size;       ///< of the file
    std::optional<std::uint64_t> open_size;  ///< decompressed
};

/// What is of interest in a repomd.xml.
struct Repomd {
    MetadataFile primary;
    MetadataFile filelists;
};

/// The limits of what a repository may make us read: nothing real comes near.
inline constexpr std::uint64_t MAX_REPOMD = std::uint64_t{4} << 20U;
inline constexpr std::uint64_t MAX_METADATA = std::uint64_t{1} << 30U;       ///< compressed
inline constexpr std::uint64_t MAX_OPEN_METADATA = std::uint64_t{4} << 30U;  ///< decompressed

/// Parses a repomd.xml (written by createrepo_c; its layout is that of createrepo_c's src/repomd.c). UserError naming `url`: no XML, no repomd, no primary or no
/// filelists in it, a file without a checksum, larger than the limits.
Repomd parse_repomd(std::string_view text, const std::string & url);

}  // namespace bootbudget::packages
