// SPDX-License-Identifier: GPL-2.0-or-later
// A kernel of a repository weighs a hundred megabytes and more, of which its kind is told by one package and most are never asked for. So packages come when they
// are about to be looked into, and from then on are what they really are, not what the metadata said.
#include "packages/where.hpp"

#include <fmt/format.h>
#include <bootbudget/error.hpp>

#include <algorithm>
#include <map>

namespace bootbudget::packages {

namespace {

// "0:1-1" and "1-1" are one version.
std::string_view without_zero_epoch(std::string_view evr) {
    return evr.starts_with("0:") ? evr.substr(2) : evr;
}

void require_promised(const RpmFile & promised, const RpmFile & got, const std::string & url) {
    if (promised.name != got.name || promised.arch != got.arch ||
        without_zero_epoch(promised.evr) != without_zero_epoch(got.evr)) {
        throw UserError(fmt::format(
            "{} is {}, but its repository says that it is {}; the repository is damaged.",
            url,
            got.nevra,
            promised.nevra));
    }
}

}  // namespace

void obtain(
    FoundBuild & build,
    const std::vector<std::size_t> & kernels,
    Extent extent,
    Progress & progress,
    std::stop_token stop) {
    if (!build.remote) {
        return;
    }
    std::map<std::string, std::vector<RpmFile *>> missing;
    for (const std::size_t i : kernels) {
        auto & packages = build.kernels.at(i).boot_set;
        const std::size_t count = extent == Extent::CORE ? std::min<std::size_t>(1, packages.size()) : packages.size();
        for (std::size_t j = 0; j < count; ++j) {
            if (packages[j].path.empty()) {
                missing[packages[j].nevra].push_back(&packages[j]);
            }
        }
    }
    std::vector<net::Download> downloads;
    for (const auto & [nevra, wanted] : missing) {
        downloads.push_back(build.remote->packages.at(nevra));
    }
    if (downloads.empty()) {
        return;
    }
    const auto files = net::fetch(downloads, build.remote->fetch, progress, stop);
    std::size_t next = 0;
    for (const auto & [nevra, wanted] : missing) {
        if (stop.stop_requested()) {
            throw Cancelled(fmt::format("Reading the packages of {} was cancelled.", build.where));
        }
        const RpmFile package = read_rpm(files.at(next), build.remote->keyring.get());
        require_promised(*wanted.front(), package, downloads[next].what);
        for (RpmFile * place : wanted) {
            *place = package;
        }
        ++next;
    }
}

}  // namespace bootbudget::packages
