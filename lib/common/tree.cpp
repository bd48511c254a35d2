// SPDX-License-Identifier: GPL-2.0-or-later
// The tree below a supervisor, found by the parents that /proc names. A process whose parent ended hangs below the supervisor (its subreaper), so
// nothing escapes.
#include "common/process.hpp"
#include "common/process_stat.hpp"

#include <unistd.h>

#include <algorithm>
#include <set>

namespace bootbudget::common {

std::vector<TreeProcess> Tree::processes() const {
    std::vector<ProcessStat> all;
    for_each_process([&](const ProcessStat & stat) { all.push_back(stat); });

    std::vector<ProcessStat> tree;
    std::set<pid_t> members{supervisor_};
    for (bool grown = true; grown;) {
        grown = false;
        for (const ProcessStat & stat : all) {
            if (members.count(stat.parent) > 0 && members.insert(stat.pid).second) {
                grown = true;
                if (stat.state != 'Z' && stat.state != 'X') {
                    tree.push_back(stat);
                }
            }
        }
    }
    // All others were started by the program, hence after it.
    std::stable_sort(tree.begin(), tree.end(), [](const ProcessStat & a, const ProcessStat & b) {
        return a.start_ticks != b.start_ticks ? a.start_ticks < b.start_ticks : a.pid < b.pid;
    });

    const auto ticks_per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
    std::vector<TreeProcess> processes;
    processes.reserve(tree.size());
    for (const ProcessStat & stat : tree) {
        processes.push_back(
            {stat.pid, stat.name.data(), static_cast<double>(stat.user_ticks + stat.system_ticks) / ticks_per_second});
    }
    return processes;
}

}  // namespace bootbudget::common
