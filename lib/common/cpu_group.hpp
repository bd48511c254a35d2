// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bootbudget::common {

/// The CPU time in a control group's file, in nanoseconds; -1 if it holds none. Either cgroup v2's cpu.stat ("usage_usec N", cgroup-v2.rst) or cgroup v1's
/// cpuacct.usage (a number of nanoseconds, cgroup-v1/cpuacct.rst), both below Linux' Documentation/admin-guide. Async-signal-safe.
std::int64_t parse_cpu_use(std::string_view text) noexcept;

/// A control group that this process is in and that accounts for CPU time.
struct CpuGroupParent {
    std::filesystem::path directory;
    bool unified = false;  ///< cgroup v2

    bool operator==(const CpuGroupParent &) const = default;
};

/// The groups of a process, cgroup v2's first, by the texts of its /proc/PID/mountinfo (proc_pid_mountinfo(5)) and /proc/PID/cgroup (cgroups(7)). A hierarchy
/// without CPU accounting, or mounted so that the process's own group is not below the mount, is left out.
std::vector<CpuGroupParent> cpu_group_parents(std::string_view mountinfo, std::string_view cgroup);

/// A control group that holds one process tree for the sake of its CPU time: those who leave their session or lose their parent stay in it. It is removed by
/// the destructor, or by the supervisor of the tree, or, where both were killed, by the next make().
class CpuGroup {
public:
    /// A new group below this process's own. Nothing where that cannot be done (no cgroup file system, read-only, not delegated to us: on a
    /// machine that systemd runs, root may only where the unit says so); a debug message says why.
    static std::optional<CpuGroup> make();

    /// Like make(), below a given group.
    static std::optional<CpuGroup> make_below(const CpuGroupParent & parent);

    ~CpuGroup();
    CpuGroup(CpuGroup && other) noexcept;
    CpuGroup & operator=(CpuGroup &&) = delete;
    CpuGroup(const CpuGroup &) = delete;
    CpuGroup & operator=(const CpuGroup &) = delete;

    const std::string & directory() const noexcept { return directory_; }
    /// A process that writes "0" into this file is in the group, and so are its children from then on.
    const std::string & entrance() const noexcept { return entrance_; }
    /// What parse_cpu_use() reads.
    const std::string & use() const noexcept { return use_; }

private:
    explicit CpuGroup(std::string directory, bool unified);

    std::string directory_;
    std::string entrance_;
    std::string use_;
};

}  // namespace bootbudget::common
