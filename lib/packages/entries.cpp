// SPDX-License-Identifier: GPL-2.0-or-later
// Digests prove that a package is what its builder made, not that its builder meant well. So the header's list of files is judged as a whole before the
// first byte is written: one entry that no kernel package has makes the whole package unfit.
#include "packages/entries.hpp"

#include "common/units.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <bootbudget/error.hpp>

#include <algorithm>
#include <climits>
#include <set>

namespace bootbudget::packages {

namespace {

[[noreturn]] void refuse(const RpmFile & package, std::string_view name, const std::string & why) {
    throw UserError(fmt::format(
        "the package {} ({}) is refused: its entry \"{}\" {}.",
        package.nevra,
        package.path.string(),
        common::printable(name, 200),
        why));
}

Entry entry_at(rpmfiles files, int index) {
    Entry entry;
    const librpm::StringOwner name(rpmfilesFN(files, index));
    entry.name = name ? name.get() : "";
    entry.mode = rpmfilesFMode(files, index);
    entry.size = rpmfilesFSize(files, index);
    entry.ghost = (rpmfilesFFlags(files, index) & RPMFILE_GHOST) != 0;
    const char * target = rpmfilesFLink(files, index);
    if (S_ISLNK(entry.mode) && target != nullptr) {
        entry.link_target = target;
    }
    return entry;
}

std::string type_of(rpm_mode_t mode) {
    if (S_ISCHR(mode) || S_ISBLK(mode)) {
        return "a device node";
    }
    if (S_ISFIFO(mode)) {
        return "a FIFO";
    }
    if (S_ISSOCK(mode)) {
        return "a socket";
    }
    return "of an unknown type";
}

}  // namespace

std::string objection_to_name(std::string_view name) {
    if (name.empty() || name.front() != '/') {
        return "has a name that is not absolute";
    }
    if (name.size() >= PATH_MAX) {
        return "has a name that is too long";
    }
    if (std::any_of(
            name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7f; })) {
        return "has a control character in its name";
    }
    std::string_view rest = name.substr(1);
    while (!rest.empty()) {
        const auto end = std::min(rest.find('/'), rest.size());
        const std::string_view part = rest.substr(0, end);
        if (part == "..") {
            return "has a name with \"..\" in it";
        }
        if (part == "." || part.empty()) {
            return "has a name with an empty part in it";
        }
        if (part.size() > NAME_MAX) {
            return "has a name that is too long";
        }
        if (end + 1 == rest.size()) {
            return "has a name that ends in \"/\"";
        }
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return {};
}

bool stays_inside(std::string_view target, std::string_view place) {
    if (target.empty() || target.front() == '/') {
        return false;
    }
    auto above = std::count(place.begin(), place.end(), '/');
    bool descending = false;
    while (!target.empty()) {
        const auto end = std::min(target.find('/'), target.size());
        const std::string_view part = target.substr(0, end);
        target.remove_prefix(std::min(end + 1, target.size()));
        if (part == "..") {
            if (descending || --above < 0) {
                return false;
            }
        } else if (part == "." || part.empty()) {
            return false;
        } else {
            descending = true;
        }
    }
    return true;
}

std::vector<Entry> entries_of(
    rpmfiles files, const RpmFile & package, const Placement & placement, const UnpackLimits & limits) {
    std::vector<Entry> entries;
    std::set<std::string, std::less<>> places;
    std::set<std::string, std::less<>> links;  // wanted or not: nothing is written below them
    std::uint64_t bytes = 0;
    const int count = static_cast<int>(rpmfilesFC(files));
    entries.reserve(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i) {
        Entry entry = entry_at(files, i);
        if (const std::string objection = objection_to_name(entry.name); !objection.empty()) {
            refuse(package, entry.name, objection);
        }
        if (S_ISLNK(entry.mode)) {
            links.insert(entry.name);
            if (!entry.ghost && (entry.size >= PATH_MAX || entry.size != entry.link_target.size())) {
                refuse(package, entry.name, "is a symbolic link whose length differs from its target's");
            }
        }
        if (!entry.ghost) {
            entry.place = placement(entry.name);
        }
        if (entry.place) {
            if (!S_ISREG(entry.mode) && !S_ISDIR(entry.mode) && !S_ISLNK(entry.mode)) {
                refuse(package, entry.name, fmt::format("is {}, which no kernel needs", type_of(entry.mode)));
            }
            // A directory may be named by several entries; nothing is lost by that.
            if (!places.insert(*entry.place).second && !S_ISDIR(entry.mode)) {
                refuse(package, entry.name, "is in the package twice");
            }
            if (S_ISREG(entry.mode)) {
                // Sizes are the header's: 64 bits that may say anything.
                if (entry.size > limits.max_bytes || bytes > limits.max_bytes - entry.size) {
                    refuse(package, entry.name, fmt::format("makes it more than {} bytes to unpack", limits.max_bytes));
                }
                bytes += entry.size;
            }
            if (places.size() > limits.max_files) {
                refuse(package, entry.name, fmt::format("makes it more than {} files to unpack", limits.max_files));
            }
        }
        entries.push_back(std::move(entry));
    }
    for (const Entry & entry : entries) {
        if (!entry.place) {
            continue;
        }
        for (auto slash = entry.name.rfind('/'); slash != std::string::npos && slash > 0;
             slash = entry.name.rfind('/', slash - 1)) {
            if (links.find(std::string_view(entry.name).substr(0, slash)) != links.end()) {
                refuse(
                    package,
                    entry.name,
                    fmt::format(
                        "would be written through the symbolic link \"{}\"",
                        common::printable(std::string_view(entry.name).substr(0, slash), 200)));
            }
        }
    }
    return entries;
}

}  // namespace bootbudget::packages
