// SPDX-License-Identifier: GPL-2.0-or-later
// Headers are read first, because a directory may hold gigabytes of debuginfo; only packages that have to do with a kernel are read and verified
// whole. Everything wrong is found here, before anything is unpacked or booted.
#include "packages/where.hpp"

#include "common/units.hpp"
#include "packages/boot_set.hpp"
#include "packages/directory.hpp"
#include "packages/installed.hpp"
#include "packages/package_header.hpp"
#include "packages/repository.hpp"

#include <fmt/format.h>
#include <sys/utsname.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>

namespace bootbudget::packages {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view TREE = "tree:";

constexpr std::string_view INSTALLED = "installed";

void refuse_unknown_forms(const std::string & where) {
    if (where.empty()) {
        throw UserError(
            "no packages were given; name a directory of RPMs, a repository's URL, tree:DIRECTORY or installed.");
    }
    if (where.starts_with("koji:")) {
        throw UserError(fmt::format(
            "\"{}\" (a build in Koji) is not supported by this version; give a directory of RPMs, or the URL of a "
            "repository that has the build in it.",
            common::printable(where, 200)));
    }
    if (where.find("://") != std::string::npos && !is_repository(where)) {
        throw UserError(fmt::format(
            "\"{}\" is neither a directory nor the URL of a repository; URLs begin with https://, http:// or file://.",
            common::printable(where, 200)));
    }
}

std::string running_release() {
    utsname names{};
    ::uname(&names);
    return names.release;
}

FoundBuild find_tree(const Place & place) {
    FoundBuild build;
    build.is_tree = true;
    const fs::path given = place.where.substr(TREE.size());
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
    keep_selected(build, place.select, fmt::format("in the tree {}", build.directory.string()));
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

FoundBuild find_directory(
    const Place & place, Progress & progress, std::stop_token stop, const std::shared_ptr<const Keyring> & keyring) {
    FoundBuild build;
    build.directory = fs::absolute(place.where);
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
            packages.push_back(
                concerns_a_kernel(header.package) ? read_rpm(path, keyring.get()) : std::move(header.package));
        }
        progress.advance(++done, static_cast<double>(listing.packages.size()), -1);
    }
    Kernels found = find_kernels(packages, build.directory.string(), place.select);
    if (found.kernels.empty()) {
        refuse_without_kernel(build.directory, listing, packages);
    }
    build.nvr = std::move(found.nvr);
    build.kernels = std::move(found.kernels);
    build.notes.insert(build.notes.end(), found.notes.begin(), found.notes.end());
    return build;
}

FoundBuild find(
    const Place & place, Progress & progress, std::stop_token stop, const std::shared_ptr<const Keyring> & keyring) {
    if (place.where.starts_with(TREE)) {
        return find_tree(place);
    }
    if (place.where == INSTALLED) {
        return find_installed("/", running_release(), place.select);
    }
    if (!is_repository(place.where)) {
        return find_directory(place, progress, std::move(stop), keyring);
    }
    FoundBuild build = find_repository(place, progress, std::move(stop));
    build.remote->keyring = keyring;
    return build;
}

}  // namespace

FoundBuild find_build(
    const Place & place, Progress & progress, std::stop_token stop, const std::shared_ptr<const Keyring> & keyring) {
    refuse_unknown_forms(place.where);
    FoundBuild build = find(place, progress, std::move(stop), keyring);
    if (build.where.empty()) {
        build.where = place.where;
    }
    return build;
}

}  // namespace bootbudget::packages
