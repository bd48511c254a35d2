// SPDX-License-Identifier: GPL-2.0-or-later
// A libsolv of a distribution without rpm, such as Debian's, compares versions by that distribution's rules unless it is told otherwise before the first
// package comes.
#include "packages/universe.hpp"

#include <fmt/format.h>
#include <bootbudget/error.hpp>

#include <string_view>

namespace bootbudget::packages {

namespace {

// libsolv's parser calls itself for each parenthesis.
constexpr std::size_t MAX_RICH_DEPENDENCY = 4096;

int flags_of(std::string_view sense) {
    int flags = 0;
    for (const char c : sense) {
        flags |= c == '<' ? REL_LT : c == '>' ? REL_GT : c == '=' ? REL_EQ : 0;
    }
    return flags;
}

Id dependency(Pool * pool, const Capability & capability, const RpmFile & package) {
    const Id name = pool_str2id(pool, capability.name.c_str(), 1);
    if (capability.name.starts_with('(') && capability.sense.empty()) {
        const Id rich =
            capability.name.size() <= MAX_RICH_DEPENDENCY ? pool_parserpmrichdep(pool, capability.name.c_str()) : 0;
        if (rich == 0) {
            throw UserError(fmt::format(
                "the package {} has a requirement that cannot be understood: {}",
                package.nevra,
                capability.name.substr(0, 200)));
        }
        return rich;
    }
    const int flags = flags_of(capability.sense);
    return flags == 0 ? name : pool_rel2id(pool, name, pool_str2id(pool, capability.version.c_str(), 1), flags, 1);
}

}  // namespace

Universe::Universe() : pool_(pool_create()) {
    if (pool_setdisttype(pool_.get(), DISTTYPE_RPM) < 0) {
        throw SystemError("this machine's libsolv was built without rpm's rules; install one that has them.");
    }
    repo_ = repo_create(pool_.get(), "packages");
}

void Universe::add(RpmFile package) {
    Pool * const pool = pool_.get();
    const Id id = repo_add_solvable(repo_);
    Solvable * const solvable = pool_id2solvable(pool, id);
    solvable->name = pool_str2id(pool, package.name.c_str(), 1);
    solvable->evr = pool_str2id(pool, package.evr.c_str(), 1);
    solvable->arch = pool_str2id(pool, package.arch.c_str(), 1);
    for (const Capability & provide : package.provides) {
        solvable->dep_provides = repo_addid_dep(repo_, solvable->dep_provides, dependency(pool, provide, package), 0);
    }
    const Id itself = pool_rel2id(pool, solvable->name, solvable->evr, REL_EQ, 1);
    solvable->dep_provides = repo_addid_dep(repo_, solvable->dep_provides, itself, 0);
    for (const Capability & need : package.requires_) {
        solvable->dep_requires = repo_addid_dep(repo_, solvable->dep_requires, dependency(pool, need, package), 0);
    }
    admit(id, std::move(package));
}

}  // namespace bootbudget::packages
