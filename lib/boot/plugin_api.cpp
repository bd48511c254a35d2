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

/// Takes a version (0 to 9999) off the front of `text`; nothing if there is none.
std::optional<int> take_version(std::string_view & text) {
    int number = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || number < 0 || number > 9999) {
        return std::nullopt;
    }
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

/// What follows `words`, or nothing.
std::optional<std::string_view> after(std::string_view text, std::string_view words) {
    const std::size_t at = text.find(words);
    return at == std::string_view::npos ? std::nullopt : std::optional(text.substr(at + words.size()));
}

}  // namespace

std::optional<PluginApi> plugin_api_in(std::string_view qemu_output) {
    if (auto rest = after(qemu_output, "bootbudget-counter: this QEMU has plugin API ")) {
        constexpr std::string_view TO = " to ";
        const auto min = take_version(*rest);
        if (min && rest->starts_with(TO)) {
            rest->remove_prefix(TO.size());
            if (const auto current = take_version(*rest)) {
                return PluginApi{*min, *current};
            }
        }
    }
    for (const std::string_view refusal :
         {"but this QEMU supports only up to version ", "but this QEMU supports only a minimum version of "}) {
        if (auto rest = after(qemu_output, refusal)) {
            if (const auto limit = take_version(*rest)) {
                return PluginApi{*limit, *limit};
            }
        }
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
