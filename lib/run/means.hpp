// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "boot/boot.hpp"
#include "common/account.hpp"
#include "packages/where.hpp"
#include "policy/judge.hpp"
#include "policy/policy.hpp"

#include <bootbudget/check.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

namespace bootbudget::run {

/// With what the boots of a check are made.
struct Means {
    boot::Settings settings;      ///< `counting` is absent where instructions cannot be counted, or need not be
    std::string counter_missing;  ///< why they cannot, as half a sentence; empty if they can, or need not be
    std::string counter;          ///< in words, for the report; empty if no budget needs it
    std::vector<policy::Needs>
        needs;               ///< by index of the variants; what cannot be counted is timed, to be at least seen to boot
    std::uint64_t seed = 0;  ///< of the order of the boots
    int jobs = 1;            ///< counted boots side by side, at most: as many as the policy allows and memory can hold
    std::vector<std::string> notes;  ///< where that is less than the policy allows
};

/// How many guests of `guest` bytes can run side by side, at most `jobs` and at least one, with `available` bytes of memory; all if that is not known.
int jobs_within(int jobs, std::uint64_t guest, std::optional<std::uint64_t> available);

/// What the policy's budgets on these variants need of the machine: the counter is looked for only if one of them counts instructions. It is tried in `work`.
Means means_of(
    const Request & request,
    const policy::Policy & policy,
    const std::vector<Variant> & variants,
    const std::filesystem::path & work,
    const common::Account & account,
    std::stop_token stop);

/// The QEMU that the request names, absolute; empty if it names none. UserError if there is no such program.
std::filesystem::path qemu_of(const Request & request, const common::Account & account, std::stop_token stop);

/// The builds that a request names, the one under test first.
std::vector<std::pair<BuildRole, packages::Place>> builds_of(const Request & request);

}  // namespace bootbudget::run
