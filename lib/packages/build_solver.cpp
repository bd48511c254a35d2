// SPDX-License-Identifier: GPL-2.0-or-later
// A boot tree has no shell, no dracut and no firmware, and needs none; a solver that is asked for a kernel would add them all. So it is shown the kernel's own
// build only, and one more package, the host, which provides whatever the build needs of others. What the build needs of itself is left to libsolv, and
// so is the telling when it is not there.
#include "packages/build_solver.hpp"

#include "common/units.hpp"

#include <fmt/format.h>
#include <bootbudget/error.hpp>

#include <algorithm>

namespace bootbudget::packages {

namespace {

constexpr int MAX_DEPTH = 32;
constexpr std::size_t MAX_LEAVES = 64;
constexpr std::size_t MAX_NAME = 100;

std::string_view without_epoch(std::string_view evr) {
    const auto colon = evr.find(':');
    return colon == std::string_view::npos ? evr : evr.substr(colon + 1);
}

// "kernel-6.17-1.fc43" → "6.17-1.fc43"
std::string_view version_of_nvr(std::string_view nvr) {
    const auto release = nvr.rfind('-');
    const auto version = release == std::string_view::npos || release == 0 ? release : nvr.rfind('-', release - 1);
    return version == std::string_view::npos ? std::string_view() : nvr.substr(version + 1);
}

std::vector<Id> dependencies(Pool * pool, Id solvable, Id key) {
    libsolv::Ids ids;
    solvable_lookup_deparray(pool_id2solvable(pool, solvable), key, ids.get(), 0);
    std::vector<Id> result(ids.begin(), ids.end());
    std::erase(result, SOLVABLE_PREREQMARKER);
    return result;
}

bool is_file_name(const char * name) {
    return name[0] == '/';
}

}  // namespace

struct BuildSolver::Needs {
    std::vector<Id> of_host;
    std::set<std::string> names;  ///< of those that apply
    std::size_t leaves = 0;
};

std::string comparable(std::string_view release) {
    std::string result(release);
    std::replace(result.begin(), result.end(), '-', '_');
    return result;
}

BuildSolver::BuildSolver(Universe & universe, const Member & core, const std::vector<std::string> & releases)
    : universe_(universe) {
    Pool * const pool = universe.pool();
    versions_.insert(comparable(version_of_nvr(core.package.source_nvr)));
    for (const std::string & release : releases) {
        versions_.insert(comparable(release));
    }
    for (const Member & member : universe.members()) {
        const RpmFile & package = member.package;
        if (package.source_nvr == core.package.source_nvr &&
            (package.arch == core.package.arch || package.arch == "noarch")) {
            build_.push_back(&member);
            versions_.insert(comparable(without_epoch(package.evr)));
        }
    }
    versions_.erase("");

    host_ = repo_create(pool, "host");
    host_id_ = repo_add_solvable(host_);
    considered_ = std::make_unique<libsolv::IdSet>(pool->nsolvables);
    considered_->add(host_id_);
    for (const Member * member : build_) {
        considered_->add(member->id);
        Solvable * const solvable = pool_id2solvable(pool, member->id);
        solvable->dep_conflicts = 0;
        solvable->dep_obsoletes = 0;
        add_file_provides(*member);
    }
    for (const Member * member : build_) {
        for (Id provide : dependencies(pool, member->id, SOLVABLE_PROVIDES)) {
            while (ISRELDEP(provide)) {
                provide = GETRELDEP(pool, provide)->name;
            }
            own_.insert(provide);
        }
    }
    Offset provides = 0;
    for (const Member * member : build_) {
        for (const Id need : needs_of(*member).of_host) {
            provides = repo_addid_dep(host_, provides, need, 0);
        }
    }
    Solvable * const host = pool_id2solvable(pool, host_id_);
    host->name = pool_str2id(pool, "host", 1);
    host->evr = ID_EMPTY;
    host->arch = ARCH_NOARCH;
    host->dep_provides = provides;

    pool_setarch(pool, core.package.arch.c_str());
    pool->considered = considered_->get();
    pool_createwhatprovides(pool);
}

BuildSolver::~BuildSolver() {
    Pool * const pool = universe_.pool();
    pool_freewhatprovides(pool);
    pool->considered = nullptr;
    repo_free(host_, 1);
}

// A file that the build holds itself is asked of the build. Such needs are rare, so libsolv's own way, which looks through every file of the universe, is too dear.
void BuildSolver::add_file_provides(const Member & member) {
    Pool * const pool = universe_.pool();
    for (const Id need : dependencies(pool, member.id, SOLVABLE_REQUIRES)) {
        if (ISRELDEP(need) || !is_file_name(pool_id2str(pool, need))) {
            continue;
        }
        const std::string name = pool_id2str(pool, need);
        for (const Member * other : build_) {
            const auto & files = other->package.files;
            if (std::find(files.begin(), files.end(), name) != files.end()) {
                Solvable * const solvable = pool_id2solvable(pool, other->id);
                solvable->dep_provides = repo_addid_dep(universe_.repo(), solvable->dep_provides, need, 0);
            }
        }
    }
}

bool BuildSolver::is_own(Id dependency) const {
    Pool * const pool = universe_.pool();
    Id name = dependency;
    while (ISRELDEP(name)) {
        const Reldep * const relation = GETRELDEP(pool, name);
        if (relation->flags <= (REL_GT | REL_EQ | REL_LT) && !ISRELDEP(relation->evr) &&
            versions_.count(comparable(without_epoch(pool_id2str(pool, relation->evr)))) != 0) {
            return true;
        }
        name = relation->name;
    }
    return own_.count(name) != 0;
}

// The leaves of a rich dependency that would have to be there; `applies` is false below a condition that only others could fulfil.
void BuildSolver::collect(Id dependency, bool applies, Needs & needs, int depth) const {
    Pool * const pool = universe_.pool();
    if (depth > MAX_DEPTH || ++needs.leaves > MAX_LEAVES) {
        throw UserError(fmt::format(
            "a requirement of the kernel's packages is too involved to be looked into ({}); please report it with the "
            "package.",
            common::printable(pool_dep2str(pool, dependency), 200)));
    }
    if (ISRELDEP(dependency)) {
        const Reldep relation = *GETRELDEP(pool, dependency);
        const Reldep * const alternative = ISRELDEP(relation.evr) && GETRELDEP(pool, relation.evr)->flags == REL_ELSE
                                               ? GETRELDEP(pool, relation.evr)
                                               : nullptr;
        const Id condition = alternative != nullptr ? alternative->name : relation.evr;
        switch (relation.flags) {
            case REL_AND:
            case REL_OR:
            case REL_WITH:
                collect(relation.name, applies, needs, depth + 1);
                collect(relation.evr, applies, needs, depth + 1);
                return;
            case REL_WITHOUT:
                collect(relation.name, applies, needs, depth + 1);
                return;
            case REL_COND:
            case REL_UNLESS: {
                const bool met = is_own(condition);
                const Id otherwise = alternative != nullptr ? alternative->evr : 0;
                collect(relation.name, applies && met == (relation.flags == REL_COND), needs, depth + 1);
                if (otherwise != 0) {
                    collect(otherwise, applies && met != (relation.flags == REL_COND), needs, depth + 1);
                }
                return;
            }
            default:
                break;
        }
    }
    if (is_own(dependency)) {
        return;
    }
    needs.of_host.push_back(dependency);
    Id name = dependency;
    while (ISRELDEP(name)) {
        name = GETRELDEP(pool, name)->name;
    }
    // What rpm needs of itself to unpack a package is nothing of the host's.
    const std::string text = common::printable(pool_id2str(pool, name), MAX_NAME);
    if (applies && !text.starts_with("rpmlib(")) {
        needs.names.insert(text);
    }
}

BuildSolver::Needs BuildSolver::needs_of(const Member & member) const {
    Needs needs;
    for (const Id need : dependencies(universe_.pool(), member.id, SOLVABLE_REQUIRES)) {
        needs.leaves = 0;
        collect(need, true, needs, 0);
    }
    return needs;
}

std::set<std::string> BuildSolver::taken_as_given(const Member & member) const {
    return needs_of(member).names;
}

Solution BuildSolver::solve(const std::vector<std::vector<const Member *>> & groups) const {
    Pool * const pool = universe_.pool();
    libsolv::Ids jobs;
    jobs.add(SOLVER_INSTALL | SOLVER_SOLVABLE);
    jobs.add(host_id_);
    for (const auto & group : groups) {
        libsolv::Ids ids;
        for (const Member * member : group) {
            ids.add(member->id);
        }
        jobs.add(SOLVER_INSTALL | SOLVER_SOLVABLE_ONE_OF);
        jobs.add(pool_queuetowhatprovides(pool, ids.get()));
    }
    const libsolv::SolverOwner solver(solver_create(pool));
    solver_set_flag(solver.get(), SOLVER_FLAG_IGNORE_RECOMMENDED, 1);
    Solution solution;
    if (solver_solve(solver.get(), jobs.get()) == 0) {
        for (const Member * member : build_) {
            if (solver_get_decisionlevel(solver.get(), member->id) > 0) {
                solution.chosen.push_back(member);
            }
        }
        return solution;
    }
    libsolv::Ids rules;
    solver_findallproblemrules(solver.get(), 1, rules.get());
    for (const Id rule : rules) {
        Id source = 0;
        Id target = 0;
        Id dependency = 0;
        const SolverRuleinfo kind = solver_ruleinfo(solver.get(), rule, &source, &target, &dependency);
        if (kind == SOLVER_RULE_JOB) {
            continue;  // "conflicting requests", which says nothing
        }
        const std::string text =
            common::printable(solver_problemruleinfo2str(solver.get(), kind, source, target, dependency), 500);
        if (solution.problem.find(text) == std::string::npos) {
            solution.problem += (solution.problem.empty() ? "" : "; ") + text;
        }
    }
    if (solution.problem.empty()) {
        solution.problem = common::printable(solver_problem2str(solver.get(), 1), 500);
    }
    return solution;
}

}  // namespace bootbudget::packages
