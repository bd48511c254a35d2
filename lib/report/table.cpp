// SPDX-License-Identifier: GPL-2.0-or-later
// Each column is as wide as its widest cell. If that is too much, the columns that may shrink give width, the widest first, and their
// cells take several lines.
#include "report/table.hpp"

#include <algorithm>

namespace bootbudget::report {

namespace {

constexpr std::size_t GAP = 2;
/// Longer words than this may be broken; no column gets narrower for one.
constexpr std::size_t MAX_WORD = 20;

std::size_t longest_word(const std::string & text) {
    std::size_t longest = 0;
    for (const std::string & word : wrap(text, 1, false)) {
        longest = std::max(longest, columns(word));
    }
    return std::min(longest, MAX_WORD);
}

std::string aligned(const std::string & text, std::size_t width, bool right, const std::string & painted) {
    const std::size_t used = columns(text);
    const std::string padding(width > used ? width - used : 0, ' ');
    return right ? padding + painted : painted + padding;
}

}  // namespace

void Table::add(std::vector<Cell> row) {
    if (row.size() > columns_.size()) {
        throw BugError("A table row of the report has more cells than the table has columns.");
    }
    row.resize(columns_.size());
    rows_.push_back({std::move(row), false});
}

std::vector<std::size_t> Table::widths(std::size_t room) const {
    std::vector<std::size_t> result;
    std::vector<std::size_t> least;
    std::size_t total = GAP * (columns_.size() - 1);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        std::size_t width = columns(columns_[i].title);
        std::size_t word = width;
        for (const Row & row : rows_) {
            if (!row.heading) {
                width = std::max(width, columns(row.cells[i].text));
                word = std::max(word, longest_word(row.cells[i].text));
            }
        }
        result.push_back(width);
        least.push_back(word);
        total += width;
    }
    while (total > room) {
        std::size_t widest = columns_.size();
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            if (columns_[i].shrinks && result[i] > least[i] &&
                (widest == columns_.size() || result[i] > result[widest])) {
                widest = i;
            }
        }
        if (widest == columns_.size()) {
            break;
        }
        --result[widest];
        --total;
    }
    return result;
}

std::string Table::render(const Words & words, std::size_t indent) const {
    const auto page = static_cast<std::size_t>(std::max(words.style().width, 20));
    const std::vector<std::size_t> width = widths(page > indent ? page - indent : 0);
    const std::string gap(GAP, ' ');
    std::string text;

    const auto finish_line = [&text] {
        text.erase(text.find_last_not_of(' ') + 1);
        text += '\n';
    };
    const auto add_line = [&](const auto & cell_of) {
        text += std::string(indent, ' ');
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            const Cell cell = cell_of(i);
            text += i == 0 ? "" : gap;
            text += aligned(cell.text, width[i], columns_[i].right, words.paint(cell.text, cell.tone));
        }
        finish_line();
    };

    add_line([&](std::size_t i) { return Cell{columns_[i].title}; });
    add_line([&](std::size_t i) {
        std::string rule;
        for (std::size_t n = 0; n < width[i]; ++n) {
            rule += words.style().unicode ? "─" : "-";
        }
        return Cell{rule};
    });
    for (const Row & row : rows_) {
        if (row.heading) {
            text += std::string(indent, ' ') + words.paint(row.cells[0].text, row.cells[0].tone);
            finish_line();
            continue;
        }
        std::vector<std::vector<std::string>> lines;
        std::size_t height = 1;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            // Only what does not fit is wrapped: leading spaces of a cell that fits are its indentation.
            lines.push_back(
                columns(row.cells[i].text) <= width[i] ? std::vector<std::string>{row.cells[i].text}
                                                       : wrap(row.cells[i].text, width[i], true));
            height = std::max(height, lines.back().size());
        }
        for (std::size_t line = 0; line < height; ++line) {
            add_line([&](std::size_t i) {
                return Cell{line < lines[i].size() ? lines[i][line] : std::string(), row.cells[i].tone};
            });
        }
    }
    return text;
}

}  // namespace bootbudget::report
