// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "boot/boot.hpp"
#include "boot/console.hpp"
#include "boot/instructions.hpp"
#include "boot/outcome.hpp"
#include "common/process.hpp"

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

namespace bootbudget::boot {

/// The part of boot_environment() that is the same for every boot of every run.
std::map<std::string, std::string> fixed_environment();

/// libguestfs-test-tool in the directories of `search_path` (PATH). SystemError with the command that installs it if it is in none.
std::filesystem::path find_test_tool(const std::string & search_path);

/// What a watched run came to.
struct Watched {
    Reading reading;
    Attempt attempt;                  ///< without `expected_release`
    double ended_at = 0;              ///< when the run was ended, by us or by itself, seconds after its start
    BoundaryCounts arrived;           ///< the counter as the lines arrived, in a counted run
    std::optional<double> run_queue;  ///< RunQueue::mean() of the run
};

/// Runs a command, writes what it prints to `log`, reads it as a console, and ends it at a limit: `settings.timeout`, `settings.stall`, or two
/// seconds after a kernel panic (its call trace comes within them). `count` tells how many instructions the guest has executed so far; it is called
/// when output arrives, before anything else is done with that. Without it nothing is counted.
Watched watch_console(
    const common::Command & command,
    const Settings & settings,
    const std::filesystem::path & log,
    const std::function<void(Phase)> & on_phase,
    std::stop_token stop,
    const std::function<double()> & count = {});

/// The sample without index, mode, warm-up, log, noise and instructions. Metrics that were not reached are absent.
Sample sample_of(const Watched & watched, const std::string & expected_release);

/// What a counted run's counter came to, added to its sample. A sample that would be valid but has no count of its launch becomes qemu_failed.
void count_sample(
    Sample & sample, const BoundaryCounts & arrived, std::string_view exact_lines, const CounterPage & page);

}  // namespace bootbudget::boot
