// SPDX-License-Identifier: GPL-2.0-or-later
// Text is made safe first (control characters escaped, UTF-8 repaired), then spelled for the style, and only then measured and broken,
// so that a width is always that of what is printed. Colours come last: they have no width.
#include "report/words.hpp"

#include "common/units.hpp"

#include <fmt/color.h>
#include <fmt/format.h>
#include <boost/locale/utf.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace bootbudget::report {

namespace {

namespace utf = boost::locale::utf;

/// Longer strings than this are no text for people; the JSON report has them whole.
constexpr std::size_t MAX_TEXT = 4000;

std::string_view spelled_in_ascii(utf::code_point point) noexcept {
    static constexpr std::array<std::pair<utf::code_point, std::string_view>, 15> SPELLINGS{{
        {0x00A0, " "},
        {0x00B1, "+/-"},
        {0x00D7, "x"},
        {0x2011, "-"},
        {0x2013, "-"},
        {0x2014, "-"},
        {0x2018, "'"},
        {0x2019, "'"},
        {0x201C, "\""},
        {0x201D, "\""},
        {0x2026, "..."},
        {0x2192, "->"},
        {0x2212, "-"},
        {0x2264, "<="},
        {0x2265, ">="},
    }};
    const auto found = std::find_if(
        SPELLINGS.begin(), SPELLINGS.end(), [point](const auto & spelling) { return spelling.first == point; });
    return found == SPELLINGS.end() ? "?" : found->second;
}

/// The length in bytes of the first `count` code points.
std::size_t bytes_of(std::string_view text, std::size_t count) {
    const char * at = text.data();
    const char * const end = at + text.size();
    for (; count > 0 && at != end; --count) {
        utf::utf_traits<char>::decode(at, end);
    }
    return static_cast<std::size_t>(at - text.data());
}

}  // namespace

Tone tone_of(Verdict verdict) noexcept {
    switch (verdict) {
        case Verdict::SKIPPED:
            return Tone::FAINT;
        case Verdict::PASS:
            return Tone::GOOD;
        case Verdict::WARN:
        case Verdict::INCONCLUSIVE:
            return Tone::CAUTION;
        case Verdict::ERROR:
        case Verdict::FAIL:
            return Tone::BAD;
    }
    return Tone::PLAIN;
}

std::size_t columns(std::string_view text) {
    std::size_t count = 0;
    const char * at = text.data();
    const char * const end = at + text.size();
    while (at != end) {
        utf::utf_traits<char>::decode(at, end);
        ++count;
    }
    return count;
}

std::vector<std::string> wrap(std::string_view text, std::size_t width, bool break_words) {
    width = std::max<std::size_t>(width, 1);
    std::vector<std::string> lines(1);
    while (!text.empty()) {
        const std::size_t space = text.find(' ');
        std::string_view word = text.substr(0, space);
        text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
        if (word.empty()) {
            continue;
        }
        const std::size_t used = columns(lines.back());
        if (used > 0 && used + 1 + columns(word) <= width) {
            lines.back().append(" ").append(word);
            continue;
        }
        if (used > 0) {
            lines.emplace_back();
        }
        while (break_words && columns(word) > width) {
            const std::size_t bytes = bytes_of(word, width);
            lines.back() = word.substr(0, bytes);
            lines.emplace_back();
            word.remove_prefix(bytes);
        }
        lines.back() = word;
    }
    return lines;
}

std::string Words::plain(std::string_view text) const {
    std::string safe = common::printable(text, MAX_TEXT);
    if (style_.unicode) {
        return safe;
    }
    std::string ascii;
    const char * at = safe.data();
    const char * const end = at + safe.size();
    while (at != end) {
        const utf::code_point point = utf::utf_traits<char>::decode(at, end);
        if (point < 0x80) {
            ascii += static_cast<char>(point);
        } else {
            ascii += spelled_in_ascii(point);
        }
    }
    return ascii;
}

std::string Words::cut(std::string_view text, std::size_t width) const {
    std::string whole = plain(text);
    if (columns(whole) <= width) {
        return whole;
    }
    const std::string ellipsis = style_.unicode ? "…" : "...";
    const std::size_t room = width > columns(ellipsis) ? width - columns(ellipsis) : 0;
    return whole.substr(0, bytes_of(whole, room)) + ellipsis;
}

std::string Words::paint(std::string_view plain_text, Tone tone) const {
    if (!style_.colour || plain_text.empty()) {
        return std::string(plain_text);
    }
    switch (tone) {
        case Tone::PLAIN:
            break;
        case Tone::STRONG:
            return fmt::format(fmt::emphasis::bold, "{}", plain_text);
        case Tone::GOOD:
            return fmt::format(fmt::fg(fmt::terminal_color::green), "{}", plain_text);
        case Tone::CAUTION:
            return fmt::format(fmt::fg(fmt::terminal_color::yellow), "{}", plain_text);
        case Tone::BAD:
            return fmt::format(fmt::emphasis::bold | fmt::fg(fmt::terminal_color::red), "{}", plain_text);
        case Tone::FAINT:
            return fmt::format(fmt::emphasis::faint, "{}", plain_text);
    }
    return std::string(plain_text);
}

std::string Words::paragraph(std::string_view first, std::string_view text) const {
    const std::size_t indent = columns(first);
    const auto width = static_cast<std::size_t>(std::max(style_.width, 20));
    const std::size_t room = width > indent + 10 ? width - indent : 10;
    std::string result;
    for (const std::string & line : wrap(plain(text), room, false)) {
        result += result.empty() ? std::string(first) : std::string(indent, ' ');
        result += line;
        result.erase(result.find_last_not_of(' ') + 1);
        result += '\n';
    }
    return result;
}

}  // namespace bootbudget::report
