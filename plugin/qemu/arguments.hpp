// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "boot/counter_page.hpp"

#include <cstdint>

namespace bootbudget::counter {

/// The plugin's arguments as lib/boot/counter_page.hpp fixes them. The strings are QEMU's and live as long as the plugin.
struct Arguments {
    const char * page = nullptr;
    const char * lines = nullptr;                        ///< null: not wanted
    std::uint64_t ram = 0;                               ///< bytes
    std::uint64_t marks[boot::CounterPage::MARKS] = {};  ///< virtual addresses; 0: not wanted
};

/// Reads them. On a mistake says it on stderr in one sentence and returns false.
bool read_arguments(int argc, char ** argv, Arguments & arguments);

}  // namespace bootbudget::counter
