// SPDX-License-Identifier: GPL-2.0-or-later
// Headers are read first, because a directory may hold gigabytes of debuginfo; only packages that have to do with a kernel are read and verified
// whole. Everything wrong is found here, before anything is unpacked or booted.
#include "packages/where.hpp"

#include "common/units.hpp"
#include "packages/boot_set.hpp"
#include "packages/directory.hpp"
#include "packages/package_header.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>

namespace bootbudget::packages {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view TREE = "tree:";

void refuse_later_forms(const std::string & where) {
    const bool url = where.find("://") != std::string::npos;
    const bool koji = where.compare(0, 5, "koji:") == 0;
    if (where.empty()) {
        throw UserError("no packages were given; name a directory of RPMs, or tree:DIRECTORY.");
    }
    if (url || koji || where == "installed") {
        throw UserError(fmt::format(
            "\"{}\" ({}) is not supported by this version; give a directory of RPMs, or tree:DIRECTORY{}.",
            common::printable(where, 200),
            url    ? "a repository"
            : koji ? "a build in Koji"
                   : "the installed kernels",
            where == "installed" ? " (a directory of that name is ./installed)" : ""));
    }
}

FoundBuild find_tree(const std::string & where) {
    FoundBuild build;
    build.where = where;
    build.is_tree = true;
    const fs::path given = where.substr(TREE.size());
    std::error_code error;
    if (given.empty() || !fs::is_directory(given, error)) {
        throw UserError(
            fmt::format("there is no directory {} to take a kernel from.", given.empty() ? "named" : given.string()));
    }
    build.directory = fs::absolute(given);
    for (const std::string & release : kernel::releases_in(build.directory)) {
        FoundKernel found;
        found.release = release;
        build.kernels.push_back(std::move(found));
    }
    if (build.kernels.empty()) {
        throw UserError(fmt::format(
            "there is no kernel in the tree {}: no vmlinuz in lib/modules/RELEASE or usr/lib/modules/RELEASE, nor a "
            "boot/vmlinuz-RELEASE that "
            "belongs to one; give the directory that would be / of the system, such as a build root.",
            build.directory.string()));
    }
    return build;
}

[[noreturn]] void refuse_without_kernel(
    const fs::path & directory, const Listing & listing, const std::vector<RpmFile> & packages) {
    std::string what;
    for (std::size_t i = 0; i < std::min<std::size_t>(3, packages.size()); ++i) {
        what += (i == 0 ? "" : ", ") + packages[i].nevra;
    }
    for (const std::string & name : packages.empty() ? listing.others : std::vector<std::string>()) {
        what += (what.empty() ? "" : ", ") + common::printable(name, 60);
    }
    std::error_code error;
    const bool tree = fs::is_directory(directory / "lib" / "modules", error) ||
                      fs::is_directory(directory / "usr" / "lib" / "modules", error);
    throw UserError(fmt::format(
        "there is no kernel package in {}: it holds {} RPM packages and {} other files{}{}; {}",
        directory.string(),
        listing.packages.size(),
        listing.other_count,
        what.empty() ? "" : ", such as ",
        what,
        tree ? fmt::format("for a tree of files give tree:{}.", directory.string())
             : "give the directory that a kernel build left its RPMs in."));
}

}  // namespace

FoundBuild find_build(const std::string & where, Progress & progress, std::stop_token stop, const Keyring * keyring) {
    refuse_later_forms(where);
    if (where.compare(0, TREE.size(), TREE) == 0) {
        return find_tree(where);
    }
    FoundBuild build;
    build.where = where;
    build.directory = fs::absolute(where);
    const Listing listing = list_packages(build.directory, stop);

    std::vector<RpmFile> packages;
    double done = 0;
    for (const fs::path & path : listing.packages) {
        if (stop.stop_requested()) {
            throw Cancelled(fmt::format("Reading the packages in {} was cancelled.", build.directory.string()));
        }
        PackageHeader header = read_header(path);
        if (header.is_source) {
            build.notes.push_back(fmt::format("{} is a source package and was left out.", path.filename().string()));
        } else {
            packages.push_back(concerns_a_kernel(header.package) ? read_rpm(path, keyring) : std::move(header.package));
        }
        progress.advance(++done, static_cast<double>(listing.packages.size()), -1);
    }
    Kernels found = find_kernels(packages, build.directory.string());
    if (found.kernels.empty()) {
        refuse_without_kernel(build.directory, listing, packages);
    }
    build.nvr = std::move(found.nvr);
    build.kernels = std::move(found.kernels);
    build.notes.insert(build.notes.end(), found.notes.begin(), found.notes.end());
    return build;
}

}  // namespace bootbudget::packages
