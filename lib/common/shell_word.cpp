// SPDX-License-Identifier: GPL-2.0-or-later
// Between single quotes sh(1) takes everything as it is but the single quote itself, which has to stand outside of them.
#include "common/shell_word.hpp"

#include <string_view>

namespace bootbudget::common {

std::string shell_word(const std::string & text) {
    constexpr std::string_view PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+,:@%=";
    if (!text.empty() && text.find_first_not_of(PLAIN) == std::string::npos) {
        return text;
    }
    std::string quoted = "'";
    for (const char c : text) {
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return quoted + "'";
}

}  // namespace bootbudget::common
