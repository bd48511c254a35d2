// SPDX-License-Identifier: GPL-2.0-or-later
// The main job from one end to the other: packages become boot trees, boot trees become samples, samples become verdicts, and all of it becomes a report
// directory that appears in one step. Everything on the way lives in one temporary directory and in the unfinished report, both of which are gone however this ends.
#include <bootbudget/check.hpp>

#include "boot/boot.hpp"
#include "common/account.hpp"
#include "common/digest.hpp"
#include "common/temporary_directory.hpp"
#include "common/units.hpp"
#include "packages/where.hpp"
#include "report/output_directory.hpp"
#include "run/builds.hpp"
#include "run/means.hpp"
#include "run/preflight.hpp"
#include "run/sampling.hpp"
#include "run/subject.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <iterator>
#include <optional>

namespace bootbudget {

namespace fs = std::filesystem;

namespace {

/// A directory that the boots' account may write to and nobody else may.
fs::path private_directory(const fs::path & path, const common::Account & account) {
    if (::mkdir(path.c_str(), 0700) != 0) {
        throw SystemError(fmt::format("cannot create the directory {}", path.string()), errno);
    }
    common::give_to(path, account);
    return path;
}

boot::Bootable make_bootable(
    const run::Subject & subject,
    const fs::path & work,
    const fs::path & sockets,
    std::size_t index,
    const common::Account & account) {
    boot::Bootable bootable;
    bootable.tree = *subject.tree;
    bootable.account = account;
    bootable.cache = private_directory(work / fmt::format("c{}", index), account);
    bootable.temporary = private_directory(sockets / fmt::format("t{}", index), account);
    bootable.home = private_directory(work / fmt::format("h{}", index), account);
    bootable.counter = work / fmt::format("k{}", index);
    if (::mkdir(bootable.counter.c_str(), 0755) != 0 || ::chmod(bootable.counter.c_str(), 0755) != 0) {
        throw SystemError(fmt::format("cannot create the directory {}", bootable.counter.string()), errno);
    }
    return bootable;
}

/// With the packages that were looked into: of a repository, those that were downloaded.
Build describe_build(const packages::FoundBuild & found, BuildRole role) {
    Build build;
    build.role = role;
    build.where = found.where;
    build.nvr = found.nvr;
    for (const auto & kernel : found.kernels) {
        for (const auto & package : kernel.boot_set) {
            if (!package.path.empty()) {
                build.packages.push_back({package.nevra, package.sha256, package.signature});
            }
        }
    }
    return build;
}

/// The environment as the boots themselves showed it.
void complete_environment(Environment & environment, const std::vector<run::Series> & series) {
    for (const auto & one : series) {
        for (const auto & sample : one.variant->samples) {
            if (sample.valid) {
                environment.qemu_command = sample.qemu_command;
                environment.guest_command_line = sample.guest_command_line;
                environment.fingerprint =
                    boot::fingerprint(environment, sample, boot::appliance_digest(one.bootable.cache));
                return;
            }
        }
    }
}

}  // namespace

Report check(const Request & request, Progress & progress, std::stop_token stop) {
    Report report;
    report.tool_version = BOOTBUDGET_VERSION;
    report.started = common::utc_now();

    const auto policy = policy::load_or_throw(request.policy);
    report.policy = {policy.file.string(), common::sha256(policy.text), policy.text};
    const auto account = common::account_for_boots(request.user);
    const auto qemu = run::qemu_of(request, account, stop);
    const auto base = run::work_base(request.work_directory);
    common::remove_stale(base);

    report::OutputDirectory output(request.output);
    common::TemporaryDirectory work(base);
    std::optional<common::TemporaryDirectory>
        sockets;  // used where the work directory's path is too long for their names
    if (!boot::fits_sockets(work.path() / "t999")) {
        common::remove_stale("/tmp");
        sockets.emplace("/tmp");
    }
    run::require_means(work.path(), account, stop);

    std::vector<run::Subject> subjects;
    for (auto & [role, found] : run::find_builds(request, progress, stop)) {
        report.notes.insert(report.notes.end(), found.notes.begin(), found.notes.end());
        auto prepared = run::prepare_subjects(found, role, policy, work.path(), run::Depth::BOOT, progress, stop);
        report.builds.push_back(describe_build(found, role));
        std::move(prepared.begin(), prepared.end(), std::back_inserter(subjects));
    }
    report.environment = boot::probe_environment(qemu, account, stop);

    report.variants.reserve(subjects.size());  // series point into it
    std::vector<run::Series> series;
    for (const auto & subject : subjects) {
        report.variants.push_back(subject.variant);
        if (subject.is_booted()) {
            series.push_back(
                {&report.variants.back(),
                 make_bootable(subject, work.path(), sockets ? sockets->path() : work.path(), series.size(), account)});
        }
    }

    const auto means = run::means_of(request, policy, report.variants, work.path(), account, stop);
    report.sampling = {means.seed, means.jobs};
    report.notes.insert(report.notes.end(), means.notes.begin(), means.notes.end());
    report.environment.counter = means.counter;
    auto sampled = run::sample_all(policy, report.variants, series, means, output.logs(), progress, stop);
    report.budgets = std::move(sampled.judged.budgets);
    report.findings = std::move(sampled.judged.findings);
    report.verdict = sampled.judged.verdict;
    report.exit_status = sampled.judged.exit_status;
    report.notes.insert(report.notes.end(), sampled.notes.begin(), sampled.notes.end());
    complete_environment(report.environment, series);
    report.finished = common::utc_now();
    output.commit(report);
    if (request.keep_work) {
        progress.step(fmt::format("boot trees kept in {}", work.keep().string()));
    }
    return report;
}

}  // namespace bootbudget
