// SPDX-License-Identifier: GPL-2.0-or-later
// All builds are found and verified before the first is unpacked: what is wrong with the last is told at once.
#include "run/builds.hpp"

#include "packages/keyring.hpp"
#include "run/means.hpp"

#include <fmt/format.h>

#include <optional>

namespace bootbudget::run {

std::vector<std::pair<BuildRole, packages::FoundBuild>> find_builds(
    const Request & request, Progress & progress, std::stop_token stop) {
    std::optional<packages::Keyring> keyring;
    if (!request.keyring.empty()) {
        keyring.emplace(request.keyring);
    }
    std::vector<std::pair<BuildRole, packages::FoundBuild>> builds;
    for (const auto & [role, where] : builds_of(request)) {
        auto found = packages::find_build(where, progress, stop, keyring ? &*keyring : nullptr);
        for (const auto & kernel : found.kernels) {
            if (keyring && kernel.boot_set.empty() && kernel.not_bootable.empty()) {
                throw UserError(fmt::format(
                    "the kernel {} of {} does not come from packages, so it has no signature that --keyring could "
                    "demand; give the packages, or leave --keyring out.",
                    kernel.release,
                    where));
            }
        }
        builds.emplace_back(role, std::move(found));
    }
    return builds;
}

}  // namespace bootbudget::run
