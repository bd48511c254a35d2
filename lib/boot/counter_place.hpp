// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace bootbudget::boot {

inline constexpr const char * COUNTER_FILE = "bootbudget-counter.so";

/// Names the counter to use instead of the installed one.
inline constexpr const char * COUNTER_VARIABLE = "BOOTBUDGET_COUNTER";

/// Where the counter is, or why it is nowhere.
struct CounterPlace {
    std::filesystem::path path;  ///< absolute; empty if there is none
    std::string missing;         ///< then: half a sentence with the next step
};

/// The files that could be the counter of a program `executable`, best first: in a build tree plugin/qemu/ below one of the four directories above
/// it; beside an installed one ../lib*/bootbudget/ and Debian's ../lib/TRIPLET/bootbudget/; then where it was configured to be installed.
std::vector<std::filesystem::path> counter_candidates(const std::filesystem::path & executable);

/// The first of $BOOTBUDGET_COUNTER (if it is set nothing else is looked at) and counter_candidates() of the running program that is there.
CounterPlace find_counter();

/// Copies the counter into a directory, readable for all; returns the copy's path. SystemError.
std::filesystem::path copy_counter(const std::filesystem::path & counter, const std::filesystem::path & directory);

/// A value for one of QEMU's options that are separated by commas: a comma within it is written twice (qemu(1)).
std::string doubled_commas(const std::string & value);

}  // namespace bootbudget::boot
