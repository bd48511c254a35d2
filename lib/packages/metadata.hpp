// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "net/download.hpp"
#include "packages/choice.hpp"
#include "packages/universe.hpp"

#include <cstdint>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace bootbudget::packages {

/// A downloaded and checked file of metadata; its name's end says how it is compressed.
struct MetadataSource {
    std::filesystem::path path;
    std::string url;              ///< for messages
    std::uint64_t open_size = 0;  ///< at most so many bytes when decompressed
};

/// Reads a repository's primary and filelists into the universe with libsolv's parser. UserError naming the URL for what that cannot read and for more bytes
/// than `open_size`; SystemError for a compression that this libsolv cannot read; Cancelled.
void load_metadata(
    Universe & universe, const MetadataSource & primary, const MetadataSource & filelists, std::stop_token stop);

/// The source builds that have kernels of `arch` in a universe that was loaded: those that provide kernel-uname-r, or, where there is none in the whole repository, have an image.
std::vector<KernelBuild> kernel_builds(const Universe & universe, const std::string & arch);

/// A package of the repository, and where it is.
struct RepositoryPackage {
    RpmFile package;  ///< as the metadata have it: no path, no signature; ghosts are among its files
    std::string href;
    std::string base;  ///< xml:base, mostly empty
    net::Checksum checksum;
    std::uint64_t size = 0;  ///< 0: not said
};

/// Makes the packages of one build, of `arch` and noarch, members. UserError naming `url` for two different packages of one NEVRA.
std::vector<RepositoryPackage> admit_build(
    Universe & universe, const KernelBuild & build, const std::string & arch, const std::string & url);

}  // namespace bootbudget::packages
