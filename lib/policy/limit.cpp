// SPDX-License-Identifier: GPL-2.0-or-later
// A limit for people: few digits, and never below the value that it came from, also after it was read back from its text.
#include "policy/limit.hpp"

#include "common/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bootbudget::policy {

namespace {

constexpr double MIB = 1024.0 * 1024.0;

}  // namespace

std::string rounded_limit(double value, Unit unit) {
    if (!std::isfinite(value) || value <= 0) {
        return "";
    }
    double scale = 1;
    std::string_view suffix = unit == Unit::SECONDS ? "s" : unit == Unit::BYTES ? "MiB" : "x";
    if (unit == Unit::SECONDS && value < 1) {
        scale = 1e-3;
        suffix = "ms";
    } else if (unit == Unit::BYTES) {
        scale = MIB;
    } else if (unit == Unit::COUNT) {
        scale = value >= 1e9 ? 1e9 : value >= 1e6 ? 1e6 : 1e3;
        suffix = value >= 1e9 ? "G" : value >= 1e6 ? "M" : "k";
    }
    const int digits = static_cast<int>(std::floor(std::log10(value / scale))) - 1;  // 10^digits: the second one
    const double step = unit == Unit::BYTES ? 32 : unit == Unit::RATIO ? 0.05 : std::pow(10, digits);
    const int decimals = unit == Unit::BYTES ? 0 : unit == Unit::RATIO ? 2 : std::clamp(-digits, 0, 9);
    // A value that is such a number already stays what it is, whatever its last bits say.
    const double steps = std::ceil(value / scale / step * (1 - 1e-12));
    for (int attempt = 0; attempt < 3; ++attempt) {
        std::string text = fmt::format("{:.{}f}", (steps + attempt) * step, decimals);
        if (decimals > 0) {
            text.erase(text.find_last_not_of('0') + 1);
            text.erase(text.find_last_not_of('.') + 1);
        }
        text += suffix;
        const auto read = common::parse_quantity(text);
        if (!read) {
            return "";
        }
        if (read->value >= value * (1 - 1e-12)) {
            return text;
        }
    }
    return "";
}

}  // namespace bootbudget::policy
