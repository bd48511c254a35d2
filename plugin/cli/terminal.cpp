// SPDX-License-Identifier: GPL-2.0-or-later
// What the other end of a descriptor can show. A build log is no terminal: it gets no colours, and plain ASCII unless its locale says UTF-8.
#include "terminal.hpp"

#include <fmt/format.h>
#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <bootbudget/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace bootbudget::cli {

namespace {

std::string_view variable(const char * name) {
    const char * value = std::getenv(name);
    return value != nullptr ? value : "";
}

}  // namespace

ColourWish parse_colour_wish(const std::string & word) {
    if (word == "auto") {
        return ColourWish::AUTO;
    }
    if (word == "always") {
        return ColourWish::ALWAYS;
    }
    if (word == "never") {
        return ColourWish::NEVER;
    }
    throw UserError(fmt::format("--color is \"{}\"; expected auto, always or never.", word));
}

bool is_capable_terminal(int descriptor) {
    return ::isatty(descriptor) == 1 && variable("TERM") != "dumb" && !variable("TERM").empty();
}

int columns_of(int descriptor) {
    winsize size{};
    if (::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
        return std::clamp<int>(size.ws_col, 60, 200);
    }
    return 100;
}

report::TextStyle style_for(int descriptor, ColourWish wish) {
    report::TextStyle style;
    style.colour = wish == ColourWish::ALWAYS ||
                   (wish == ColourWish::AUTO && variable("NO_COLOR").empty() && is_capable_terminal(descriptor));
    style.unicode = std::string_view(::nl_langinfo(CODESET)) == "UTF-8";
    style.width = columns_of(descriptor);
    return style;
}

}  // namespace bootbudget::cli
