// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bootbudget::tests {

/// One file of a forged package. What the optional members say about the archive may contradict what the header says.
struct ForgedEntry {
    std::string name;  ///< as the header has it: everything up to the last '/' becomes the directory's name
    std::uint16_t mode = 0100644;
    std::string content = {};
    std::string link_target = {};
    std::uint32_t flags = 0;  ///< RPMFILE_GHOST is 64
    std::uint32_t inode = 0;  ///< equal and not 0: hard links
    bool in_archive = true;
    std::optional<std::uint64_t> header_size =
        {};  ///< else the content's; beyond 32 bits makes the header's sizes 64 bits wide
    std::optional<std::uint32_t> archive_size = {};
    std::optional<std::string> archive_name = {};  ///< else "." and the name
    std::optional<std::string> digest = {};        ///< else the content's
};

/// A package as rpmbuild would not write it.
struct ForgedRpm {
    std::string name = "forged";
    std::string version = "1";
    std::string release = "1";
    std::string arch = "x86_64";
    std::string source_rpm = "forged-1-1.src.rpm";
    std::vector<ForgedEntry> entries;
    std::vector<std::pair<std::string, std::string>> provides = {};  ///< name, version; sense "="
    std::vector<std::pair<std::string, std::string>> requires_ = {};
    bool with_payload_digest = true;
    std::map<std::uint32_t, std::string> signature_tags =
        {};  ///< binary values of the signature header, such as a signature
    std::map<std::uint32_t, std::string> header_tags = {};  ///< binary values of the main header
    std::map<std::uint32_t, std::size_t> list_lengths =
        {};  ///< lists of the main header that have so many items instead
};

/// The bytes of a version 4 package (rpm's docs/manual/format_v4.md): lead, signature header (SHA-1, SHA-256, size, MD5), main header with the file list and the
/// payload's SHA-256, and a "newc" cpio archive that is not compressed. All digests are right, whatever the entries say, so that only a judgement of the
/// entries themselves can refuse it.
std::string forge(const ForgedRpm & rpm);

/// forge() into directory/NAME-VERSION-RELEASE.ARCH.rpm; returns the path.
std::filesystem::path forge_into(const std::filesystem::path & directory, const ForgedRpm & rpm);

}  // namespace bootbudget::tests
