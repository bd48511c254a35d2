// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace bootbudget::kernel {

/// A kernel's .config: option name with CONFIG_ → value: "y", "m", a number, or a string without its quotes. Options that are not set are absent.
using Configuration = std::map<std::string, std::string, std::less<>>;

/// Reads the text of a .config (at most 4 MiB, 100 000 lines). Lines that are neither `CONFIG_X=value`, comments nor empty: UserError with `name` and the line's number.
Configuration parse_configuration(std::string_view text, const std::string & name);

/// Throws UserError for a malformed, SystemError for an unreadable file.
Configuration read_configuration(const std::filesystem::path & path);

/// "n" for an option that is absent.
std::string value_of(const Configuration & configuration, std::string_view option);

struct Difference {
    std::string option;
    std::string left;  ///< "n" for absent
    std::string right;
};

/// Options with different values, by name. Lines that only say how the kernel was built (CONFIG_CC_VERSION_TEXT, …_VERSION, LOCALVERSION, BUILD_SALT) are left out.
std::vector<Difference> differences(const Configuration & left, const Configuration & right);

}  // namespace bootbudget::kernel
