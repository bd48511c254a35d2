// SPDX-License-Identifier: GPL-2.0-or-later
// A report keeps its times as the text it prints; only the writers that show a duration need numbers.
#include "report/time.hpp"

#include <ctime>
#include <iomanip>
#include <locale>
#include <sstream>

namespace bootbudget::report {

namespace {

std::optional<std::time_t> parse(const std::string & text) {
    std::tm parts{};
    std::istringstream stream(text);
    stream.imbue(std::locale::classic());
    stream >> std::get_time(&parts, "%Y-%m-%dT%H:%M:%SZ");
    if (stream.fail()) {
        return std::nullopt;
    }
    return timegm(&parts);
}

}  // namespace

std::optional<double> seconds_between(const std::string & started, const std::string & finished) {
    const auto from = parse(started);
    const auto to = parse(finished);
    if (!from || !to || *to < *from) {
        return std::nullopt;
    }
    return static_cast<double>(*to - *from);
}

}  // namespace bootbudget::report
