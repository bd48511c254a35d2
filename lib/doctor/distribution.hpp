// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>

namespace bootbudget::doctor {

/// Whose package names and package manager fit this machine.
enum class Family { DEBIAN, FEDORA, OTHER };

struct Distribution {
    Family family = Family::OTHER;
    std::string name;  ///< PRETTY_NAME, "unknown" where there is none
};

/// Reads the text of os-release(5): ID, else the first word of ID_LIKE that is known.
Distribution parse_os_release(const std::string & text);

/// A thing to install, by the name each family has for it; several names are separated by spaces.
struct Packages {
    std::string debian;
    std::string fedora;
};

/// "apt-get install X" or "dnf install Y"; both where the family is not known.
std::string install_command(Family family, const Packages & packages);

}  // namespace bootbudget::doctor
