// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bootbudget/quantity.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace bootbudget::common {

/// Reads a number with its unit as policies write it: "60s", "500ms", "10m", "1h"; "1280MiB", "4KiB", "2GiB"; "1.4G", "10k", "3M" (10^3…); "2.5x".
/// Spaces between number and unit are allowed, none around. nullopt for anything else, for negative, infinite or absurdly large numbers.
std::optional<Quantity> parse_quantity(std::string_view text);

/// "95%" → 0.95. nullopt outside (0 %, 100 %).
std::optional<double> parse_percentage(std::string_view text);

/// For people: "32.4 s", "9.3 min", "596 MiB", "1.374 G", "2.88x". Three significant digits, four for counts; zeros at the end of a fraction are
/// left out. The same in every locale.
std::string format_quantity(const Quantity & quantity);

/// Control characters (C0, C1, line breaks, those that reorder text), noncharacters, and bytes that are no UTF-8, as \xNN for each byte; at most `max_bytes`
/// of that, then "…" if there is more. Never cut inside a character. Fit for terminals, JSON and XML.
std::string printable(std::string_view bytes, std::size_t max_bytes = 1000);

/// RFC 3339 in UTC with seconds: "2026-11-30T12:00:00Z".
std::string utc_now();

}  // namespace bootbudget::common
