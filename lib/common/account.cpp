// SPDX-License-Identifier: GPL-2.0-or-later
// Who the boots belong to. Only root can choose; everybody else boots as himself. Build systems start us as root, and QEMU must not inherit that.
#include "common/account.hpp"

#include <bootbudget/error.hpp>

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <vector>

namespace bootbudget::common {

namespace {

/// Calls getpwnam_r(3) or getpwuid_r(3) with a buffer that grows as they ask for.
template <typename Lookup>
std::optional<Account> look_up(const Lookup & lookup, std::string_view who) {
    constexpr std::size_t LARGEST = std::size_t{1} << 20U;
    std::vector<char> buffer(1024);
    for (;;) {
        passwd entry{};
        passwd * found = nullptr;
        const int error = lookup(&entry, buffer.data(), buffer.size(), &found);
        if (error == ERANGE && buffer.size() < LARGEST) {
            buffer.resize(buffer.size() * 4);
        } else if (found != nullptr) {
            return Account{found->pw_uid, found->pw_gid, found->pw_name};
        } else if (error == 0 || error == ENOENT || error == ESRCH) {
            return std::nullopt;
        } else if (error != EINTR) {
            throw SystemError(fmt::format("cannot look up the account {} in the user database", who), error);
        }
    }
}

std::optional<Account> by_name(const std::string & name) {
    return look_up(
        [&](passwd * entry, char * buffer, std::size_t size, passwd ** found) {
            return getpwnam_r(name.c_str(), entry, buffer, size, found);
        },
        name);
}

std::optional<Account> by_uid(uid_t uid) {
    return look_up(
        [&](passwd * entry, char * buffer, std::size_t size, passwd ** found) {
            return getpwuid_r(uid, entry, buffer, size, found);
        },
        std::to_string(uid));
}

std::string name_of(uid_t uid) {
    const std::optional<Account> account = by_uid(uid);
    return account ? account->name : fmt::format("uid {}", uid);
}

/// A decimal id. The highest number is no id: the system calls take it as "leave as it is".
std::optional<uid_t> parse_id(std::string_view text) {
    uid_t id = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), id);
    if (error != std::errc{} || end != text.data() + text.size() || id == static_cast<uid_t>(-1)) {
        return std::nullopt;
    }
    return id;
}

std::optional<uid_t> id_from_environment(const char * variable) {
    const char * text = std::getenv(variable);
    return text == nullptr ? std::nullopt : parse_id(text);
}

/// The user who called sudo(8), unless that was root. sudo's own word is taken: only root could lie here, and root may choose anyway.
std::optional<Account> sudo_caller() {
    const std::optional<uid_t> uid = id_from_environment("SUDO_UID");
    if (!uid || *uid == 0) {
        return std::nullopt;
    }
    std::optional<Account> account = by_uid(*uid);
    const std::optional<gid_t> gid = id_from_environment("SUDO_GID");
    if (!account && gid) {
        account = Account{*uid, *gid, fmt::format("uid {}", *uid)};
    } else if (account && gid) {
        account->gid = *gid;
    }
    return account;
}

}  // namespace

Account current_account() {
    const uid_t uid = geteuid();
    return {uid, getegid(), name_of(uid)};
}

Account account_named(const std::string & name) {
    if (std::optional<Account> account = by_name(name)) {
        return *account;
    }
    if (const std::optional<uid_t> uid = parse_id(name)) {
        if (std::optional<Account> account = by_uid(*uid)) {
            return *account;
        }
    }
    throw UserError(
        fmt::format("There is no account \"{}\" on this system; \"getent passwd\" lists those that there are.", name));
}

Account account_for_boots(const std::string & requested) {
    const Account own = current_account();
    if (!requested.empty()) {
        const Account account = account_named(requested);
        if (account.uid == 0) {
            throw UserError(fmt::format(
                "The boots must not run as root (account \"{}\"); name an unprivileged account, such as nobody.",
                requested));
        }
        if (own.uid == 0) {
            return account;
        }
        if (account.uid != own.uid) {
            throw UserError(fmt::format(
                "Only root can boot as another account: this is {}, and {} was asked for. Leave the account out, or "
                "start as root.",
                own.name,
                account.name));
        }
    }
    if (own.uid != 0) {
        return own;
    }
    if (const std::optional<Account> caller = sudo_caller()) {
        return *caller;
    }
    return account_named("nobody");
}

void give_to(const std::filesystem::path & path, const Account & account) {
    if (account.uid == geteuid() && account.gid == getegid()) {
        return;
    }
    if (lchown(path.c_str(), account.uid, account.gid) != 0) {
        throw SystemError(fmt::format("cannot give {} to the account {}", path.string(), account.name), errno);
    }
}

}  // namespace bootbudget::common
