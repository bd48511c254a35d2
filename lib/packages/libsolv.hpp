// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

// "requires" is a keyword of C++20; with this libsolv's own headers call that field dep_requires.
#define LIBSOLV_SOLVABLE_PREPEND_DEP

#include <solv/chksum.h>
#include <solv/pool.h>
#include <solv/poolarch.h>
#include <solv/problems.h>
#include <solv/queue.h>
#include <solv/repo.h>
#include <solv/repo_solv.h>
#include <solv/repo_write.h>
#include <solv/solvable.h>
#include <solv/solver.h>
#include <solv/solvversion.h>
#include <solv/util.h>
// These do not say for themselves that they are C.
extern "C" {
#include <solv/pool_parserpmrichdep.h>
#include <solv/repo_rpmmd.h>
#include <solv/solv_xfopen.h>
}

#include <cstdio>
#include <memory>

namespace bootbudget::packages::libsolv {

/// Owners of libsolv's objects.
struct FreePool {
    void operator()(Pool * pool) const noexcept { pool_free(pool); }
};
struct FreeSolver {
    void operator()(Solver * solver) const noexcept { solver_free(solver); }
};
struct FreeWriter {
    void operator()(Repowriter * writer) const noexcept { repowriter_free(writer); }
};
struct CloseFile {
    void operator()(std::FILE * file) const noexcept { std::fclose(file); }
};
using PoolOwner = std::unique_ptr<Pool, FreePool>;
using SolverOwner = std::unique_ptr<Solver, FreeSolver>;
using WriterOwner = std::unique_ptr<Repowriter, FreeWriter>;
using FileOwner = std::unique_ptr<std::FILE, CloseFile>;

/// A list of ids that grows.
class Ids {
public:
    Ids() { queue_init(&queue_); }
    ~Ids() { queue_free(&queue_); }
    Ids(const Ids &) = delete;
    Ids & operator=(const Ids &) = delete;

    Queue * get() noexcept { return &queue_; }
    void add(Id id) { queue_push(&queue_, id); }
    const Id * begin() const noexcept { return queue_.elements; }
    const Id * end() const noexcept { return queue_.elements + queue_.count; }
    bool empty() const noexcept { return queue_.count == 0; }

private:
    Queue queue_{};
};

/// A set of ids, all below the size that it was made for.
class IdSet {
public:
    explicit IdSet(int size) { map_init(&map_, size); }
    ~IdSet() { map_free(&map_); }
    IdSet(const IdSet &) = delete;
    IdSet & operator=(const IdSet &) = delete;

    Map * get() noexcept { return &map_; }
    void add(Id id) { map_set(&map_, id); }

private:
    Map map_{};
};

}  // namespace bootbudget::packages::libsolv
