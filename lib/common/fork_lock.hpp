// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <mutex>

namespace bootbudget::common {

/// Held by run() while it forks, and to be held while a program is written that is to be executed: a process forked meanwhile has the program open for
/// writing for as long as it lives, and nobody can execute it then (ETXTBSY, execve(2)).
std::unique_lock<std::mutex> fork_lock();

}  // namespace bootbudget::common
