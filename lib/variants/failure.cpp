// SPDX-License-Identifier: GPL-2.0-or-later
// With parallel make the line that matters stands hundreds of lines above the end, between the messages of jobs that went well, and rpmbuild's last
// word names only a temporary script. So every line is looked at on its own and sorted into causes, hints and verdicts; the forms are those of
// gcc, clang, GNU as, GNU ld, lld, the kernel's modpost, GNU make and rpmbuild.
#include "variants/failure.hpp"

#include "common/units.hpp"
#include "variants/engine.hpp"

#include <algorithm>
#include <array>

namespace bootbudget::variants {

namespace {

constexpr std::size_t MOST_CAUSES = 200;
constexpr std::size_t MOST_HINTS = 20;
constexpr std::size_t TAIL = 8;
constexpr std::size_t LONGEST_LINE = 400;

bool contains(std::string_view line, std::string_view part) {
    return line.find(part) != std::string_view::npos;
}

template <std::size_t N>
bool contains_any(std::string_view line, const std::array<std::string_view, N> & parts) {
    return std::ranges::any_of(parts, [&](std::string_view part) { return contains(line, part); });
}

bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

std::string_view trimmed(std::string_view line) {
    while (!line.empty() && (is_blank(line.back()) || line.back() == '\r')) {
        line.remove_suffix(1);
    }
    while (!line.empty() && is_blank(line.front())) {
        line.remove_prefix(1);
    }
    return line;
}

/// "12:" or "12-" as `grep -n` writes: specs like to show their errors once more that way, which makes the same line twice.
std::string_view without_line_number(std::string_view line) {
    const std::size_t digits = line.find_first_not_of("0123456789");
    if (digits != 0 && digits != std::string_view::npos && (line[digits] == ':' || line[digits] == '-')) {
        line.remove_prefix(digits + 1);
    }
    return line;
}

/// What the shell prints of a script before it runs it (set -x).
bool is_trace(std::string_view line) {
    const std::size_t pluses = line.find_first_not_of('+');
    return pluses != 0 && pluses != std::string_view::npos && line[pluses] == ' ';
}

constexpr std::array<std::string_view, 19> CAUSES = {
    ": error: ",
    ": fatal error: ",
    ": Error: ",  // GNU as
    ": internal compiler error: ",
    "ERROR: modpost: ",
    ": all warnings being treated as errors",
    "undefined reference to ",
    "undefined symbol: ",
    "multiple definition of ",
    "cannot find -l",
    "relocation truncated to fit",
    "No rule to make target",
    "missing separator.",
    "No space left on device",
    "Cannot allocate memory",
    "virtual memory exhausted",
    ": command not found",
    "FAILED: load BTF",
    " FAILED at "};  // patch

constexpr std::array<std::string_view, 6> HINTS = {
    ": No such file or directory", ": Permission denied", ": not found", ": Cannot ", ": cannot ", "Killed"};

bool is_rpm_verdict(std::string_view line) {
    return line.starts_with("error: Bad exit status from ");
}

bool is_make_failure(std::string_view line) {
    return contains(line, "make") && contains(line, ": *** ");
}

}  // namespace

void Failure::keep(std::vector<Line> & where, std::size_t most, std::string_view line) {
    if (where.size() < most && seen_.emplace(without_line_number(trimmed(line))).second) {
        where.push_back({number_, common::printable(trimmed(line), LONGEST_LINE)});
    }
}

void Failure::add(std::string_view line) {
    ++number_;
    if (trimmed(line).empty()) {
        continues_ = false;
        return;
    }
    tail_.push_back({number_, common::printable(trimmed(line), LONGEST_LINE)});
    if (tail_.size() > TAIL) {
        tail_.pop_front();
    }
    if (is_trace(line)) {
        continues_ = false;
        return;
    }
    const bool indented = is_blank(line.front());
    if (continues_ && indented) {
        keep(causes_, MOST_CAUSES, line);
        return;
    }
    continues_ = false;
    if (is_rpm_verdict(line)) {
        verdict_ = Line{number_, std::string(trimmed(line))};
        return;
    }
    out_of_space_ = out_of_space_ || contains(line, "No space left on device");
    lacks_dependencies_ = lacks_dependencies_ || line.starts_with("error: Failed build dependencies:");
    if (line.starts_with("error: ") || line.starts_with("error[") || contains_any(line, CAUSES) ||
        line.starts_with("*** ")) {
        keep(causes_, MOST_CAUSES, line);
        continues_ = line.starts_with("error: ") && trimmed(line).ends_with(':');
    } else if (is_make_failure(line)) {
        if (!make_) {
            make_ = Line{number_, common::printable(trimmed(line), LONGEST_LINE)};
        }
    } else if (contains_any(line, HINTS)) {
        keep(hints_, MOST_HINTS, line);
    }
}

std::vector<std::string> Failure::lines(std::size_t max_lines) const {
    std::vector<Line> chosen;
    const auto room = [&](std::size_t reserved) {
        const std::size_t taken = chosen.size() + reserved;
        return taken < max_lines ? max_lines - taken : 0;
    };
    const std::size_t reserved = (make_ ? 1U : 0U) + (verdict_ ? 1U : 0U);
    const std::vector<Line> & told = causes_.empty() ? hints_ : causes_;
    const std::size_t count = std::min({told.size(), std::max<std::size_t>(room(reserved), 1), max_lines});
    chosen.assign(told.begin(), told.begin() + static_cast<std::ptrdiff_t>(count));
    for (const std::optional<Line> & line : {make_, verdict_}) {
        if (line && room(0) > 0) {
            chosen.push_back(*line);
        }
    }
    if (causes_.empty()) {  // the last lines before the verdict are all there is to go by
        for (auto line = tail_.rbegin(); line != tail_.rend() && room(0) > 0; ++line) {
            const bool known =
                std::ranges::any_of(chosen, [&](const Line & other) { return other.number == line->number; });
            const bool repeats_rpm = verdict_ && line->number > verdict_->number;
            if (!known && !repeats_rpm) {
                chosen.push_back(*line);
            }
        }
    }
    std::ranges::sort(chosen, {}, &Line::number);
    std::vector<std::string> texts;
    texts.reserve(chosen.size());
    for (Line & line : chosen) {
        texts.push_back(std::move(line.text));
    }
    return texts;
}

std::vector<std::string> failure_lines(const std::string & log_text, std::size_t max_lines) {
    Failure failure;
    for (std::string_view rest = log_text; !rest.empty();) {
        const std::size_t end = rest.find('\n');
        failure.add(rest.substr(0, end));
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    return failure.lines(max_lines);
}

}  // namespace bootbudget::variants
