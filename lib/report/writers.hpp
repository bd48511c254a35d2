// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bootbudget/check.hpp>
#include <bootbudget/report.hpp>

#include <string>

namespace bootbudget::report {

/// The document "bootbudget-report/1" as docs/report.md describes it, indented by two spaces, valid UTF-8 whatever the logs held.
std::string to_json(const Report & report);

/// Reads such a document; fields that are not known are ignored. UserError naming `name` and the field for anything that is not one.
Report from_json(const std::string & text, const std::string & name);

struct TextStyle {
    bool colour = false;
    bool unicode = true;  ///< "±" and lines; else "+/-" and ASCII
    int width = 100;      ///< columns
};

/// The table for people: verdict first; each variant with its metrics (mean ± sd, min, n), each budget beside what was measured, boots that failed with their
/// last console lines (Sample::last_lines), findings, options that differ, notes. Widths count code points; control characters of any string come out as \xNN.
std::string to_text(const Report & report, const TextStyle & style);

/// JUnit XML: one testsuite, a testcase for each budget and variant; warn is passed with a system-out; see the design's table of outcomes.
std::string to_junit(const Report & report);

/// The --dry-run output.
std::string to_text(const Plan & plan, const TextStyle & style);
std::string to_json(const Plan & plan);

}  // namespace bootbudget::report
