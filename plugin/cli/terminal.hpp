// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "report/writers.hpp"

#include <string>

namespace bootbudget::cli {

/// --color: auto asks the terminal and NO_COLOR (https://no-color.org).
enum class ColourWish { AUTO, ALWAYS, NEVER };

/// UserError that lists the three words if `word` is none of them.
ColourWish parse_colour_wish(const std::string & word);

/// Whether `descriptor` is a terminal that understands escapes.
bool is_capable_terminal(int descriptor);

/// How text for `descriptor` should look: colours, UTF-8 by the locale, the terminal's width (100 columns where there is no terminal).
report::TextStyle style_for(int descriptor, ColourWish wish);

/// Columns of the terminal at `descriptor`, or 100.
int columns_of(int descriptor);

}  // namespace bootbudget::cli
