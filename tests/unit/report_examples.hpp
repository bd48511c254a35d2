// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bootbudget/check.hpp>
#include <bootbudget/report.hpp>

#include <ostream>
#include <string>
#include <vector>

namespace bootbudget::examples {

/// A report as a check writes it, with the name of its golden files in tests/data/reports/.
struct Example {
    std::string name;
    Report report;
};

/// For GoogleTest, which would print bytes.
inline void PrintTo(const Example & example, std::ostream * stream) {
    *stream << example.name;
}

Report all_pass();
Report debug_warns();   ///< the debug kernel exceeds a ratio budget that only warns
Report debug_fails();   ///< a launch over its limit, a launch that was cut off, and a finding that fails
Report panics();        ///< the debug kernel panics in each boot
Report without_peer();  ///< only a debug kernel, and one that no variant of the policy matches
Report waived();
Report inconclusive();
Report against();  ///< a second build, counted boots, a busy machine and an outlier

/// All of the above.
std::vector<Example> all();

/// Every field of every struct is set, so that its JSON has no null and no empty list but where the format wants it.
Report with_everything();

Plan plan();

}  // namespace bootbudget::examples
