// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <sys/types.h>
#include <filesystem>
#include <string>

namespace bootbudget::common {

/// The account that child processes run as.
struct Account {
    uid_t uid = 0;
    gid_t gid = 0;
    std::string name;  ///< for messages

    bool operator==(const Account &) const = default;
};

/// The account of this process (effective ids).
Account current_account();

/// By name or decimal uid, from the system's user database. Throws UserError when there is none of that name.
Account account_named(const std::string & name);

/// Which account the boots run as: this process's own unless it is root; started by root, `requested` if given, else the one
/// of SUDO_UID/SUDO_GID if it is not root, else "nobody". Throws UserError if `requested` is root, unknown, or given by a user who
/// is not root and is somebody else.
Account account_for_boots(const std::string & requested);

/// Gives `path` (a file or directory this process owns; links are not followed) to the account. Does nothing when it is this process's own.
/// Throws SystemError.
void give_to(const std::filesystem::path & path, const Account & account);

}  // namespace bootbudget::common
