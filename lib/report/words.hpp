// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "report/writers.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bootbudget::report {

/// What a piece of text wants to say by its colour.
enum class Tone { PLAIN, STRONG, GOOD, CAUTION, BAD, FAINT };

Tone tone_of(Verdict verdict) noexcept;

/// Words of one text in its style. Strings of a report are never printed as they are: what they hold came from packages and guests.
class Words {
public:
    explicit Words(const TextStyle & style) : style_(style) {}

    const TextStyle & style() const noexcept { return style_; }

    /// `text` with control characters escaped and, in an ASCII style, with each character spelled in ASCII ("±" is "+/-"; one without a spelling is "?").
    std::string plain(std::string_view text) const;

    /// plain(), cut to `width` columns with an ellipsis.
    std::string cut(std::string_view text, std::size_t width) const;

    /// Coloured, if the style is. `plain_text` comes from plain() or is a literal.
    std::string paint(std::string_view plain_text, Tone tone) const;

    /// plain() in lines of at most the style's width, the first line after `first` and the others after as many spaces. A word that is longer than a line (a path) stays whole.
    std::string paragraph(std::string_view first, std::string_view text) const;

    /// Minus, ellipsis and the like in the style.
    std::string dash() const { return style_.unicode ? "–" : "-"; }

private:
    TextStyle style_;
};

/// Code points, which stand for terminal columns: the texts hold no wide or combining characters of their own.
std::size_t columns(std::string_view text);

/// Lines of at most `width` columns, broken at spaces; with `break_words` also inside a word that is longer. At least one line.
std::vector<std::string> wrap(std::string_view text, std::size_t width, bool break_words);

}  // namespace bootbudget::report
