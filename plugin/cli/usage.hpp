// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace bootbudget::cli {

/// The end of every subcommand's help: the options that belong to the command as a whole, which CLI11 lists in its own help only.
inline const std::string COMMON_OPTIONS = "\n\nOptions of every command: -q, -v, --color WHEN (bootbudget --help).";

/// What is wrong with the arguments that `app` has just refused with `error`, as one sentence or two: a misspelt command or option is named with the
/// nearest one that exists, whatever CLI11 noticed first.
std::string usage_mistake(CLI::App & app, const CLI::ParseError & error);

}  // namespace bootbudget::cli
