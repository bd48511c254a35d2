// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "report/words.hpp"

#include <bootbudget/report.hpp>

#include <map>
#include <string>
#include <vector>

namespace bootbudget::report {

/// Numbers of one summary as they stand beside each other: all in the unit and with the decimals of the mean.
class Scale {
public:
    explicit Scale(const Summary & summary);

    std::string format(double value) const;  ///< "32.4 s"

private:
    Unit dimension_;
    std::string unit_;   ///< with the space before it
    double factor_ = 0;  ///< of one such unit; 0 where the mean is 0 or no number and gives no scale
    int decimals_ = 0;
};

/// "32.4 s ± 0.9 s"; counts, which differ by parts of a percent, as "1.377 G ± 0.02 %".
std::string mean_and_deviation(const Summary & summary, const Words & words);

/// "+192 %" for a ratio of 2.92; one decimal below ten percent, and for counts two below one.
std::string percentage_over(double ratio, Unit unit);

/// Whether a percentage of one over the other says something: the same unit, a mean above 0, and no phase of a moment.
bool is_comparable(const std::string & metric, const Summary & summary, const Summary & base);

/// The metrics of a summary in the order of interest: the sums, the phases as they happen, instructions and those of their phases.
std::vector<std::string> metrics_of(const std::map<std::string, Summary> & summary);

/// A metric's name as the first cell of its row: "  launch"; phases of instructions below their sum, if it has a row, as "    kernel".
std::string label_of(const std::string & metric, bool below_sum);

/// "≤ 60 s", "≤ 2.5x of nodebug (is 2.92x)", "≤ 1.03x of the build against"; without what it is in a narrow style.
std::string limit_in_words(const BudgetResult & budget, const Words & words);

/// "pass", "WARN", "FAIL (waived)", "FAIL (predicted)": what asks for attention is in capitals.
std::string verdict_in_words(const BudgetResult & budget);
std::string verdict_in_words(Verdict verdict);

/// The table of every measured variant's metrics with the budgets beside them; empty when nothing was measured and nothing budgeted.
std::string measurements(const Report & report, const Words & words);

}  // namespace bootbudget::report
