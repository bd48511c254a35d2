// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "policy/policy.hpp"

#include <compare>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace bootbudget::policy {

/// Where something stands in the policy's files.
struct Place {
    int file = 0;    ///< in the order in which the files were read
    int line = 1;    ///< from 1
    int column = 1;  ///< from 1

    auto operator<=>(const Place &) const = default;
};

/// What is wrong in a policy and the files it includes, collected instead of thrown so that all of it can be mended at once. The same
/// mistake, found twice (in a file by itself and again after merging), is told once.
class Mistakes {
public:
    /// Makes a file known; its number goes into places.
    int add_file(const std::filesystem::path & file);

    /// `text` says what is wrong and what was expected, as a sentence.
    void add(const Place & place, const std::string & text);

    bool empty() const noexcept { return found_.empty(); }

    /// By file in the order of reading, line, column.
    std::vector<Mistake> sorted() const;

private:
    std::vector<std::string> files_;
    std::set<std::tuple<Place, std::string>> found_;
};

/// A piece of the file for a message: in quotes, printable, cut at 60 bytes.
std::string in_quotes(std::string_view text);

/// ` (did you mean "limit"?)` for the candidate nearest to `text` by edit distance, empty if none is near.
std::string did_you_mean(std::string_view text, const std::vector<std::string> & candidates);

/// `"a", "b" or "c"`.
std::string one_of(const std::vector<std::string> & words);

}  // namespace bootbudget::policy
