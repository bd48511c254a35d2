// SPDX-License-Identifier: GPL-2.0-or-later
// Kernels are booted under their own architecture's QEMU on a host of the same architecture, so uname(2)'s word is the one to compare with.
// Compilers are started for the processors that this process may use, not for those that a container hides from it.
#include "common/machine.hpp"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

namespace bootbudget::common {

namespace {

/// The number in a file of a control group; "max" and no file at all are none.
std::optional<std::uint64_t> number_in(const std::filesystem::path & path) {
    std::ifstream file(path);
    std::uint64_t number = 0;
    return file >> number ? std::optional(number) : std::nullopt;
}

/// The least that a control group of version 2 above this process leaves of its limit.
std::optional<std::uint64_t> memory_left_by_groups() {
    std::ifstream groups("/proc/self/cgroup");
    std::filesystem::path group;
    for (std::string line; std::getline(groups, line);) {
        constexpr std::string_view UNIFIED = "0::/";
        if (line.starts_with(UNIFIED)) {
            group = line.substr(UNIFIED.size());
        }
    }
    const std::filesystem::path top = "/sys/fs/cgroup";
    std::optional<std::uint64_t> least;
    for (;; group = group.parent_path()) {
        const auto limit = number_in(top / group / "memory.max");
        const auto used = number_in(top / group / "memory.current");
        if (limit && used) {
            const std::uint64_t left = *limit > *used ? *limit - *used : 0;
            least = std::min(left, least.value_or(left));
        }
        if (group.empty()) {
            return least;
        }
    }
}

}  // namespace

std::string machine_arch() {
    utsname names{};
    ::uname(&names);
    return names.machine;
}

int processors() {
    // A machine may have more processors than cpu_set_t has bits; the kernel then answers EINVAL until the set is large enough.
    constexpr int LARGEST_SET = 1 << 20;
    for (int bits = CPU_SETSIZE; bits <= LARGEST_SET; bits *= 2) {
        cpu_set_t * const set = CPU_ALLOC(static_cast<std::size_t>(bits));
        if (set == nullptr) {
            break;
        }
        const std::size_t bytes = CPU_ALLOC_SIZE(static_cast<std::size_t>(bits));
        CPU_ZERO_S(bytes, set);
        const bool known = ::sched_getaffinity(0, bytes, set) == 0;
        const bool too_small = !known && errno == EINVAL;
        const int count = known ? CPU_COUNT_S(bytes, set) : 0;
        CPU_FREE(set);
        if (known) {
            return std::max(1, count);
        }
        if (!too_small) {
            break;
        }
    }
    return online_processors();
}

int online_processors() {
    return std::max(1, static_cast<int>(::sysconf(_SC_NPROCESSORS_ONLN)));
}

std::optional<std::uint64_t> available_memory() {
    std::optional<std::uint64_t> available;
    std::ifstream memory("/proc/meminfo");
    for (std::string line; std::getline(memory, line);) {
        constexpr std::string_view KEY = "MemAvailable:";
        if (line.starts_with(KEY)) {
            available = std::strtoull(line.c_str() + KEY.size(), nullptr, 10) * 1024;
        }
    }
    if (const auto left = memory_left_by_groups(); available && left) {
        return std::min(*available, *left);
    }
    return available;
}

}  // namespace bootbudget::common
