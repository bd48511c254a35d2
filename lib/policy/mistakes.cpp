// SPDX-License-Identifier: GPL-2.0-or-later
// Mistakes are kept in a set ordered by place: that sorts them and drops the ones found twice.
#include "policy/mistakes.hpp"

#include "common/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace bootbudget::policy {

namespace {

/// Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours (Damerau, "A technique for computer detection and
/// correction of spelling errors", CACM 7(3), 1964). No kept library offers it for a handful of keys.
std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::vector<std::size_t>> distance(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
    std::iota(distance[0].begin(), distance[0].end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        distance[i][0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t substitution = a[i - 1] == b[j - 1] ? 0 : 1;
            distance[i][j] =
                std::min({distance[i - 1][j] + 1, distance[i][j - 1] + 1, distance[i - 1][j - 1] + substitution});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                distance[i][j] = std::min(distance[i][j], distance[i - 2][j - 2] + 1);
            }
        }
    }
    return distance[a.size()][b.size()];
}

}  // namespace

int Mistakes::add_file(const std::filesystem::path & file) {
    files_.push_back(file.string());
    return static_cast<int>(files_.size()) - 1;
}

void Mistakes::add(const Place & place, const std::string & text) {
    found_.emplace(place, text);
}

std::vector<Mistake> Mistakes::sorted() const {
    std::vector<Mistake> mistakes;
    for (const auto & [place, text] : found_) {
        mistakes.push_back({files_.at(static_cast<std::size_t>(place.file)), place.line, place.column, text});
    }
    return mistakes;
}

std::string in_quotes(std::string_view text) {
    constexpr std::size_t MOST_BYTES = 60;
    return '"' + common::printable(text, MOST_BYTES) + '"';
}

std::string did_you_mean(std::string_view text, const std::vector<std::string> & candidates) {
    constexpr std::size_t LONGEST =
        64;  // longer ones are near to nothing, and the distance takes the product of the lengths
    if (text.empty() || text.size() > LONGEST) {
        return {};
    }
    const std::string * nearest = nullptr;
    std::size_t least = std::max<std::size_t>(1, text.size() / 3);
    for (const auto & candidate : candidates) {
        const std::size_t distance = edit_distance(text, candidate);
        if (distance <= least && (nearest == nullptr || distance < least)) {
            nearest = &candidate;
            least = distance;
        }
    }
    return nearest == nullptr ? std::string() : fmt::format(" (did you mean {}?)", in_quotes(*nearest));
}

std::string one_of(const std::vector<std::string> & words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        if (i > 0) {
            text += i + 1 == words.size() ? " or " : ", ";
        }
        text += in_quotes(words[i]);
    }
    return text;
}

}  // namespace bootbudget::policy
