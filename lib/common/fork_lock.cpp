// SPDX-License-Identifier: GPL-2.0-or-later
// One lock a process: descriptors are the process's, too.
#include "common/fork_lock.hpp"

namespace bootbudget::common {

std::unique_lock<std::mutex> fork_lock() {
    static std::mutex mutex;
    return std::unique_lock(mutex);
}

}  // namespace bootbudget::common
