// SPDX-License-Identifier: GPL-2.0-or-later
// A machine's own kernels are a tree like others, except that one of them is meant unless another is named, and that distributions hide parts of them from
// ordinary users.
#include "packages/installed.hpp"

#include "common/units.hpp"
#include "packages/choice.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <bootbudget/error.hpp>

#include <algorithm>
#include <cerrno>

namespace bootbudget::packages {

namespace fs = std::filesystem;

namespace {

// The first of them that is there is the one that is used.
void require_readable(std::initializer_list<fs::path> files, const std::string & release, std::string_view part) {
    for (const fs::path & file : files) {
        if (::access(file.c_str(), R_OK) == 0) {
            return;
        }
        if (errno != EACCES && errno != EPERM) {
            continue;
        }
        throw UserError(fmt::format(
            "the {} of the installed kernel {}, {}, can be read by root only: run this command as root (the boots then "
            "run as another account all the same), or make the file readable.",
            part,
            release,
            file.string()));
    }
}

}  // namespace

void keep_selected(FoundBuild & build, const std::string & select, const std::string & where) {
    if (select.empty()) {
        return;
    }
    std::vector<std::string> names;
    for (const FoundKernel & kernel : build.kernels) {
        names.push_back(kernel.release);
    }
    std::erase_if(build.kernels, [&](const FoundKernel & kernel) { return kernel.release != select; });
    if (build.kernels.empty()) {
        throw UserError(fmt::format(
            "there is no kernel {} {}; those there are: {}.", common::printable(select, 200), where, list_of(names)));
    }
}

FoundBuild find_installed(const fs::path & root, const std::string & running, const std::string & select) {
    FoundBuild build;
    build.is_tree = true;
    build.directory = fs::absolute(root);
    std::vector<std::string> releases = kernel::releases_in(build.directory);
    if (releases.empty()) {
        throw UserError(fmt::format(
            "no kernel is installed on this machine: there is no vmlinuz in {}lib/modules/RELEASE, nor a "
            "boot/vmlinuz-RELEASE that belongs to one.",
            root.string()));
    }
    if (select.empty() && std::find(releases.begin(), releases.end(), running) == releases.end()) {
        throw UserError(fmt::format(
            "the kernel that runs, {}, is not installed on this machine, as in a container; those installed: {}. Name "
            "one "
            "with --select.",
            running,
            list_of(releases)));
    }
    for (std::string & release : releases) {
        FoundKernel kernel;
        kernel.release = std::move(release);
        build.kernels.push_back(std::move(kernel));
    }
    keep_selected(build, select.empty() ? running : select, "installed on this machine");
    const std::string & release = build.kernels.front().release;
    const fs::path modules = build.directory / "lib/modules" / release;
    const fs::path boot = build.directory / "boot";
    require_readable({modules / "vmlinuz", boot / ("vmlinuz-" + release)}, release, "image");
    require_readable({modules / "config", boot / ("config-" + release)}, release, "configuration");
    return build;
}

}  // namespace bootbudget::packages
