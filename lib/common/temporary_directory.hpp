// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/account.hpp"

#include <filesystem>
#include <string>

namespace bootbudget::common {

/// A private directory that is gone when its owner is: removed by the destructor, or, after a SIGKILL, by the next remove_stale().
///
/// Named "bootbudget-XXXXXX" below the base, mode 0711 for root started on another account's behalf, else 0700; a lock file in it is held (flock) by this process and
/// its supervisors, so that a directory without a holder is known to be stale.
class TemporaryDirectory {
public:
    /// Throws SystemError naming `base` (not writable, no space), with the next step ("choose another with --work-dir").
    explicit TemporaryDirectory(const std::filesystem::path & base);
    ~TemporaryDirectory();
    TemporaryDirectory(TemporaryDirectory && other) noexcept;
    TemporaryDirectory & operator=(TemporaryDirectory &&) = delete;
    TemporaryDirectory(const TemporaryDirectory &) = delete;
    TemporaryDirectory & operator=(const TemporaryDirectory &) = delete;

    const std::filesystem::path & path() const noexcept { return path_; }

    /// Leaves the directory where it is; returns its path.
    std::filesystem::path keep();

private:
    std::filesystem::path path_;
    int lock_ = -1;
};

/// Removes the directories below `base` that an ended process left behind; those of others (not ours to remove) and those in use stay. Returns how many.
int remove_stale(const std::filesystem::path & base);

/// Removes a tree whatever the modes of its directories; symbolic links are removed, not followed; never throws, returns false if something stayed.
bool remove_tree(const std::filesystem::path & path) noexcept;

}  // namespace bootbudget::common
