// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bootbudget/error.hpp>

#include <string>

namespace bootbudget {

/// Where a long call tells how far it is. All calls come from the thread that runs the long call.
class BOOTBUDGET_API Progress {
public:
    virtual ~Progress() = default;

    /// A line worth keeping in a log: "boot 3 of 8: debug 6.1.192+debug".
    virtual void step(const std::string & line) = 0;

    /// `done` of `total` (the same unit, both ≥ 0, total > 0); `seconds_left` < 0 while not known. May come many times a second.
    virtual void advance(double done, double total, double seconds_left) = 0;

    /// Something the user should know that is neither an error nor part of the report's verdicts.
    virtual void warn(const std::string & line) = 0;
};

}  // namespace bootbudget
