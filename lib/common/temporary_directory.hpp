// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/account.hpp"

#include <filesystem>
#include <string>

namespace bootbudget::common {

/// A private directory that is gone when its owner is: removed by the destructor, or, after a SIGKILL, by the next remove_stale().
///
/// Named "bootbudget-XXXXXX" in the base, mode 0711 for root (who gives parts of it to the account that boots), else 0700. A lock file in it, ".lock", is held
/// (flock(2)) by this process and, inherited, by the supervisors of run(): a lock that can be taken tells that the owner and all its programs are gone.
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

    /// Leaves the directory where it is, for good; returns its path. Nothing is removed by the destructor or by remove_stale() then (unless it is empty).
    std::filesystem::path keep();

private:
    std::filesystem::path path_;
    int lock_ = -1;
};

/// Removes the directories in `base` that an ended process of this account left behind; those of other accounts, those in use, links, and those
/// which cannot be removed stay. Returns how many were removed; 0 if there is no such base.
int remove_stale(const std::filesystem::path & base);

/// Removes a tree whatever the modes of its directories; symbolic links are removed, not followed; never throws, returns false if something stayed.
bool remove_tree(const std::filesystem::path & path) noexcept;

}  // namespace bootbudget::common
