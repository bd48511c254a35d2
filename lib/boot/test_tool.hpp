// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "boot/boot.hpp"
#include "boot/console.hpp"
#include "boot/outcome.hpp"
#include "common/process.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <stop_token>
#include <string>

namespace bootbudget::boot {

/// The part of boot_environment() that is the same for every boot of every run.
std::map<std::string, std::string> fixed_environment();

/// libguestfs-test-tool in the directories of `search_path` (PATH). SystemError with the command that installs it if it is in none.
std::filesystem::path find_test_tool(const std::string & search_path);

/// What a watched run came to.
struct Watched {
    Reading reading;
    Attempt attempt;      ///< without `expected_release`
    double ended_at = 0;  ///< when the run was ended, by us or by itself, seconds after its start
};

/// Runs a command, writes what it prints to `log`, reads it as a console, and ends it at a limit: `settings.timeout`, `settings.stall`, or two
/// seconds after a kernel panic (its call trace comes within them).
Watched watch_console(
    const common::Command & command,
    const Settings & settings,
    const std::filesystem::path & log,
    const std::function<void(Phase)> & on_phase,
    std::stop_token stop);

/// The sample without index, warm-up, log and noise. Metrics that were not reached are absent.
Sample sample_of(const Watched & watched, const std::string & expected_release);

}  // namespace bootbudget::boot
