// SPDX-License-Identifier: GPL-2.0-or-later
// A kernel's name says little: which variant it is comes from its configuration, so every kernel is unpacked at least that far before the policy is
// asked. Only those that the policy measures are unpacked whole.
#include "run/subject.hpp"

#include "common/machine.hpp"
#include "kernel/kind.hpp"
#include "kernel/release.hpp"
#include "policy/match.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

namespace bootbudget::run {

namespace fs = std::filesystem;

namespace {

void describe(Subject & subject) {
    const auto & rules = kernel::kind_rules();
    const auto decision = kernel::decide_kind(subject.tree->configuration, rules);
    auto & variant = subject.variant;
    variant.kind = decision.kind;
    variant.why.push_back(decision.why);
    if (decision.kind == Kind::DEBUG && variant.release.find("debug") == std::string::npos) {
        variant.why.push_back(
            "Its name does not say so: it was built from a debug configuration without \"+debug\" in its release.");
    }
    if (decision.kind == Kind::NODEBUG && variant.release.find("debug") != std::string::npos) {
        variant.why.push_back("Its release says \"debug\", but its configuration has too few debug options on.");
    }
    variant.arch = subject.tree->arch;
    for (const auto & reason :
         {subject.found.not_bootable,
          kernel::obstacle(*subject.tree, common::machine_arch()),
          packages::missing_driver(*subject.tree, subject.found)}) {
        if (subject.not_booted.empty()) {
            subject.not_booted = reason;
        }
    }
}

/// Where in its list a difference comes: what makes a kernel debug, then what only the debug kernel has, then the rest.
int rank(const ConfigDifference & difference, Kind kind) {
    const bool debug = kind == Kind::DEBUG;
    const std::string & in_debug = debug ? difference.value : difference.against;
    const std::string & in_plain = debug ? difference.against : difference.value;
    if (difference.decides_kind) {
        return 0;
    }
    return in_debug != "n" && in_plain == "n" ? 1 : 2;
}

/// What differs from the kernel of the other kind with the same flavour: the options that a packager would look at first come first.
void compare_with_peers(std::vector<Subject> & subjects) {
    const auto & rules = kernel::kind_rules();
    for (auto & subject : subjects) {
        if (!subject.tree) {
            continue;
        }
        const auto peer = std::find_if(subjects.begin(), subjects.end(), [&](const Subject & other) {
            return other.tree && other.variant.kind != subject.variant.kind &&
                   other.variant.flavour == subject.variant.flavour && other.variant.arch == subject.variant.arch;
        });
        if (peer == subjects.end()) {
            continue;
        }
        auto & variant = subject.variant;
        variant.peer = peer->variant.release;
        for (auto & difference : kernel::differences(subject.tree->configuration, peer->tree->configuration)) {
            const bool decides = kernel::decides_kind(rules, difference.option);
            variant.config_differs.push_back({difference.option, difference.left, difference.right, decides});
        }
        std::stable_sort(
            variant.config_differs.begin(), variant.config_differs.end(), [&](const auto & left, const auto & right) {
                return rank(left, variant.kind) < rank(right, variant.kind);
            });
    }
}

void match_variants(std::vector<Subject> & subjects, const policy::Policy & policy) {
    std::vector<policy::Candidate> candidates;
    std::vector<Subject *> owners;
    for (auto & subject : subjects) {
        if (subject.tree) {
            const auto & variant = subject.variant;
            candidates.push_back(
                {variant.release, variant.arch, variant.kind, variant.flavour, &subject.tree->configuration});
            owners.push_back(&subject);
        }
    }
    for (auto & subject : subjects) {
        if (!subject.not_booted.empty()) {
            subject.variant.why.push_back(subject.not_booted);
        }
    }
    const auto matches = policy::match(policy, candidates);
    for (std::size_t i = 0; i < matches.size(); ++i) {
        auto & subject = *owners[i];
        subject.variant.name = matches[i].variant;
        if (!matches[i].why.empty()) {
            subject.variant.why.push_back(matches[i].why);
        }
        if (matches[i].variant.empty() && subject.not_booted.empty()) {
            subject.not_booted = "The policy does not measure it.";
        }
    }
    for (auto & subject : subjects) {
        subject.variant.not_booted = subject.not_booted;
    }
}

/// "tree0", "against-plan1".
fs::path directory_of(const fs::path & trees, BuildRole role, std::size_t index, Depth depth) {
    const auto * prefix = role == BuildRole::AGAINST ? "against-" : "";
    return trees / fmt::format("{}{}{}", prefix, depth == Depth::PLAN ? "plan" : "tree", index);
}

void make_directory(const fs::path & path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error) {
        throw SystemError(fmt::format("cannot create the directory {}", path.string()), error.value());
    }
    fs::permissions(path, fs::perms(0755));  // boots run as another account, whatever our umask is
}

}  // namespace

std::vector<Subject> prepare_subjects(
    packages::FoundBuild & build,
    BuildRole role,
    const policy::Policy & policy,
    const fs::path & trees,
    Depth depth,
    Progress & progress,
    std::stop_token stop) {
    std::vector<std::size_t> all(build.kernels.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    packages::obtain(build, all, packages::Extent::CORE, progress, stop);

    std::vector<Subject> subjects;
    for (const auto & found : build.kernels) {
        Subject subject;
        subject.found = found;
        subject.variant.build = role;
        subject.variant.release = found.release;
        subject.variant.arch = kernel::arch_of(found.release);
        subject.variant.flavour = kernel::flavour_of(found.release);
        subject.variant.why = found.notes;
        if (found.not_bootable.empty() || !found.boot_set.empty()) {
            // Incomplete or not: which variant it is must be known, so that it is missed where the policy measures it.
            const auto root = directory_of(trees, role, subjects.size(), Depth::PLAN);
            make_directory(root);
            subject.tree = packages::unpack_kernel(build, found, root, true, stop);
            describe(subject);
        } else {
            subject.not_booted = found.not_bootable;
        }
        subjects.push_back(std::move(subject));
    }
    compare_with_peers(subjects);
    match_variants(subjects, policy);

    if (depth == Depth::BOOT) {
        std::erase_if(all, [&](std::size_t i) { return !subjects[i].is_booted(); });
        packages::obtain(build, all, packages::Extent::ALL, progress, stop);
        for (std::size_t i = 0; i < subjects.size(); ++i) {
            auto & subject = subjects[i];
            if (!subject.is_booted()) {
                continue;
            }
            progress.step(fmt::format("unpacking {}", subject.variant.release));
            const auto root = directory_of(trees, role, i, Depth::BOOT);
            make_directory(root);
            subject.found = build.kernels[i];
            subject.tree = packages::unpack_kernel(build, subject.found, root, false, stop);
        }
    }
    return subjects;
}

fs::path work_base(const fs::path & requested) {
    fs::path base = requested;
    if (base.empty()) {
        const char * variable = std::getenv("TMPDIR");  // NOLINT(concurrency-mt-unsafe)
        base = variable != nullptr && *variable != '\0' ? variable : "/var/tmp";
    }
    std::error_code error;
    if (!fs::is_directory(base, error)) {
        throw UserError(fmt::format(
            "The work directory {} does not exist or is not a directory; create it or choose another with --work-dir.",
            base.string()));
    }
    base = fs::absolute(base);
    if (base.string().find(',') != std::string::npos) {
        throw UserError(fmt::format(
            "The work directory {} has a comma in its path, which libguestfs cannot hand to QEMU; choose another with "
            "--work-dir.",
            base.string()));
    }
    return base;
}

}  // namespace bootbudget::run
