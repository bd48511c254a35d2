// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace bootbudget::common {

/// This machine's architecture as uname(2) names it: "x86_64", "aarch64", …
std::string machine_arch();

/// The processors that this process may use, as nproc(1) counts them: those of its affinity (sched_getaffinity(2)), which containers and
/// taskset(1) narrow, not those of the machine. At least 1.
int processors();

/// The processors of the whole machine that are online, whoever may use them. At least 1.
int online_processors();

/// Bytes that can be used without swapping: MemAvailable of proc_meminfo(5), or what this process's control groups leave if that is less (memory.max less
/// memory.current, Documentation/admin-guide/cgroup-v2.rst). Nothing where /proc/meminfo cannot be read.
std::optional<std::uint64_t> available_memory();

}  // namespace bootbudget::common
