// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "packages/rpm_file.hpp"

#include <filesystem>

namespace bootbudget::packages {

/// What a package's verified header says; its payload has not been looked at, so `package.sha256` is empty.
struct PackageHeader {
    RpmFile package;
    bool is_source = false;
};

/// Opens one package file and reads its header: cheap even for packages of a gigabyte. Throws as read_rpm() does, except that source packages and damaged
/// payloads pass; a file that is shorter than its header says does not.
PackageHeader read_header(const std::filesystem::path & path);

}  // namespace bootbudget::packages
