// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace bootbudget::packages {

/// Watches a stream of XML for parentheses that are nested too deeply within one stretch between two '<', such as a tag with its attributes. libsolv's parser of rich
/// dependencies calls itself for each of them, and a hundred thousand of them end the process.
class Nesting {
public:
    /// Far from what any dependency has, and from what a stack cannot hold.
    static constexpr std::size_t MOST = 1000;

    /// False from the first block on in which there are more.
    bool accepts(std::string_view block);

private:
    std::size_t depth_ = 0;
};

}  // namespace bootbudget::packages
