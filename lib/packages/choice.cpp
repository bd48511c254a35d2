// SPDX-License-Identifier: GPL-2.0-or-later
// A report is about one build. A repository holds earlier ones too, of which nobody asks; but kernels of two source packages are two things, and which of them is
// meant cannot be guessed.
#include "packages/choice.hpp"

#include "common/units.hpp"

#include <fmt/format.h>
#include <rpm/rpmver.h>
#include <bootbudget/error.hpp>

#include <algorithm>
#include <map>
#include <memory>

namespace bootbudget::packages {

namespace {

struct FreeVersion {
    void operator()(rpmver version) const noexcept { rpmverFree(version); }
};
using VersionOwner = std::unique_ptr<std::remove_pointer_t<rpmver>, FreeVersion>;

bool is_older(const KernelBuild & left, const KernelBuild & right) {
    const VersionOwner l(rpmverParse(left.evr.c_str()));
    const VersionOwner r(rpmverParse(right.evr.c_str()));
    return l && r && rpmverCmp(l.get(), r.get()) < 0;
}

std::string names_of(const std::vector<KernelBuild> & builds) {
    std::vector<std::string> names;
    names.reserve(builds.size());
    for (const KernelBuild & build : builds) {
        names.push_back(build.nvr);
    }
    return list_of(names);
}

}  // namespace

std::string list_of(const std::vector<std::string> & names, std::size_t most) {
    std::string result;
    for (std::size_t i = 0; i < std::min(most, names.size()); ++i) {
        result += (i == 0 ? "" : ", ") + names[i];
    }
    return names.size() > most ? fmt::format("{} and {} more", result, names.size() - most) : result;
}

std::string KernelBuild::name() const {
    const auto release = nvr.rfind('-');
    const auto version = release == std::string::npos || release == 0 ? release : nvr.rfind('-', release - 1);
    return version == std::string::npos ? nvr : nvr.substr(0, version);
}

KernelBuild choose_build(
    const std::vector<KernelBuild> & builds, const std::string & select, Several several, const std::string & where) {
    const auto named =
        std::find_if(builds.begin(), builds.end(), [&](const KernelBuild & build) { return build.nvr == select; });
    if (named != builds.end()) {
        return *named;
    }
    std::map<std::string, KernelBuild> newest;
    for (const KernelBuild & build : builds) {
        const auto [place, is_first] = newest.emplace(build.name(), build);
        if (!is_first && is_older(place->second, build)) {
            place->second = build;
        }
    }
    if (const auto of_name = newest.find(select); of_name != newest.end()) {
        return of_name->second;
    }
    if (!select.empty()) {
        throw UserError(fmt::format(
            "{} holds no build \"{}\" with a kernel in it; those there are: {}.",
            where,
            common::printable(select, 200),
            names_of(builds)));
    }
    if (several == Several::MISTAKE && builds.size() > 1) {
        throw UserError(fmt::format(
            "{} holds kernels of {} builds, {}: give a directory that holds one of them, or name one with --select.",
            where,
            builds.size(),
            names_of(builds)));
    }
    if (newest.size() > 1) {
        std::vector<std::string> names;
        for (const auto & [name, build] : newest) {
            names.push_back(build.nvr);
        }
        throw UserError(fmt::format(
            "{} holds kernels of {} source packages, the newest of each {}: name one with --select, such as --select "
            "{}.",
            where,
            names.size(),
            list_of(names),
            newest.begin()->first));
    }
    return newest.begin()->second;
}

}  // namespace bootbudget::packages
