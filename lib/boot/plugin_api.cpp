// SPDX-License-Identifier: GPL-2.0-or-later
// A probe ends in one of two ways: the counter was called and printed both limits, or QEMU refused the version it claims and named the limit that it
// is beyond. The counter's sentence is believed first; QEMU's words are the same from 5.0 to 11.1.
#include "boot/plugin_api.hpp"

#include <algorithm>
#include <charconv>

namespace bootbudget::boot {
namespace {

constexpr int OLDEST_KNOWN = 1;
constexpr int NEWEST_KNOWN = 7;

/// The number that follows `words`, both on one line; nothing if there is none or it is not a version (0 to 9999).
std::optional<int> number_after(std::string_view text, std::string_view words) {
    const std::size_t at = text.find(words);
    if (at == std::string_view::npos) {
        return std::nullopt;
    }
    const std::string_view digits = text.substr(at + words.size(), 5);
    int number = -1;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc{} || number < 0 || number > 9999) {
        return std::nullopt;
    }
    return number;
}

}  // namespace

std::optional<PluginApi> plugin_api_in(std::string_view qemu_output) {
    const auto min = number_after(qemu_output, "bootbudget-counter: plugin API from ");
    const auto current = number_after(qemu_output, "bootbudget-counter: plugin API up to ");
    if (min && current) {
        return PluginApi{*min, *current};
    }
    if (const auto newest = number_after(qemu_output, "but this QEMU supports only up to version ")) {
        return PluginApi{*newest, *newest};
    }
    if (const auto oldest = number_after(qemu_output, "but this QEMU supports only a minimum version of ")) {
        return PluginApi{*oldest, *oldest};
    }
    return std::nullopt;
}

bool knows(PluginApi api) {
    return api.min <= api.current && api.min <= NEWEST_KNOWN && api.current >= OLDEST_KNOWN;
}

int claimed_version(PluginApi api) {
    return std::min(api.current, NEWEST_KNOWN);
}

}  // namespace bootbudget::boot
