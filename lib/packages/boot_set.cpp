// SPDX-License-Identifier: GPL-2.0-or-later
// Which packages a boot needs is read from what they own, provide and require, never from their names, which differ between flavours and distributions:
// the package that owns the image, what it needs, the module packages that build on just that, and whoever holds a driver of the guest's machine. So -modules is
// in; -modules-internal, which needs -modules, is out, and must be: supermin loads every crc*.ko it finds, and that package's are self-tests.
#include "packages/boot_set.hpp"

#include "packages/share.hpp"

#include <fmt/format.h>
#include <bootbudget/error.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace bootbudget::packages {

namespace {

std::string list_of(const std::vector<std::string> & names, std::size_t most = 6) {
    std::string result;
    for (std::size_t i = 0; i < std::min(most, names.size()); ++i) {
        result += (i == 0 ? "" : ", ") + names[i];
    }
    return names.size() > most ? fmt::format("{} and {} more", result, names.size() - most) : result;
}

// Grows one kernel's boot set.
class Selection {
public:
    Selection(const Group & group, const Share & core) : group_(group) { take(core); }

    // What the chosen need, and what that needs; says which requirement nobody answers.
    void close(FoundKernel & kernel) {
        for (std::size_t i = 0; i < chosen_.size(); ++i) {  // chosen_ grows
            for (const Capability & need : chosen_[i]->needs) {
                if (const Share * answer = answer_to(need)) {
                    take(*answer);
                } else if (kernel.not_bootable.empty()) {
                    kernel.not_bootable = fmt::format(
                        "Nothing provides {} = {}, which {} requires: put that package beside it.",
                        need.name,
                        need.version,
                        chosen_[i]->package->nevra);
                }
            }
        }
    }

    // Module packages of the same build all of whose needs the chosen answer.
    void add_layer() {
        std::vector<const Share *> layer;
        for (const Share & share : group_.shares) {
            const bool answered = std::all_of(share.needs.begin(), share.needs.end(), [this](const Capability & need) {
                return std::any_of(
                    chosen_.begin(), chosen_.end(), [&need](const Share * chosen) { return chosen->offers_to(need); });
            });
            if (share.modules && answered && is_of_the_build(share)) {
                layer.push_back(&share);
            }
        }
        for (const Share * share : layer) {
            take(*share);
        }
    }

    void add_drivers() {
        for (const Share & share : group_.shares) {
            const bool news =
                std::any_of(share.drivers.begin(), share.drivers.end(), [this](const std::string & driver) {
                    return std::none_of(chosen_.begin(), chosen_.end(), [&driver](const Share * chosen) {
                        return chosen->drivers.count(driver) != 0;
                    });
                });
            if (news && is_of_the_build(share)) {
                take(share);
            }
        }
    }

    // The image's package first, then by name; packages that own nothing of the tree add nothing to it.
    std::vector<RpmFile> boot_set() const {
        std::vector<RpmFile> result;
        for (const Share * share : chosen_) {
            if (share->owns_something()) {
                result.push_back(*share->package);
            }
        }
        std::sort(
            result.begin() + 1, result.end(), [](const RpmFile & a, const RpmFile & b) { return a.nevra < b.nevra; });
        return result;
    }

private:
    void take(const Share & share) {
        if (std::find(chosen_.begin(), chosen_.end(), &share) == chosen_.end()) {
            chosen_.push_back(&share);
        }
    }

    bool is_of_the_build(const Share & share) const {
        return share.package->source_nvr == chosen_.front()->package->source_nvr;
    }

    const Share * answer_to(const Capability & need) const {
        for (const Share & share : group_.shares) {
            if (is_of_the_build(share) && share.offers_to(need)) {
                return &share;
            }
        }
        return nullptr;
    }

