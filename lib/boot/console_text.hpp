// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace bootbudget::boot {

/// Without terminal escape sequences (as bytes and as libguestfs spells them, "\x1b[2J"; ECMA-48), without other control
/// characters; tabs, also spelled "\t", become spaces. Other bytes stay as they are.
std::string clean_text(std::string_view line);

/// A printk time stamp within a line.
struct Stamp {
    double seconds = 0;       ///< since the kernel's start
    std::size_t begin = 0;    ///< where it begins
    std::size_t message = 0;  ///< where the message after it begins
};

/// The first "[    1.234567] " of the line, with the "[    T1] " of CONFIG_PRINTK_CALLER skipped. Other writers' text may
/// stand before it. Format: print_time() and print_caller() in Linux' kernel/printk/printk.c.
std::optional<Stamp> find_stamp(std::string_view text);

/// True if `damaged` is `whole` with one or more characters missing.
bool lost_characters(std::string_view damaged, std::string_view whole);

/// The text from `begin` up to the first blank.
std::string_view word_at(std::string_view text, std::size_t begin);

}  // namespace bootbudget::boot
