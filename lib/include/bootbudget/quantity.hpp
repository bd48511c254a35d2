// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bootbudget/error.hpp>

#include <string>
#include <string_view>

namespace bootbudget {

/// What a number counts. One unit per dimension inside the library: seconds, bytes, things, ratios.
enum class Unit { SECONDS, BYTES, COUNT, RATIO };

/// The unit's name in the report: "s", "B", "1" (a count), "x".
BOOTBUDGET_API std::string_view to_string(Unit unit) noexcept;

/// A number that never travels without its unit.
struct Quantity {
    double value = 0;
    Unit unit = Unit::SECONDS;

    bool operator==(const Quantity &) const = default;
};

}  // namespace bootbudget
