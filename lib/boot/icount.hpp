// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>

namespace bootbudget::boot {

/// Counted boots run under QEMU's -icount, which ties the guest's clock to its instructions: each takes 2^ICOUNT_SHIFT ns of guest time. The larger
/// the shift, the fewer instructions go into loops that wait for the clock and the less CPU time a boot takes, but the more timer ticks fall into it. Beside a load that
/// starves QEMU, counts held stillest at 0 (tests/bench/icount-shift, docs/measurement.md); and a guest second is then 10⁹ instructions, near what TCG
/// does in a real one, so that the guest's timeouts see about the machine they were written for. Counts of different shifts do not compare, therefore it is part of the fingerprint.
inline constexpr int ICOUNT_SHIFT = 0;

/// The value of -icount. With sleep=on an idle guest waits in real time for its next timer, as without icount; with sleep=off its clock would jump there at
/// once and run far ahead of the host's, which its timeouts for the host's answers do not survive.
inline std::string icount_option() {
    return "shift=" + std::to_string(ICOUNT_SHIFT) + ",sleep=on";
}

}  // namespace bootbudget::boot
