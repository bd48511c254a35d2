// SPDX-License-Identifier: GPL-2.0-or-later
// Numbers with units, in and out, and text made fit to be shown. Nothing here depends on the locale: a policy means the same on every builder.
#include "common/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ctime>

namespace bootbudget::common {

namespace {

struct Suffix {
    std::string_view text;
    double factor;
    Unit unit;
};

constexpr double KIB = 1024;
constexpr double MIB = 1024 * KIB;
constexpr double GIB = 1024 * MIB;

constexpr std::array<Suffix, 11> SUFFIXES{{
    {"s", 1, Unit::SECONDS},
    {"ms", 1e-3, Unit::SECONDS},
    {"m", 60, Unit::SECONDS},
    {"h", 3600, Unit::SECONDS},
    {"KiB", KIB, Unit::BYTES},
    {"MiB", MIB, Unit::BYTES},
    {"GiB", GIB, Unit::BYTES},
    {"k", 1e3, Unit::COUNT},
    {"M", 1e6, Unit::COUNT},
    {"G", 1e9, Unit::COUNT},
    {"x", 1, Unit::RATIO},
}};

/// Beyond these a number is a slip of the keyboard: thirty years, an exbibyte, 10^18 instructions, a million times slower.
double largest(Unit unit) {
    switch (unit) {
        case Unit::SECONDS:
            return 1e9;
        case Unit::BYTES:
            return GIB * GIB;
        case Unit::COUNT:
            return 1e18;
        case Unit::RATIO:
            return 1e6;
    }
    return 0;
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Takes "12" or "12.5" off the front of `text`; std::from_chars alone would also take ".5", "5." and "inf".
std::optional<double> take_number(std::string_view & text) {
    std::size_t size = 0;
    const auto digits = [&] {
        const std::size_t begin = size;
        while (size < text.size() && is_digit(text[size])) {
            ++size;
        }
        return size > begin;
    };
    if (!digits()) {
        return std::nullopt;
    }
    if (size < text.size() && text[size] == '.') {
        ++size;
        if (!digits()) {
            return std::nullopt;
        }
    }
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + size, value, std::chars_format::fixed);
    if (error != std::errc{} || end != text.data() + size || !std::isfinite(value)) {
        return std::nullopt;
    }
    text.remove_prefix(size);
    return value;
}

void skip_spaces(std::string_view & text) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
}

/// `digits` significant digits without an exponent; zeros at the end of a fraction are left out.
std::string significant(double value, int digits) {
    const double magnitude = std::fabs(value);
    int decimals = 0;
    if (magnitude > 0) {
        decimals = std::clamp(digits - 1 - static_cast<int>(std::floor(std::log10(magnitude))), 0, 9);
    }
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (decimals > 0) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.') {
            text.pop_back();
        }
    }
    return text == "-0" ? "0" : text;
}

std::string format_seconds(double value) {
    const double magnitude = std::fabs(value);
    if (magnitude >= 7200) {
        return significant(value / 3600, 3) + " h";
    }
    if (magnitude >= 120) {
        return significant(value / 60, 3) + " min";
    }
    if (magnitude >= 0.1 || magnitude == 0) {
        return significant(value, 3) + " s";
    }
    return significant(value * 1e3, 3) + " ms";
}

std::string format_bytes(double value) {
    const double magnitude = std::fabs(value);
    if (magnitude >= GIB) {
        return significant(value / GIB, 3) + " GiB";
    }
    if (magnitude >= MIB) {
        return significant(value / MIB, 3) + " MiB";
    }
    if (magnitude >= KIB) {
        return significant(value / KIB, 3) + " KiB";
    }
    return significant(value, 3) + " B";
}

std::string format_count(double value) {
    const double magnitude = std::fabs(value);
    if (magnitude >= 1e9) {
        return significant(value / 1e9, 4) + " G";
    }
    if (magnitude >= 1e6) {
        return significant(value / 1e6, 4) + " M";
    }
    if (magnitude >= 1e4) {
        return significant(value / 1e3, 4) + " k";
    }
    return significant(value, 4);
}

