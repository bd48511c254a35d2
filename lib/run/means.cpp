// SPDX-License-Identifier: GPL-2.0-or-later
// Where nothing is to be counted, a QEMU without plugins is as good as any, so the counter is asked for only when some budget needs it.
#include "run/means.hpp"

#include "boot/qemu_choice.hpp"
#include "common/machine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <random>

namespace bootbudget::run {

namespace {

boot::Settings settings_of(const policy::BootRules & rules) {
    boot::Settings settings;
    settings.timeout = rules.timeout;
    settings.stall = rules.stall;
    settings.memory_bytes = rules.memory_bytes;
    settings.append = rules.append;
    return settings;
}

}  // namespace

Means means_of(
    const Request & request,
    const policy::Policy & policy,
    const std::vector<Variant> & variants,
    const std::filesystem::path & work,
    const common::Account & account,
    std::stop_token stop) {
    Means means;
    means.settings = settings_of(policy.boot);
    means.settings.qemu = qemu_of(request, account, stop);
    means.seed = request.seed ? *request.seed : std::random_device()() | 1U;
    means.needs = policy::needs_of(policy, variants, common::machine_arch());
    if (std::none_of(means.needs.begin(), means.needs.end(), [](const policy::Needs & of) { return of.counted; })) {
        return means;
    }
    auto support = boot::probe_counter(means.settings.qemu, work, account, std::move(stop));
    means.counter = boot::describe(support);
    means.counter_missing = support.unavailable;
    means.settings.counting = std::move(support.counting);
    means.jobs = jobs_within(policy.sampling.jobs, policy.boot.memory_bytes, common::available_memory());
    if (means.jobs < policy.sampling.jobs) {
        means.notes.push_back(fmt::format(
            "Of the {} counted boots side by side that the policy allows, the memory available here holds {}.",
            policy.sampling.jobs,
            means.jobs));
    }
    if (means.settings.counting) {
        means.settings.qemu = means.settings.counting->qemu;  // timed boots run the same
        return means;
    }
    for (auto & needs : means.needs) {
        needs = {needs.timed || needs.counted, false};
    }
    return means;
}

int jobs_within(int jobs, std::uint64_t guest, std::optional<std::uint64_t> available) {
    constexpr std::uint64_t BESIDE_THE_GUEST = std::uint64_t{256} << 20U;  // QEMU's translated code, the tool
    if (!available) {
        return jobs;
    }
    const std::uint64_t fit = *available / (guest + BESIDE_THE_GUEST);
    return static_cast<int>(std::clamp<std::uint64_t>(fit, 1, static_cast<std::uint64_t>(jobs)));
}

std::filesystem::path qemu_of(const Request & request, const common::Account & account, std::stop_token stop) {
    if (request.qemu.empty()) {
        return {};
    }
    auto qemu = boot::choose_qemu(std::filesystem::absolute(request.qemu), account, std::move(stop));
    if (qemu.empty()) {
        throw UserError(fmt::format(
            "The QEMU {} does not exist or is not a program; name one such as /usr/bin/qemu-system-x86_64 with --qemu, "
            "or leave the choice to libguestfs.",
            request.qemu.string()));
    }
    return qemu;
}

std::vector<std::pair<BuildRole, packages::Place>> builds_of(const Request & request) {
    std::vector<std::pair<BuildRole, packages::Place>> builds{
        {BuildRole::SUBJECT, {request.where, request.select, request.cache}}};
    if (!request.against.empty()) {
        builds.emplace_back(
            BuildRole::AGAINST, packages::Place{request.against, request.select_against, request.cache});
    }
    return builds;
}

}  // namespace bootbudget::run
