// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "boot/console.hpp"
#include "common/process.hpp"

#include <bootbudget/sample.hpp>

#include <optional>
#include <string>

namespace bootbudget::boot {

/// Why we ended the tool ourselves, if we did.
enum class Intervention { NONE, TIMEOUT, STALL, PANIC };

/// One run of the test tool, seen from outside.
struct Attempt {
    std::string expected_release;
    common::ProcessEnd end;
    Intervention intervention = Intervention::NONE;
    double timeout_seconds = 0;  ///< the limits that the run had
    double stall_seconds = 0;
    double silence_seconds = 0;                ///< how long the console had been silent when we ended it for that
    std::optional<double> silent_cpu_seconds;  ///< QEMU's CPU time within that silence, if it could be seen
};

struct Decision {
    Outcome outcome = Outcome::TOOL_FAILED;
    std::string detail;  ///< one sentence with the decisive line; empty for OK
};

/// What a run came to. The kernel that really ran is looked at first, then panics, then why it ended; OK needs all of: the tool's exit
/// status 0, its own "TEST FINISHED OK", and the guest's word that it is the expected release.
Decision decide_outcome(const Reading & reading, const Attempt & attempt);

}  // namespace bootbudget::boot