unsigned byte_at(std::string_view text, std::size_t position) {
    return static_cast<unsigned char>(text[position]);
}

/// The length of the well-formed UTF-8 sequence at the front (The Unicode Standard, table 3-7), 0 if there is none; `code_point` is set.
std::size_t sequence(std::string_view text, char32_t & code_point) {
    const unsigned first = byte_at(text, 0);
    if (first < 0x80) {
        code_point = first;
        return 1;
    }
    const std::size_t size = first >= 0xC2 && first <= 0xDF   ? 2
                             : first >= 0xE0 && first <= 0xEF ? 3
                             : first >= 0xF0 && first <= 0xF4 ? 4
                                                              : 0;
    if (size == 0 || text.size() < size) {
        return 0;
    }
    code_point = first & (0x7FU >> size);
    for (std::size_t i = 1; i < size; ++i) {
        const unsigned byte = byte_at(text, i);
        if ((byte & 0xC0U) != 0x80) {
            return 0;
        }
        code_point = (code_point << 6U) | (byte & 0x3FU);
    }
    const bool overlong = (size == 3 && code_point < 0x800) || (size == 4 && code_point < 0x10000);
    const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
    return overlong || surrogate || code_point > 0x10FFFF ? 0 : size;
}

/// Whether a code point may reach a terminal and an XML document as it is: no C0 and C1 controls, none of the line separators and
/// bidirectional controls that make text look like other text, no noncharacters (XML 1.0, 2.2).
bool is_harmless(char32_t c) {
    const bool control = c < 0x20 || (c >= 0x7F && c <= 0x9F);
    const bool reorders =
        c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || c == 0xFEFF;
    const bool noncharacter = (c & 0xFFFEU) == 0xFFFE || (c >= 0xFDD0 && c <= 0xFDEF);
    return !control && !reorders && !noncharacter;
}

}  // namespace

std::optional<Quantity> parse_quantity(std::string_view text) {
    const std::optional<double> number = take_number(text);
    if (!number) {
        return std::nullopt;
    }
    skip_spaces(text);
    const auto * const suffix = std::find_if(
        SUFFIXES.begin(), SUFFIXES.end(), [&](const Suffix & candidate) { return candidate.text == text; });
    if (suffix == SUFFIXES.end()) {
        return std::nullopt;
    }
    const Quantity quantity{*number * suffix->factor, suffix->unit};
    return quantity.value <= largest(quantity.unit) ? std::optional(quantity) : std::nullopt;
}

std::optional<double> parse_percentage(std::string_view text) {
    const std::optional<double> number = take_number(text);
    if (!number) {
        return std::nullopt;
    }
    skip_spaces(text);
    if (text != "%" || *number <= 0 || *number >= 100) {
        return std::nullopt;
    }
    return *number / 100;
}

std::string format_quantity(const Quantity & quantity) {
    switch (quantity.unit) {
        case Unit::SECONDS:
            return format_seconds(quantity.value);
        case Unit::BYTES:
            return format_bytes(quantity.value);
        case Unit::COUNT:
            return format_count(quantity.value);
        case Unit::RATIO:
            return significant(quantity.value, 3) + "x";
    }
    return significant(quantity.value, 4);
}

std::string printable(std::string_view bytes, std::size_t max_bytes) {
    std::string text;
    while (!bytes.empty()) {
        char32_t code_point = 0;
        const std::size_t length = sequence(bytes, code_point);
        std::string piece;
        if (length > 0 && is_harmless(code_point)) {
            piece = bytes.substr(0, length);
        } else {
            for (std::size_t i = 0; i < std::max<std::size_t>(length, 1); ++i) {
                piece += fmt::format("\\x{:02X}", byte_at(bytes, i));
            }
        }
        if (text.size() + piece.size() > max_bytes) {
            return text + "…";
        }
        text += piece;
        bytes.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return text;
}

std::string utc_now() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    gmtime_r(&now, &parts);
    return fmt::format(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z",
        parts.tm_year + 1900,
        parts.tm_mon + 1,
        parts.tm_mday,
        parts.tm_hour,
        parts.tm_min,
        parts.tm_sec);
}

}  // namespace bootbudget::common
