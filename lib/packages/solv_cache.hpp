// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "packages/universe.hpp"

#include <filesystem>
#include <string>

namespace bootbudget::packages {

/// A repository's metadata as libsolv keeps them (.solv), so that they need not be parsed again as long as its index is the same: one file for each repository.
///
/// The last 64 bytes are the SHA-256, in hex, of the file's other bytes, the index's checksum, libsolv's version and ours. So a file of another state of the
/// repository, of another libsolv, cut short or damaged is not read; libsolv trusts what it reads.
class SolvCache {
public:
    /// `directory` is made when something is stored. `identity` tells repositories apart, `state` one repository's states.
    SolvCache(const std::filesystem::path & directory, const std::string & identity, const std::string & state);

    const std::filesystem::path & file() const noexcept { return file_; }

    /// Loads into a new universe; false if there is nothing to load, the universe is to be thrown away then.
    bool load(Universe & universe) const;

    /// Replaces the file in one step. SystemError if it cannot be written.
    void store(const Universe & universe) const;

private:
    std::filesystem::path file_;
    std::string key_;
};

}  // namespace bootbudget::packages
