// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <optional>
#include <string>

namespace bootbudget::report {

/// Seconds from one to the other RFC 3339 time in UTC ("2026-11-30T12:00:00Z"); nullopt if either is none or they are in the wrong order.
std::optional<double> seconds_between(const std::string & started, const std::string & finished);

}  // namespace bootbudget::report