    const Group & group_;
    std::vector<const Share *> chosen_;
};

FoundKernel kernel_of(const Group & group) {
    FoundKernel kernel;
    kernel.release = group.release;
    const Share * core = nullptr;
    std::vector<std::string> unified;
    std::vector<std::string> providers;
    for (const Share & share : group.shares) {
        if (share.image && (core == nullptr || (share.provides_kernel && !core->provides_kernel))) {
            core = &share;
        }
        if (share.unified_image) {
            unified.push_back(share.package->nevra);
        }
        providers.push_back(share.package->nevra);
    }
    if (core == nullptr) {
        kernel.not_bootable =
            unified.empty() ? fmt::format(
                                  "No package here holds the image of {} (lib/modules/{}/vmlinuz); those here are {}.",
                                  group.release,
                                  group.release,
                                  list_of(providers))
                            : fmt::format(
                                  "The kernel {} is here only as a unified kernel image ({}), which cannot be booted "
                                  "with another initramfs; add its -core "
                                  "package.",
                                  group.release,
                                  list_of(unified));
        return kernel;
    }
    Selection selection(group, *core);
    selection.close(kernel);
    selection.add_layer();
    selection.add_drivers();
    selection.close(kernel);
    kernel.boot_set = selection.boot_set();

    for (const Share & share : group.shares) {
        if (share.image && &share != core) {
            kernel.notes.push_back(fmt::format(
                "{} holds an image of {} too; that of {} is booted.",
                share.package->nevra,
                group.release,
                core->package->nevra));
        }
        // An empty package that names the whole kernel tells what is missing from it.
        if (!share.owns_something() && share.package->files.empty()) {
            for (const Capability & need : share.needs) {
                const bool answered =
                    std::any_of(group.shares.begin(), group.shares.end(), [&need](const Share & other) {
                        return other.offers_to(need);
                    });
                if (!answered) {
                    kernel.notes.push_back(fmt::format(
                        "{} requires {} = {}, which no package here provides; the kernel is booted without it.",
                        share.package->nevra,
                        need.name,
                        need.version));
                }
            }
        }
    }
    return kernel;
}

// One package of each NEVRA.
std::vector<RpmFile> without_copies(const std::vector<RpmFile> & packages, std::vector<std::string> & notes) {
    std::map<std::string, const RpmFile *> seen;
    std::vector<RpmFile> result;
    for (const RpmFile & package : packages) {
        const auto [first, is_new] = seen.emplace(package.nevra, &package);
        if (is_new) {
            result.push_back(package);
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

}  // namespace

Kernels find_kernels(const std::vector<RpmFile> & all, const std::string & where) {
    Kernels result;
    const std::vector<RpmFile> packages = without_copies(all, result.notes);
    const std::vector<Group> groups = groups_of(packages);
    std::set<std::string> builds;
    for (const Group & group : groups) {
        for (const Share & share : group.shares) {
            if (share.image || share.unified_image || share.provides_kernel) {
                builds.insert(share.package->source_nvr);
            }
        }
    }
    if (builds.size() > 1) {
        throw UserError(fmt::format(
            "{} holds kernels of {} builds, {}: give a directory that holds one of them.",
            where,
            builds.size(),
            list_of({builds.begin(), builds.end()})));
    }
    result.nvr = builds.empty() ? std::string() : *builds.begin();

    std::set<std::string> used;
    std::set<std::string> strange;
    for (const Group & group : groups) {
        result.kernels.push_back(kernel_of(group));
        for (const RpmFile & package : result.kernels.back().boot_set) {
            used.insert(package.nevra);
        }
        for (const Share & share : group.shares) {
            if ((share.modules || !share.drivers.empty()) && share.package->source_nvr != result.nvr) {
                strange.insert(share.package->nevra);
            }
        }
    }
    std::sort(result.kernels.begin(), result.kernels.end(), [](const FoundKernel & a, const FoundKernel & b) {
        return a.release < b.release;
    });
    if (groups.empty()) {
        return result;
    }
    std::vector<std::string> unused;
    for (const RpmFile & package : packages) {
        if (used.count(package.nevra) == 0 && strange.count(package.nevra) == 0) {
            unused.push_back(package.nevra);
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
    return result;
}

}  // namespace bootbudget::packages
