// SPDX-License-Identifier: GPL-2.0-or-later
// All builds are found, and what is here of them is verified, before the first is unpacked: what is wrong with the last is told at once.
#include "run/builds.hpp"

#include "packages/keyring.hpp"
#include "run/means.hpp"

#include <fmt/format.h>

#include <memory>

namespace bootbudget::run {

std::vector<std::pair<BuildRole, packages::FoundBuild>> find_builds(
    const Request & request, Progress & progress, std::stop_token stop) {
    std::shared_ptr<const packages::Keyring> keyring;
    if (!request.keyring.empty()) {
        keyring = std::make_shared<packages::Keyring>(request.keyring);
    }
    std::vector<std::pair<BuildRole, packages::FoundBuild>> builds;
    for (const auto & [role, place] : builds_of(request)) {
        auto found = packages::find_build(place, progress, stop, keyring);
        for (const auto & kernel : found.kernels) {
            if (keyring && kernel.boot_set.empty() && kernel.not_bootable.empty()) {
                throw UserError(fmt::format(
                    "the kernel {} of {} does not come from packages, so it has no signature that --keyring could "
                    "demand; give the packages, or leave --keyring out.",
                    kernel.release,
                    found.where));
            }
        }
        builds.emplace_back(role, std::move(found));
    }
    return builds;
}

}  // namespace bootbudget::run
