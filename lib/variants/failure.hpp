// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace bootbudget::variants {

/// Finds, line by line while a build runs, what its log says about why it failed. Memory stays bounded however long the log.
class Failure {
public:
    /// One line of the log, without its newline.
    void add(std::string_view line);

    /// At most `max_lines` lines in the log's order: errors of compilers, assemblers, linkers, modpost, tools and rpm; make's first "***"; rpm's verdict.
    /// Where none of them tells anything: the log's last lines.
    std::vector<std::string> lines(std::size_t max_lines) const;

    bool is_out_of_space() const noexcept { return out_of_space_; }
    bool lacks_dependencies() const noexcept { return lacks_dependencies_; }

private:
    struct Line {
        std::size_t number = 0;
        std::string text;
    };

    void keep(std::vector<Line> & where, std::size_t most, std::string_view line);

    std::size_t number_ = 0;
    std::vector<Line> causes_;     ///< what went wrong, in the words of the program that noticed
    std::vector<Line> hints_;      ///< may be why, or may be harmless: shown only if there is no cause
    std::optional<Line> make_;     ///< the first target that make gave up
    std::optional<Line> verdict_;  ///< rpm's own last word, which names only a script
    std::deque<Line> tail_;
    std::set<std::string, std::less<>> seen_;
    bool continues_ = false;  ///< the last cause ended in ":", its list follows indented
    bool out_of_space_ = false;
    bool lacks_dependencies_ = false;
};

}  // namespace bootbudget::variants
