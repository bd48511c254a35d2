// SPDX-License-Identifier: GPL-2.0-or-later
#include "arguments.hpp"

#include <charconv>
#include <cstdio>
#include <cstring>

namespace bootbudget::counter {
namespace {

/// What follows "name=" in an argument, or null.
const char * value_of(const char * argument, const char * name) {
    const std::size_t length = std::strlen(name);
    return std::strncmp(argument, name, length) == 0 && argument[length] == '=' ? argument + length + 1 : nullptr;
}

/// "ffffffff81000000:0:…", at most as many as there are marks.
bool read_marks(const char * text, std::uint64_t (&marks)[boot::CounterPage::MARKS]) {
    const char * const end = text + std::strlen(text);
    for (std::uint64_t & mark : marks) {
        const auto [stop, error] = std::from_chars(text, end, mark, 16);
        if (error != std::errc{}) {
            return false;
        }
        if (stop == end) {
            return true;
        }
        if (*stop != ':') {
            return false;
        }
        text = stop + 1;
    }
    return false;
}

}  // namespace

bool read_arguments(int argc, char ** argv, Arguments & arguments) {
    for (int index = 0; index < argc; ++index) {
        if (const char * page = value_of(argv[index], "page")) {
            arguments.page = page;
        } else if (const char * lines = value_of(argv[index], "lines")) {
            arguments.lines = lines;
        } else if (const char * marks = value_of(argv[index], "marks")) {
            if (!read_marks(marks, arguments.marks)) {
                std::fprintf(
                    stderr,
                    "bootbudget-counter: marks=%s is no list of up to %zu hexadecimal addresses with colons between "
                    "them.\n",
                    marks,
                    boot::CounterPage::MARKS);
                return false;
            }
        } else if (const char * ram = value_of(argv[index], "ram")) {
            const auto [end, error] = std::from_chars(ram, ram + std::strlen(ram), arguments.ram);
            if (error != std::errc{} || *end != '\0' || arguments.ram == 0) {
                std::fprintf(
                    stderr,
                    "bootbudget-counter: ram=%s is not a size; give the guest's memory in bytes, as in "
                    "ram=1342177280.\n",
                    ram);
                return false;
            }
        } else {
            std::fprintf(
                stderr,
                "bootbudget-counter: the argument \"%s\" is not known; there are page=FILE, ram=BYTES, "
                "lines=FILE and marks=ADDRESS:….\n",
                argv[index]);
            return false;
        }
    }
    if (!arguments.page || arguments.ram == 0) {
        std::fputs(
            "bootbudget-counter: the arguments page=FILE (where to count) and ram=BYTES (the guest's memory) are "
            "needed.\n",
            stderr);
        return false;
    }
    return true;
}

}  // namespace bootbudget::counter
