// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>

namespace bootbudget::common {

/// This machine's architecture as uname(2) names it: "x86_64", "aarch64", …
std::string machine_arch();

/// The processors that this process may use, as nproc(1) counts them: those of its affinity (sched_getaffinity(2)), which containers and
/// taskset(1) narrow, not those of the machine. At least 1.
int processors();

/// The processors of the whole machine that are online, whoever may use them. At least 1.
int online_processors();

}  // namespace bootbudget::common
