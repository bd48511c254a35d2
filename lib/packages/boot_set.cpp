// SPDX-License-Identifier: GPL-2.0-or-later
// Which packages a boot needs is not read from their names, which differ between flavours and distributions. libsolv says what must be there with the package that
// owns the image. It would never add a package only because a driver of the guest's machine is in it, so those are asked for by their files. And no more:
// supermin loads every crc*.ko it finds, and those of -modules-internal are self-tests.
#include "packages/boot_set.hpp"

#include "packages/build_solver.hpp"
#include "packages/choice.hpp"
#include "packages/share.hpp"

#include <fmt/format.h>
#include <bootbudget/error.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace bootbudget::packages {

namespace {

const Share * share_of(const Group & group, const Member * member) {
    const auto share =
        std::find_if(group.shares.begin(), group.shares.end(), [&](const Share & one) { return one.member == member; });
    return share == group.shares.end() ? nullptr : &*share;
}

std::set<std::string> drivers_of(const Group & group, const std::vector<const Member *> & members) {
    std::set<std::string> drivers;
    for (const Member * member : members) {
        if (const Share * share = share_of(group, member)) {
            drivers.insert(share->drivers.begin(), share->drivers.end());
        }
    }
    return drivers;
}

// What must be there with the core, and with a holder of each driver that then is not held. A driver that cannot be had is noted: only the configuration, which
// is not known yet, can tell whether it is needed.
Solution choose(const BuildSolver & solver, const Group & group, const Member * core, FoundKernel & kernel) {
    std::vector<std::vector<const Member *>> wishes{{core}};
    Solution best = solver.solve(wishes);
    if (!best.problem.empty()) {
        kernel.not_bootable = fmt::format(
            "The packages of {} do not make a whole: {}. Add the package that is missing.",
            kernel.release,
            best.problem);
        best.chosen = {core};
        return best;
    }
    std::set<std::string> tried = drivers_of(group, best.chosen);
    for (const Share & share : group.shares) {
        for (const std::string & driver : share.drivers) {
            if (!tried.insert(driver).second || share.package().source_nvr != core->package.source_nvr) {
                continue;
            }
            std::vector<const Member *> holders;
            for (const Share & other : group.shares) {
                if (other.drivers.count(driver) != 0 && other.package().source_nvr == core->package.source_nvr) {
                    holders.push_back(other.member);
                }
            }
            wishes.push_back(std::move(holders));
            Solution more = solver.solve(wishes);
            if (more.problem.empty()) {
                best = std::move(more);
                const auto held = drivers_of(group, best.chosen);
                tried.insert(held.begin(), held.end());
            } else {
                wishes.pop_back();
                kernel.notes.push_back(
                    fmt::format("The driver {} of {} was left out: {}.", driver, share.package().nevra, more.problem));
            }
        }
    }
    return best;
}

// The core first, then by name; packages that own nothing of the tree add nothing to it.
std::vector<const Member *> boot_set_of(const Solution & solution, const Group & group, const Member * core) {
    std::vector<const Member *> result{core};
    for (const Member * member : solution.chosen) {
        const Share * const share = share_of(group, member);
        if (member != core && share != nullptr && share->owns_something()) {
            result.push_back(member);
        }
    }
    std::sort(result.begin() + 1, result.end(), [](const Member * a, const Member * b) {
        return a->package.nevra < b->package.nevra;
    });
    return result;
}

const Share * core_of(const Group & group) {
    const Share * core = nullptr;
    const auto rank = [](const Share & share) { return std::pair(share.image, share.provides_kernel); };
    for (const Share & share : group.shares) {
        if (share.image != Image::NONE && (core == nullptr || rank(share) > rank(*core))) {
            core = &share;
        }
    }
    return core;
}

std::string why_without_core(const Group & group) {
    std::vector<std::string> unified;
    std::vector<std::string> all;
    for (const Share & share : group.shares) {
        if (share.unified_image) {
            unified.push_back(share.package().nevra);
        }
        all.push_back(share.package().nevra);
    }
    if (unified.empty()) {
        return fmt::format(
            "No package here holds the image of {} (lib/modules/{}/vmlinuz); those here are {}.",
            group.release,
            group.release,
            list_of(all));
    }
    return fmt::format(
        "The kernel {} is here only as a unified kernel image ({}), which cannot be booted with another initramfs; add "
        "its -core package.",
        group.release,
        list_of(unified));
}

// Other images, and what an empty package that names the whole kernel tells to be missing.
void add_notes(const Group & group, const Share & core, FoundKernel & kernel) {
    for (const Share & share : group.shares) {
        if (share.image == core.image && &share != &core) {
            kernel.notes.push_back(fmt::format(
                "{} holds an image of {} too; that of {} is booted.",
                share.package().nevra,
                group.release,
                core.package().nevra));
        }
        if (share.owns_something() || !share.package().files.empty()) {
            continue;
        }
        for (const Capability & need : share.needs) {
            const bool answered = std::any_of(group.shares.begin(), group.shares.end(), [&need](const Share & other) {
                return other.offers_to(need);
            });
            if (!answered) {
                kernel.notes.push_back(fmt::format(
                    "{} requires {} = {}, which no package here provides; the kernel is booted without it.",
                    share.package().nevra,
                    need.name,
                    need.version));
            }
        }
    }
}

// One package of each NEVRA.
std::vector<const Member *> without_copies(const Universe & universe, std::vector<std::string> & notes) {
    std::map<std::string, const RpmFile *> seen;
    std::vector<const Member *> result;
    for (const Member & member : universe.members()) {
        const RpmFile & package = member.package;
        const auto [first, is_new] = seen.emplace(package.nevra, &package);
        if (is_new) {
            result.push_back(&member);
        } else if (first->second->sha256 == package.sha256) {
            notes.push_back(fmt::format(
                "{} is a copy of {} and was left out.", package.path.string(), first->second->path.string()));
        } else {
            throw UserError(fmt::format(
                "{} and {} are two different packages of the same name, {}: leave one of them.",
                first->second->path.string(),
                package.path.string(),
                package.nevra));
        }
    }
    return result;
}

std::vector<KernelBuild> builds_of(const std::vector<Group> & groups) {
    std::map<std::string, KernelBuild> builds;
    for (const Group & group : groups) {
        for (const Share & share : group.shares) {
            if (share.image != Image::NONE || share.unified_image || share.provides_kernel) {
                builds.emplace(
                    share.package().source_nvr, KernelBuild{share.package().source_nvr, share.package().evr});
            }
        }
    }
    std::vector<KernelBuild> result;
    for (auto & [nvr, build] : builds) {
        result.push_back(std::move(build));
    }
    return result;
}

bool belongs_to(const Group & group, const std::string & nvr) {
    return std::any_of(group.shares.begin(), group.shares.end(), [&](const Share & share) {
        return share.package().source_nvr == nvr &&
               (share.image != Image::NONE || share.unified_image || share.provides_kernel);
    });
}

// What the host was taken to have, said once where it is the same for all kernels.
void add_given(const std::map<std::string, std::vector<std::string>> & given, std::vector<std::string> & notes) {
    constexpr std::size_t NAMED = 8;
    std::map<std::vector<std::string>, std::vector<std::string>> releases;
    for (const auto & [release, names] : given) {
        if (!names.empty()) {
            releases[names].push_back(release);
        }
    }
    for (const auto & [names, of] : releases) {
        notes.push_back(fmt::format(
            "Taken as given{}: {} (needs of an installed kernel that a boot does not have).",
            releases.size() == 1 ? "" : " for " + list_of(of),
            list_of(names, NAMED)));
    }
}

// One kernel while its boot set is chosen.
struct Choosing {
    Universe & universe;
    std::vector<std::string> releases;  ///< of the build
    std::map<std::string, std::vector<std::string>> given;
    std::set<const Member *> used;

