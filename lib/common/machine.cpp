// SPDX-License-Identifier: GPL-2.0-or-later
// Kernels are booted under their own architecture's QEMU on a host of the same architecture, so uname(2)'s word is the one to compare with.
// Compilers are started for the processors that this process may use, not for those that a container hides from it.
#include "common/machine.hpp"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace bootbudget::common {

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

}  // namespace bootbudget::common
