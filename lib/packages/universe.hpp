// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "packages/libsolv.hpp"
#include "packages/rpm_file.hpp"

#include <deque>

namespace bootbudget::packages {

/// A package that boot sets are chosen from, and its number in libsolv's pool.
struct Member {
    Id id = 0;
    RpmFile package;
};

/// Packages as libsolv knows them, compared by rpm's rules. Some of them, the members, are chosen from; a repository's others are only there.
class Universe {
public:
    Universe();

    Pool * pool() const noexcept { return pool_.get(); }

    /// Where metadata are loaded into.
    Repo * repo() const noexcept { return repo_; }

    /// A package that was read becomes a member. UserError naming it for a requirement that cannot be understood.
    void add(RpmFile package);

    /// A package that was loaded into repo() becomes a member; `package` says what it is.
    void admit(Id id, RpmFile package) { members_.push_back({id, std::move(package)}); }

    /// Stay where they are for as long as the universe lives.
    const std::deque<Member> & members() const noexcept { return members_; }

private:
    libsolv::PoolOwner pool_;
    Repo * repo_ = nullptr;
    std::deque<Member> members_;
};

}  // namespace bootbudget::packages
