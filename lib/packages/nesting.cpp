// SPDX-License-Identifier: GPL-2.0-or-later
// Metadata have few parentheses for their size, so the search is one for the next of them, not a look at each byte.
#include "packages/nesting.hpp"

#include <algorithm>

namespace bootbudget::packages {

bool Nesting::accepts(std::string_view block) {
    while (!block.empty() && depth_ <= MOST) {
        const std::size_t open = std::min(block.find('('), block.size());
        if (depth_ > 0) {
            const std::string_view between = block.substr(0, open);
            const auto closed = static_cast<std::size_t>(std::count(between.begin(), between.end(), ')'));
            depth_ = between.find('<') != std::string_view::npos ? 0 : depth_ - std::min(depth_, closed);
        }
        if (open == block.size()) {
            break;
        }
        ++depth_;
        block.remove_prefix(open + 1);
    }
    return depth_ <= MOST;
}

}  // namespace bootbudget::packages
