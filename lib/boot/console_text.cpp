// SPDX-License-Identifier: GPL-2.0-or-later
// The firmware clears the screen in front of the kernel's first line, systemd colours its warnings, and libguestfs spells escapes it
// does not trust. All of it goes away here once, so that the rest of the room compares plain text.
#include "boot/console_text.hpp"

#include <charconv>

namespace bootbudget::boot {

namespace {

constexpr char ESCAPE = '\x1b';

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Where the sequence ends whose ESC stands before `at`. An unfinished sequence ends with the line.
std::size_t end_of_sequence(std::string_view line, std::size_t at) {
    if (at >= line.size()) {
        return at;
    }
    if (line[at] != '[') {
        return at + 1;  // ESC c and other sequences of two characters
    }
    ++at;
    while (at < line.size() && line[at] >= 0x20 && line[at] <= 0x3f) {
        ++at;  // parameters and intermediates
    }
    return at < line.size() && line[at] >= 0x40 && line[at] <= 0x7e ? at + 1 : at;
}

/// The end of "[<blanks><digits>.<6 digits>]" at `at`, or npos; the number is stored.
std::size_t end_of_time(std::string_view text, std::size_t at, double & seconds) {
    std::size_t digit = at + 1;
    while (digit < text.size() && text[digit] == ' ' && digit - at < 12) {
        ++digit;
    }
    const auto number = digit;
    while (digit < text.size() && is_digit(text[digit]) && digit - number < 12) {
        ++digit;
    }
    if (digit == number || digit >= text.size() || text[digit] != '.') {
        return std::string_view::npos;
    }
    const auto fraction = ++digit;
    while (digit < text.size() && is_digit(text[digit]) && digit - fraction < 6) {
        ++digit;
    }
    if (digit - fraction != 6 || digit >= text.size() || text[digit] != ']') {
        return std::string_view::npos;
    }
    const auto parsed = std::from_chars(text.data() + number, text.data() + digit, seconds);
    return parsed.ec == std::errc() ? digit + 1 : std::string_view::npos;
}

/// The end of "[<blanks>T<digits>]" (a task) or "[<blanks>C<digits>]" (a CPU) at `at`, else `at`.
std::size_t end_of_caller(std::string_view text, std::size_t at) {
    if (at >= text.size() || text[at] != '[') {
        return at;
    }
    std::size_t i = at + 1;
    while (i < text.size() && text[i] == ' ') {
        ++i;
    }
    if (i >= text.size() || (text[i] != 'T' && text[i] != 'C')) {
        return at;
    }
    const auto number = ++i;
    while (i < text.size() && is_digit(text[i])) {
        ++i;
    }
    return i > number && i < text.size() && text[i] == ']' ? i + 1 : at;
}

}  // namespace

std::string clean_text(std::string_view line) {
    std::string text;
    text.reserve(line.size());
    for (std::size_t i = 0; i < line.size();) {
        const auto rest = line.substr(i);
        if (line[i] == ESCAPE) {
            i = end_of_sequence(line, i + 1);
        } else if (rest.starts_with("\\x1b")) {
            i = end_of_sequence(line, i + 4);
        } else if (rest.starts_with("\\t") || line[i] == '\t') {
            text += ' ';
            i += line[i] == '\t' ? 1 : 2;
        } else if (rest == "\\r" || rest == "\\r\\n") {
            break;
        } else {
            if (static_cast<unsigned char>(line[i]) >= 0x20 && line[i] != 0x7f) {
                text += line[i];
            }
            ++i;
        }
    }
    return text;
}

std::optional<Stamp> find_stamp(std::string_view text) {
    for (auto at = text.find('['); at != std::string_view::npos; at = text.find('[', at + 1)) {
        Stamp stamp;
        const auto end = end_of_time(text, at, stamp.seconds);
        if (end == std::string_view::npos) {
            continue;
        }
        stamp.begin = at;
        stamp.message = end_of_caller(text, end);
        if (stamp.message < text.size() && text[stamp.message] == ' ') {
            ++stamp.message;
        }
        return stamp;
    }
    return std::nullopt;
}

bool lost_characters(std::string_view damaged, std::string_view whole) {
    if (damaged.empty() || damaged.size() >= whole.size()) {
        return false;
    }
    std::size_t found = 0;
    for (const char c : whole) {
        if (found < damaged.size() && damaged[found] == c) {
            ++found;
        }
    }
    return found == damaged.size();
}

std::string_view word_at(std::string_view text, std::size_t begin) {
    const auto word = text.substr(begin < text.size() ? begin : text.size());
    return word.substr(0, word.find(' '));
}

}  // namespace bootbudget::boot
