// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/process.hpp"

#include <functional>
#include <string>
#include <vector>

namespace bootbudget::common {

/// A shell script as a command.
inline Command shell(const std::string & script) {
    Command command;
    command.argv = {"sh", "-c", script};
    command.environment = plain_environment();
    return command;
}

/// A watch that keeps the output and ends the program once `go_on` is false.
struct Record {
    std::string output;
    std::vector<Clock::time_point> arrivals;
    std::function<bool(const Tree &)> go_on = [](const Tree &) { return true; };

    Watch watch() {
        return {
            [this](std::string_view bytes, Clock::time_point arrival) {
                output += bytes;
                arrivals.push_back(arrival);
            },
            [this](Clock::time_point, const Tree & tree) { return go_on(tree); }};
    }
};

}  // namespace bootbudget::common
