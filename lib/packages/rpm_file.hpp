// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bootbudget::packages {

/// A dependency or a provide: name, comparison sense as text ("=", ">=", …, or empty) and version.
struct Capability {
    std::string name;
    std::string sense;
    std::string version;
};

/// One RPM, its header read and everything in the file verified.
struct RpmFile {
    std::filesystem::path path;
    std::string name;
    std::string nevra;
    std::string evr;  ///< [epoch:]version-release
    std::string arch;
    std::string source_nvr;  ///< name-version-release of SOURCERPM
    std::string sha256;      ///< of the whole file
    std::string
        header_sha256;  ///< of the main header, which has the digest of each file: unpack() takes no other package for this one
    std::string signature;  ///< see signature_of()
    std::vector<Capability> provides;
    std::vector<Capability> requires_;
    std::vector<std::string> files;  ///< absolute names, ghosts left out
    std::vector<std::string> ghosts;
};

class Keyring;

/// Opens, reads and verifies one package file with librpm: header digests, payload digest and, if there is a keyring, the header's signature. UserError naming the
/// file and what is wrong: not an RPM, cut short, damaged header, damaged payload, a source package, no good signature by a key of the keyring. SystemError if it
/// cannot be read.
RpmFile read_rpm(const std::filesystem::path & path, const Keyring * keyring = nullptr);

}  // namespace bootbudget::packages
