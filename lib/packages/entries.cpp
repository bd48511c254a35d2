// SPDX-License-Identifier: GPL-2.0-or-later
// Digests prove that a package is what its builder made, not that its builder meant well. So the header's list of files is judged as a whole before the
// first byte is written: one entry that no kernel package has makes the whole package unfit.
#include "packages/entries.hpp"

#include "common/units.hpp"
#include "packages/refusal.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <climits>
#include <unordered_map>
#include <utility>

namespace bootbudget::packages {

namespace {

// The digest of a regular file in lower-case hex, empty if there is none that could be checked.
std::string digest_of(rpmfiles files, int index, int & algorithm) {
    std::size_t length = 0;
    const unsigned char * bytes = rpmfilesFDigest(files, index, &algorithm, &length);
    std::string digest;
    if (bytes != nullptr && librpm::Digest::knows(algorithm)) {
        digest.reserve(2 * length);
        for (std::size_t i = 0; i < length; ++i) {
            constexpr std::string_view DIGITS = "0123456789abcdef";
            digest += DIGITS[bytes[i] >> 4U];
            digest += DIGITS[bytes[i] & 15U];
        }
    }
    return digest;
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

// Looks at one package's entries, one after the other and then at all of them together.
class Judgement {
public:
    Judgement(rpmfiles files, const RpmFile & package, const Placement & placement, const UnpackLimits & limits)
        : files_(files), package_(package), placement_(placement), limits_(limits) {}

    std::vector<Entry> run() {
        const int count = static_cast<int>(rpmfilesFC(files_));
        entries_.reserve(static_cast<std::size_t>(count));  // views of their names must stay
        for (int i = 0; i < count; ++i) {
            entries_.push_back(entry_at(files_, i));
            admit(entries_.back(), i);
        }
        for (int i = 0; i < count; ++i) {
            const Entry & entry = entries_[static_cast<std::size_t>(i)];
            if (entry.place) {
                judge_parents(entry);
                judge_links(entry, i);
            }
        }
        return std::move(entries_);
    }

private:
    void admit(Entry & entry, int index) {
        if (const std::string objection = objection_to_name(entry.name); !objection.empty()) {
            refuse(package_, entry.name, objection);
        }
        if (S_ISLNK(entry.mode)) {
            not_directories_.emplace(entry.name, true);
            if (!entry.ghost && (entry.size >= PATH_MAX || entry.size != entry.link_target.size())) {
                refuse(package_, entry.name, "is a symbolic link whose length differs from its target's");
            }
        }
        if (!entry.ghost) {
            entry.place = placement_(entry.name);
        }
        if (!entry.place) {
            return;
        }
        if (!S_ISREG(entry.mode) && !S_ISDIR(entry.mode) && !S_ISLNK(entry.mode)) {
            refuse(package_, entry.name, fmt::format("is {}, which no kernel needs", type_of(entry.mode)));
        }
        if (entry.place->empty()) {
            // The root of the tree, which is there.
            if (!S_ISDIR(entry.mode)) {
                refuse(package_, entry.name, "would take the place of the tree itself");
            }
            entry.place.reset();
            return;
        }
        // A directory may be named by several entries; nothing is lost by that.
        const auto [same, is_new] = places_.emplace(*entry.place, S_ISDIR(entry.mode));
        if (!is_new && !(S_ISDIR(entry.mode) && same->second)) {
            refuse(
                package_,
                entry.name,
                S_ISDIR(entry.mode) == same->second ? "is in the package twice"
                                                    : "is in the package as a directory and as something else");
        }
        if (S_ISREG(entry.mode)) {
            // Sizes are the header's: 64 bits that may say anything.
            if (entry.size > limits_.max_bytes || bytes_ > limits_.max_bytes - entry.size) {
                refuse(package_, entry.name, fmt::format("makes it more than {} bytes to unpack", limits_.max_bytes));
            }
            bytes_ += entry.size;
            entry.digest = digest_of(files_, index, entry.algorithm);
            if (entry.digest.empty()) {
                refuse(package_, entry.name, "has no digest in the header that could be checked");
            }
            not_directories_.emplace(entry.name, false);
        }
        if (places_.size() > limits_.max_files) {
            refuse(package_, entry.name, fmt::format("makes it more than {} files to unpack", limits_.max_files));
        }
    }

    void judge_parents(const Entry & entry) {
        const std::string_view name = entry.name;
        for (auto slash = name.rfind('/'); slash != std::string_view::npos && slash > 0;
             slash = name.rfind('/', slash - 1)) {
            // Most entries have the same parents as the one before.
            const std::string_view parent = name.substr(0, slash);
            if (parent == innocent_) {
                break;
            }
            if (const auto found = not_directories_.find(parent); found != not_directories_.end()) {
                const std::string name_of_parent = common::printable(parent, 200);
                refuse(
                    package_,
                    entry.name,
                    found->second ? fmt::format("would be written through the symbolic link \"{}\"", name_of_parent)
                                  : fmt::format("would be written below \"{}\", which is a file", name_of_parent));
            }
        }
        innocent_ = name.substr(0, name.rfind('/'));
    }

    // The archive has one content for all of them.
    void judge_links(const Entry & entry, int index) const {
        const int * links = nullptr;
        const std::uint32_t count = S_ISREG(entry.mode) ? rpmfilesFLinks(files_, index, &links) : 0;
        if (count < 2 || links == nullptr) {
            return;
        }
        const int last = links[count - 1];
        int algorithm = 0;
        if (rpmfilesFSize(files_, last) != entry.size || digest_of(files_, last, algorithm) != entry.digest) {
            refuse(
                package_,
                entry.name,
                fmt::format(
                    "is a hard link to \"{}\", which has another content",
                    common::printable(entries_[static_cast<std::size_t>(last)].name, 200)));
        }
    }

    rpmfiles files_;
    const RpmFile & package_;
    const Placement & placement_;
    const UnpackLimits & limits_;
    std::vector<Entry> entries_;
    std::unordered_map<std::string_view, bool> places_;           // and whether it is a directory
    std::unordered_map<std::string_view, bool> not_directories_;  // names, and whether it is a link, wanted or not
    std::string_view innocent_;                                   // the parent of the entry before
    std::uint64_t bytes_ = 0;
};

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
    return Judgement(files, package, placement, limits).run();
}

}  // namespace bootbudget::packages
