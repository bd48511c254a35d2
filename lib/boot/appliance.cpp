// SPDX-License-Identifier: GPL-2.0-or-later
// supermin makes the appliance from its own files below supermin.d and from the host's installed packages that they name. The appliance itself is an
// ext2 image with dates in it, different each time; its sources are what can be compared.
#include "boot/boot.hpp"
#include "boot/leftovers.hpp"
#include "common/digest.hpp"
#include "common/library_directories.hpp"
#include "common/process.hpp"

#include <bootbudget/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <algorithm>
#include <fstream>
#include <vector>

namespace bootbudget::boot {

namespace fs = std::filesystem;

namespace {

/// Where distributions put it: LIBDIR/guestfs/supermin.d (guestfs(3), LIBGUESTFS_PATH).
fs::path supermin_directory() {
    for (const auto * prefix : {"/usr", "/usr/local"}) {
        for (const auto & library : common::library_directories(prefix)) {
            const auto directory = library / "guestfs" / "supermin.d";
            std::error_code error;
            if (fs::is_regular_file(directory / "packages", error)) {
                return directory;
            }
        }
    }
    return {};
}

bool is_built(const fs::path & cache) {
    const auto owners = names_in(cache);
    return std::any_of(owners.begin(), owners.end(), [&](const auto & owner) {
        std::error_code error;
        return owner.starts_with(".guestfs-") && fs::exists(cache / owner / "appliance.d" / "root", error);
    });
}

std::vector<std::string> packages_named(const fs::path & supermin_d) {
    std::vector<std::string> packages;
    std::ifstream file(supermin_d / "packages");
    for (std::string name; std::getline(file, name) && packages.size() < 10000;) {
        if (!name.empty() && name.front() != '-') {
            packages.push_back(name);
        }
    }
    return packages;
}

/// "name architecture version" of those that are installed, sorted, by the distribution's own package manager.
std::vector<std::string> installed_versions(const std::vector<std::string> & packages) {
    common::Command command;
    command.account = common::current_account();
    command.environment = common::plain_environment();
    if (common::find_program("dpkg-query")) {
        command.argv = {"dpkg-query", "--show", "--showformat=${Package} ${Architecture} ${Version}\\n", "--"};
    } else if (common::find_program("rpm")) {
        command.argv = {"rpm", "-q", "--qf", "%{NAME} %{ARCH} %{EPOCHNUM}:%{VERSION}-%{RELEASE}\\n", "--"};
    } else {
        return {};
    }
    command.argv.insert(command.argv.end(), packages.begin(), packages.end());
    // names that are not installed make the exit status 1; their messages are part of the state, too
    const auto output = common::capture(command).output;
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < output.size();) {
        const auto end = std::min(output.find('\n', begin), output.size());
        lines.push_back(output.substr(begin, end - begin));
        begin = end + 1;
    }
    std::sort(lines.begin(), lines.end());
    return lines;
}

}  // namespace

std::string appliance_digest(const fs::path & cache) {
    const auto supermin_d = supermin_directory();
    if (supermin_d.empty() || !is_built(cache)) {
        return "";
    }
    try {
        std::string text;
        for (const auto & name : names_in(supermin_d)) {
            text += fmt::format("{} {}\n", name, common::sha256_of_file(supermin_d / name));
        }
        const auto versions = installed_versions(packages_named(supermin_d));
        if (versions.empty()) {
            return "";
        }
        return common::sha256(fmt::format("{}{}\n", text, fmt::join(versions, "\n")));
    } catch (const Error &) {
        return "";  // a file or the package database cannot be read: it is not known then
    }
}

}  // namespace bootbudget::boot
