// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "report/words.hpp"

#include <string>
#include <vector>

namespace bootbudget::report {

/// Rows in aligned columns for terminals and logs. Written here because Debian 12 packages no table library for C++ (neither libfort
/// nor tabulate).
class Table {
public:
    struct Column {
        std::string title;
        bool right = false;    ///< aligned to the right
        bool shrinks = false;  ///< its cells are wrapped when the table is wider than the style
    };
    struct Cell {
        std::string text;  ///< plain, see Words::plain()
        Tone tone = Tone::PLAIN;
    };

    explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

    /// Missing cells at the end are empty; more cells than columns are a BugError.
    void add(std::vector<Cell> row);

    /// A row whose text may run over all columns.
    void add_heading(Cell cell) { rows_.push_back({{std::move(cell)}, true}); }

    /// Lines ending in newlines, each indented by `indent` spaces, without spaces at their ends. No wider than the style where the shrinking columns can give enough.
    std::string render(const Words & words, std::size_t indent) const;

private:
    struct Row {
        std::vector<Cell> cells;
        bool heading = false;
    };

    std::vector<std::size_t> widths(std::size_t room) const;

    std::vector<Column> columns_;
    std::vector<Row> rows_;
};

}  // namespace bootbudget::report
