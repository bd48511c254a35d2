// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "boot/counter_page.hpp"

#include <cstdint>

namespace bootbudget::counter {

/// Maps the page file shared and readable by others while QEMU runs. On failure says why on stderr in one sentence and returns null.
boot::CounterPage * map_page(const char * path);

/// Sets a CounterFlag; safe from any thread.
void set_flag(boot::CounterPage & page, std::uint32_t flag);

/// Makes the page valid (its magic and RUNNING), after everything else in it.
void announce(boot::CounterPage & page);

/// The last word: ENDED, after the counters.
void end(boot::CounterPage & page);

}  // namespace bootbudget::counter
