// SPDX-License-Identifier: GPL-2.0-or-later
// Short commands whose output is an answer: run() with a buffer, a bound and a time limit; and the surroundings in which they run.
#include "common/process.hpp"

#include "common/program_path.hpp"

#include <bootbudget/error.hpp>

#include <fmt/format.h>
#include <unistd.h>

namespace bootbudget::common {

Captured capture(const Command & command, std::stop_token stop, std::chrono::seconds timeout, std::size_t max_bytes) {
    const Clock::time_point deadline = Clock::now() + timeout;
    Captured captured;
    bool too_long = false;
    bool too_late = false;
    const Watch watch{
        [&](std::string_view bytes, Clock::time_point) {
            too_long = too_long || bytes.size() > max_bytes - captured.output.size();
            if (!too_long) {
                captured.output += bytes;
            }
        },
        [&](Clock::time_point now, const Tree &) {
            too_late = now >= deadline;
            return !too_long && !too_late;
        }};
    captured.end = run(command, watch, std::move(stop));
    if (captured.end.cancelled) {
        throw Cancelled(fmt::format("{} was interrupted.", command.argv.front()));
    }
    if (too_long) {
        throw SystemError(fmt::format(
            "{} printed more than {} bytes, far more than expected; run it by hand to see what it says.",
            command.argv.front(),
            max_bytes));
    }
    if (too_late) {
        throw SystemError(fmt::format(
            "{} was not finished after {} s and was stopped; run it by hand to see what it waits for.",
            command.argv.front(),
            timeout.count()));
    }
    return captured;
}

std::map<std::string, std::string> plain_environment() {
    return {
        {"PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
        {"LC_ALL", "C.UTF-8"},
        {"TERM", "dumb"},
    };
}

std::optional<std::filesystem::path> find_program(const std::string & name) {
    std::optional<std::filesystem::path> path = program_path(name, plain_environment().at("PATH"));
    return path && access(path->c_str(), X_OK) == 0 ? path : std::nullopt;
}

}  // namespace bootbudget::common
