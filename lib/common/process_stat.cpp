// SPDX-License-Identifier: GPL-2.0-or-later
// One reader of /proc/PID/stat for both sides: the supervisor, which may not allocate, and the watch, which could. It uses the stack alone.
#include "common/process_stat.hpp"

#include <algorithm>

namespace bootbudget::common {

namespace {

/// Takes the next field, up to a space or the line's end.
std::string_view take_field(std::string_view & line) noexcept {
    const std::size_t size = std::min(line.find_first_of(" \n"), line.size());
    const std::string_view field = line.substr(0, size);
    line.remove_prefix(std::min(size + 1, line.size()));
    return field;
}

template <typename Number>
bool parse(std::string_view field, Number & number) noexcept {
    const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), number);
    return error == std::errc{} && end == field.data() + field.size();
}

}  // namespace

bool parse_process_stat(std::string_view line, ProcessStat & stat) noexcept {
    const std::size_t open = line.find('(');
    const std::size_t close = line.rfind(')');
    if (open == std::string_view::npos || close == std::string_view::npos || close < open || open < 2) {
        return false;
    }
    if (!parse(line.substr(0, open - 1), stat.pid)) {
        return false;
    }
    const std::string_view name = line.substr(open + 1, close - open - 1);
    stat.name.fill('\0');
    std::copy_n(name.begin(), std::min(name.size(), stat.name.size() - 1), stat.name.begin());

    line.remove_prefix(std::min(close + 2, line.size()));
    bool good = true;
    constexpr int LAST = 22;  // starttime; numbered as in the man page
    for (int number = 3; number <= LAST && good; ++number) {
        const std::string_view field = take_field(line);
        switch (number) {
            case 3:
                good = field.size() == 1;
                stat.state = good ? field.front() : '?';
                break;
            case 4:
                good = parse(field, stat.parent);
                break;
            case 6:
                good = parse(field, stat.session);
                break;
            case 14:
                good = parse(field, stat.user_ticks);
                break;
            case 15:
                good = parse(field, stat.system_ticks);
                break;
            case 22:
                good = parse(field, stat.start_ticks);
                break;
            default:
                good = !field.empty();
        }
    }
    return good;
}

bool read_process_stat(int proc, pid_t pid, ProcessStat & stat) noexcept {
    std::array<char, 32> path{};
    constexpr std::string_view FILE = "/stat";
    const auto [end, error] = std::to_chars(path.data(), path.data() + path.size() - FILE.size() - 1, pid);
    if (error != std::errc{}) {
        return false;
    }
    std::copy(FILE.begin(), FILE.end(), end);
    const int file = ::openat(proc, path.data(), O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return false;
    }
    std::array<char, 1024> line;
    const ssize_t size = ::read(file, line.data(), line.size());
    ::close(file);
    return size > 0 && parse_process_stat({line.data(), static_cast<std::size_t>(size)}, stat);
}

}  // namespace bootbudget::common
