// SPDX-License-Identifier: GPL-2.0-or-later
// All builds are found and verified before the first is unpacked: what is wrong with the last is told at once.
#include "run/builds.hpp"

#include "packages/keyring.hpp"

#include <fmt/format.h>

#include <memory>

namespace bootbudget::run {

namespace {

std::vector<std::pair<BuildRole, packages::Place>> builds_of(const Request & request) {
    std::shared_ptr<const packages::Keyring> keyring;
    if (!request.keyring.empty()) {
        keyring = std::make_shared<packages::Keyring>(request.keyring);
    }
    std::vector<std::pair<BuildRole, packages::Place>> builds{
        {BuildRole::SUBJECT, {request.where, request.select, request.cache, keyring}}};
    if (!request.against.empty()) {
        builds.emplace_back(
            BuildRole::AGAINST, packages::Place{request.against, request.select_against, request.cache, keyring});
    }
    return builds;
}

}  // namespace

std::vector<std::pair<BuildRole, packages::FoundBuild>> find_builds(
    const Request & request, Progress & progress, std::stop_token stop) {
    std::vector<std::pair<BuildRole, packages::FoundBuild>> builds;
    for (const auto & [role, place] : builds_of(request)) {
        auto found = packages::find_build(place, progress, stop);
        for (const auto & kernel : found.kernels) {
            if (place.keyring && kernel.boot_set.empty() && kernel.not_bootable.empty()) {
                throw UserError(fmt::format(
                    "the kernel {} of {} does not come from packages, so it has no signature that --keyring could "
                    "demand; give the packages, or leave --keyring out.",
                    kernel.release,
                    place.where));
            }
        }
        builds.emplace_back(role, std::move(found));
    }
    return builds;
}

}  // namespace bootbudget::run
