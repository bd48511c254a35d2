// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>

namespace bootbudget::boot {

/// Counted boots run under QEMU's -icount, which ties the guest's clock to its instructions: each takes 2^ICOUNT_SHIFT ns of guest time. At 0 a guest
/// second is 10⁹ instructions, near what TCG does in a real one, so that the guest's timeouts and polling loops see about the machine they were written for.
/// Counts of different shifts do not compare, therefore it is part of the fingerprint.
inline constexpr int ICOUNT_SHIFT = 0;

/// The value of -icount. With sleep=on an idle guest waits in real time for its next timer, as without icount; with sleep=off its clock would jump there at
/// once and run far ahead of the host's, which its timeouts for the host's answers do not survive.
inline std::string icount_option() {
    return "shift=" + std::to_string(ICOUNT_SHIFT) + ",sleep=on";
}

}  // namespace bootbudget::boot
