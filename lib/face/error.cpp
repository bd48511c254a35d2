// SPDX-License-Identifier: GPL-2.0-or-later
// The text of an errno belongs to the sentence that names what was attempted, so it is joined here and nowhere else.
#include <bootbudget/error.hpp>

#include <system_error>

namespace bootbudget {

SystemError::SystemError(const std::string & sentence) : Error(sentence) {
}

SystemError::SystemError(const std::string & what, int error_number)
    : Error(what + ": " + std::generic_category().message(error_number) + "."), error_number_(error_number) {
}

}  // namespace bootbudget