    FoundKernel kernel_of(const Group & group) {
        FoundKernel kernel;
        kernel.release = group.release;
        const Share * const core = core_of(group);
        if (core == nullptr) {
            kernel.not_bootable = why_without_core(group);
            return kernel;
        }
        const BuildSolver solver(universe, *core->member, releases);
        const Solution solution = choose(solver, group, core->member, kernel);
        std::set<std::string> names;
        for (const Member * member : boot_set_of(solution, group, core->member)) {
            kernel.boot_set.push_back(member->package);
            used.insert(member);
            names.merge(solver.taken_as_given(*member));
        }
        given[group.release].assign(names.begin(), names.end());
        add_notes(group, *core, kernel);
        return kernel;
    }
};

void add_left_out(
    const std::vector<const Member *> & packages,
    const std::vector<Group> & groups,
    const std::set<const Member *> & used,
    Kernels & result) {
    std::set<std::string> strange;
    for (const Group & group : groups) {
        for (const Share & share : group.shares) {
            if ((share.modules || !share.drivers.empty()) && share.package().source_nvr != result.nvr) {
                strange.insert(share.package().nevra);
            }
        }
    }
    std::vector<std::string> unused;
    for (const Member * member : packages) {
        if (used.count(member) == 0 && strange.count(member->package.nevra) == 0) {
            unused.push_back(member->package.nevra);
        }
    }
    if (!unused.empty()) {
        result.notes.push_back(fmt::format(
            "{} of the packages hold nothing that a boot needs and were left out: {}.",
            unused.size(),
            list_of(unused)));
    }
    for (const std::string & nevra : strange) {
        result.notes.push_back(
            fmt::format("{} holds modules of another build than {} and was left out.", nevra, result.nvr));
    }
}

}  // namespace

Kernels find_kernels(Universe & universe, const std::string & where, const std::string & select) {
    Kernels result;
    const std::vector<const Member *> packages = without_copies(universe, result.notes);
    std::vector<Group> groups = groups_of(packages);
    if (groups.empty()) {
        return result;
    }
    result.nvr = choose_build(builds_of(groups), select, Several::MISTAKE, where).nvr;
    std::erase_if(groups, [&](const Group & group) { return !belongs_to(group, result.nvr); });

    Choosing choosing{universe, {}, {}, {}};
    for (const Group & group : groups) {
        choosing.releases.push_back(group.release);
    }
    for (const Group & group : groups) {
        result.kernels.push_back(choosing.kernel_of(group));
    }
    std::sort(result.kernels.begin(), result.kernels.end(), [](const FoundKernel & a, const FoundKernel & b) {
        return a.release < b.release;
    });
    add_left_out(packages, groups, choosing.used, result);
    add_given(choosing.given, result.notes);
    return result;
}

Kernels find_kernels(const std::vector<RpmFile> & packages, const std::string & where, const std::string & select) {
    Universe universe;
    for (const RpmFile & package : packages) {
        universe.add(package);
    }
    return find_kernels(universe, where, select);
}

}  // namespace bootbudget::packages
