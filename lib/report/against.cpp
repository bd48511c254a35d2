// SPDX-License-Identifier: GPL-2.0-or-later
// The second table: what the build against measured, and how far the build under test is from it. It stands by itself because both builds have
// the same variants, and a reader looks for one number in it, the change.
#include "report/against.hpp"

#include "report/measurements.hpp"
#include "report/table.hpp"

#include <algorithm>

namespace bootbudget::report {

const Variant * namesake(const Variant & variant, const Report & report) {
    const auto found = std::find_if(report.variants.begin(), report.variants.end(), [&](const Variant & other) {
        return other.build != variant.build && other.name == variant.name && !other.summary.empty();
    });
    return found == report.variants.end() || variant.name.empty() ? nullptr : &*found;
}

std::string name_of_against(const Report & report) {
    for (const Build & build : report.builds) {
        if (build.role == BuildRole::AGAINST) {
            return build.nvr.empty() ? build.where : build.nvr;
        }
    }
    return "";
}

std::string change(const std::string & metric, const Summary & summary, const Summary & against) {
    return is_comparable(metric, summary, against) ? percentage_over(summary.mean / against.mean, summary.unit) : "";
}

std::string against(const Report & report, const Words & words) {
    Table table({{"metric"}, {"this build"}, {"against"}, {"n", true}, {"change", true}});
    bool any = false;
    for (const Variant & variant : report.variants) {
        if (variant.build != BuildRole::AGAINST || variant.name.empty() || variant.summary.empty()) {
            continue;
        }
        any = true;
        const Variant * const subject = namesake(variant, report);
        table.add_heading({words.plain(variant.name), Tone::STRONG});
        for (const std::string & metric : metrics_of(variant.summary)) {
            const Summary & old = variant.summary.at(metric);
            std::vector<Table::Cell> row{
                {words.plain(label_of(metric, variant.summary.contains("instructions")))},
                {words.dash()},
                {mean_and_deviation(old, words)},
                {std::to_string(old.n)},
                {}};
            if (subject != nullptr) {
                if (const auto measured = subject->summary.find(metric); measured != subject->summary.end()) {
                    row[1].text = mean_and_deviation(measured->second, words);
                    row[4].text = change(metric, measured->second, old);
                }
            }
            table.add(row);
        }
    }
    if (!any) {
        return "";
    }
    return words.paint(words.plain("Against " + name_of_against(report)), Tone::STRONG) + "\n" + table.render(words, 0);
}

}  // namespace bootbudget::report
