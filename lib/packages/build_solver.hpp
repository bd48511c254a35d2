// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "packages/universe.hpp"

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace bootbudget::packages {

/// "6.1-1.x86_64+rt-debug" and "6.1-1.x86_64+rt_debug" are one release: a version in a provide cannot have a '-'.
std::string comparable(std::string_view release);

/// What libsolv says to one wish.
struct Solution {
    std::vector<const Member *> chosen;  ///< what must be there; empty if there is a problem
    std::string
        problem;  ///< in libsolv's own words: "nothing provides a = 1 needed by b-1-1.x86_64"; empty if there is none
};

/// Solves within the packages of one build and one architecture, beside a host that has whatever else they need: a shell, dracut, firmware. Who provides such a
/// thing in the universe does not matter, it is never chosen. What is the build's own (some package of it provides it, or its version is that of the build or
/// of one of `releases`) the host does not have, nor the conditions of rich dependencies. Conflicts are left out: packages that are unpacked into a
/// tree of their own have nobody to be in conflict with.
///
/// One at a time in a universe, which must outlive it.
class BuildSolver {
public:
    BuildSolver(Universe & universe, const Member & core, const std::vector<std::string> & releases);
    ~BuildSolver();
    BuildSolver(const BuildSolver &) = delete;
    BuildSolver & operator=(const BuildSolver &) = delete;

    /// What must be there for one of each group to be.
    Solution solve(const std::vector<std::vector<const Member *>> & groups) const;

    /// The build's packages of this architecture.
    const std::vector<const Member *> & build() const noexcept { return build_; }

    /// Names of what `member` needs and the host was taken to have, such as "/bin/sh".
    std::set<std::string> taken_as_given(const Member & member) const;

private:
    struct Needs;
    void add_file_provides(const Member & member);
    bool is_own(Id dependency) const;
    void collect(Id dependency, bool applies, Needs & needs, int depth) const;
    Needs needs_of(const Member & member) const;

    Universe & universe_;
    std::vector<const Member *> build_;
    std::set<std::string> versions_;
    std::set<Id> own_;  ///< capabilities that packages of the build answer
    Repo * host_ = nullptr;
    Id host_id_ = 0;
    std::unique_ptr<libsolv::IdSet> considered_;
};

}  // namespace bootbudget::packages
