// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/descriptor.hpp"
#include "net/cache_place.hpp"
#include "net/validators.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace bootbudget::net {

/// One entry of the cache, locked: no other process reads or writes it, except that finished files may be read by those who were given their paths.
/// All functions that write throw SystemError naming the file.
class CacheEntry {
public:
    CacheEntry(std::filesystem::path directory, const std::string & file, common::Descriptor lock);

    const std::filesystem::path & file() const noexcept { return file_; }
    const std::filesystem::path & part() const noexcept { return part_; }

    /// Size of the finished file or of the part; nullopt if there is none.
    std::optional<std::uint64_t> file_size() const;
    std::optional<std::uint64_t> part_size() const;

    Validators validators() const;
    Validators part_validators() const;
    void write_part_validators(const Validators & validators);

    /// Opens the part for reading and writing, and makes it if need be.
    common::Descriptor open_part();

    void remove_part();
    void remove_file();

    /// Makes the part the finished file, at once for all who look.
    void finish(const Validators & validators);

private:
    std::filesystem::path directory_;
    std::filesystem::path file_;
    std::filesystem::path part_;
    common::Descriptor lock_;
};

/// The directory that processes share. What is in it and how long is said in download.hpp.
class Cache {
public:
    /// Makes it (mode 0700) if it is missing. UserError if it belongs to somebody else or others may write to it, who could exchange what has been
    /// checked; SystemError if it cannot be made or written to.
    explicit Cache(std::filesystem::path root);

    /// Locks an entry, and makes it if need be; it counts as used now. nullopt while another process, or another entry object, has it. Throws SystemError.
    std::optional<CacheEntry> enter(const CachePlace & place);

    /// Removes entries that have not been used for UNUSED_DAYS and that nobody has locked, if that has not been done in the last day. Never throws; what
    /// cannot be removed stays.
    void remove_unused() noexcept;

private:
    std::filesystem::path root_;
};

}  // namespace bootbudget::net
