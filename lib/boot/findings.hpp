// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "boot/console_text.hpp"

#include <bootbudget/sample.hpp>

#include <optional>
#include <string_view>
#include <vector>

namespace bootbudget::boot {

inline constexpr std::size_t MAX_FINDINGS = 100;

/// What a line of a running guest reports, if anything. `text` is clean, `stamp` what find_stamp() says of it. Only the first line
/// of a report counts. A hard or workqueue lockup counts as soft_lockup, an oops and reports of the other sanitizers (KFENCE, UBSAN, …) as
/// kernel_warning: the list of kinds has no nearer ones.
std::optional<FindingKind> finding_in(std::string_view text, const std::optional<Stamp> & stamp);

/// True for a report after which lockdep checks nothing any more (debug_locks_off(), Linux' lib/debug_locks.c).
bool turns_lockdep_off(std::string_view text);

/// Adds a finding unless the same text, numbers and addresses aside, is there already or the list is full.
void add_finding(std::vector<Finding> & findings, FindingKind kind, std::string_view text, int line_number);

}  // namespace bootbudget::boot
