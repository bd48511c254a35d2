// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>

namespace bootbudget::common {

/// `text` as one word for sh(1): as it is where that is plain, else in single quotes.
std::string shell_word(const std::string & text);

}  // namespace bootbudget::common
