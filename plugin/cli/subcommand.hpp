// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "terminal.hpp"

#include <CLI/CLI.hpp>

#include <cstddef>
#include <filesystem>
#include <stop_token>
#include <string>

namespace bootbudget::cli {

/// What every subcommand can ask for.
struct Surroundings {
    std::stop_token stop;
    ColourWish colour = ColourWish::AUTO;
    bool quiet = false;
    int exit_status = 0;  ///< set by the subcommand that ran
};

/// Each adds its subcommand to `app`; the callback runs it and sets `surroundings.exit_status`.
void add_check(CLI::App & app, Surroundings & surroundings);
void add_build(CLI::App & app, Surroundings & surroundings);
void add_report(CLI::App & app, Surroundings & surroundings);
void add_policy(CLI::App & app, Surroundings & surroundings);
void add_doctor(CLI::App & app, Surroundings & surroundings);

/// Writes to standard output; SystemError if that fails (a full disk behind a redirection), nothing if the reader has gone away.
void print(const std::string & text);

/// A policy as the user names it: the bare name of a ready one ("developer"), else a file. UserError that lists the ready ones.
std::string find_policy(const std::string & wish);

/// No report is larger.
inline constexpr std::size_t MAX_REPORT_BYTES = std::size_t{64} << 20U;

/// The report's file that `wish` names, itself or as its directory. What cannot be looked at for lack of permission is left to the reading, which says so.
/// UserError if there is none.
std::filesystem::path find_report(const std::string & wish);

}  // namespace bootbudget::cli
