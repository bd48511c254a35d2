// SPDX-License-Identifier: GPL-2.0-or-later
// The file format is simple enough to be written by hand: that is what an attacker would do, and librpm's own writer refuses to lie. Only the digests
// come from librpm.
#include "support/forged_rpm.hpp"

#include "packages/librpm.hpp"

#include <rpm/rpmtag.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <stdexcept>

namespace bootbudget::tests {

namespace {

std::string digest_hex(int algorithm, const std::string & bytes) {
    packages::librpm::Digest digest(algorithm);
    digest.add(bytes.data(), bytes.size());
    return digest.hex();
}

std::string from_hex(const std::string & hex) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    }
    return bytes;
}

template <typename Number>
std::string big_endian(Number number) {
    std::string bytes;
    for (int shift = static_cast<int>(sizeof(Number)) * 8 - 8; shift >= 0; shift -= 8) {
        bytes += static_cast<char>((number >> shift) & 0xff);
    }
    return bytes;
}

std::string padded(std::string bytes, std::size_t to) {
    bytes.resize((bytes.size() + to - 1) / to * to, '\0');
    return bytes;
}

// A header structure: tags in order, an index, a store, and the region that makes it immutable.
class HeaderBytes {
public:
    void text(std::uint32_t tag, const std::string & value) { add(tag, 6, 1, value + '\0', 1); }
    void translated(std::uint32_t tag, const std::string & value) { add(tag, 9, 1, value + '\0', 1); }
    void bytes(std::uint32_t tag, const std::string & value) {
        add(tag, 7, static_cast<std::uint32_t>(value.size()), value, 1);
    }
    void texts(std::uint32_t tag, const std::vector<std::string> & values) {
        std::string store;
        for (const std::string & value : values) {
            store += value + '\0';
        }
        add(tag, 8, static_cast<std::uint32_t>(values.size()), store, 1);
    }
    void numbers32(std::uint32_t tag, const std::vector<std::uint32_t> & values) {
        std::string store;
        for (const std::uint32_t value : values) {
            store += big_endian(value);
        }
        add(tag, 4, static_cast<std::uint32_t>(values.size()), store, 4);
    }
    void numbers64(std::uint32_t tag, const std::vector<std::uint64_t> & values) {
        std::string store;
        for (const std::uint64_t value : values) {
            store += big_endian(value);
        }
        add(tag, 5, static_cast<std::uint32_t>(values.size()), store, 8);
    }
    void numbers16(std::uint32_t tag, const std::vector<std::uint16_t> & values) {
        std::string store;
        for (const std::uint16_t value : values) {
            store += big_endian(value);
        }
        add(tag, 3, static_cast<std::uint32_t>(values.size()), store, 2);
    }

    // Cuts a list of strings or numbers, or repeats its first item at its end.
    void resize(std::uint32_t tag, std::size_t items) {
        Value & value = values_.at(tag);
        const auto end_of_item = [&value](std::size_t begin) {
            return value.type == 8 ? value.store.find('\0', begin) + 1 : begin + value.alignment;
        };
        std::size_t size = 0;
        for (std::size_t i = 0; i < std::min<std::size_t>(items, value.count); ++i) {
            size = end_of_item(size);
        }
        value.store.resize(size);
        const std::string first = value.store.substr(0, end_of_item(0));
        for (std::size_t i = value.count; i < items; ++i) {
            value.store += first;
        }
        value.count = static_cast<std::uint32_t>(items);
    }

    std::string finish(std::uint32_t region) const {
        std::string index;
        std::string store;
        for (const auto & [tag, value] : values_) {
            store = padded(store, value.alignment);
            index += big_endian(tag) + big_endian(value.type) + big_endian(static_cast<std::uint32_t>(store.size())) +
                     big_endian(value.count);
            store += value.store;
        }
        const auto entries = static_cast<std::uint32_t>(values_.size() + 1);
        const std::string region_entry = big_endian(region) + big_endian(std::uint32_t{7}) +
                                         big_endian(static_cast<std::uint32_t>(store.size())) +
                                         big_endian(std::uint32_t{16});
        // The trailer's offset is that of the index, counted backwards from the trailer's own place.
        store += big_endian(region) + big_endian(std::uint32_t{7}) + big_endian(std::uint32_t{0} - entries * 16) +
                 big_endian(std::uint32_t{16});
        return std::string("\x8e\xad\xe8\x01\0\0\0\0", 8) + big_endian(entries) +
               big_endian(static_cast<std::uint32_t>(store.size())) + region_entry + index + store;
    }

private:
    struct Value {
        std::uint32_t type;
        std::uint32_t count;
        std::string store;
        std::size_t alignment;
    };

    void add(std::uint32_t tag, std::uint32_t type, std::uint32_t count, std::string store, std::size_t alignment) {
        if (count > 0) {
            values_[tag] = {type, count, std::move(store), alignment};
        }
    }

    std::map<std::uint32_t, Value> values_;
};

std::string archive_entry(
    const std::string & name, const ForgedEntry & entry, std::uint32_t inode, std::uint32_t links) {
    const std::string content = entry.link_target.empty() ? entry.content : entry.link_target;
    const auto hex = [](std::uint32_t number) {
        std::string digits(8, '0');
        for (std::size_t i = 0; i < 8; ++i) {
            digits[7 - i] = "0123456789abcdef"[(number >> (4 * i)) & 0xf];
        }
        return digits;
    };
    const std::uint32_t size = entry.archive_size.value_or(static_cast<std::uint32_t>(content.size()));
    std::string head = "070701" + hex(inode) + hex(entry.mode) + hex(0) + hex(0) + hex(links) + hex(0) + hex(size) +
                       hex(0) + hex(0) + hex(0) + hex(0) + hex(static_cast<std::uint32_t>(name.size() + 1)) + hex(0);
    return padded(padded(head + name + '\0', 4) + content, 4);
}

// Of hard links the last one carries the content.
std::string archive_of(const ForgedRpm & rpm) {
    std::string archive;
    std::map<std::uint32_t, std::uint32_t> links;
    for (const ForgedEntry & entry : rpm.entries) {
        ++links[entry.inode];
    }
    std::map<std::uint32_t, std::uint32_t> seen;
    for (std::size_t i = 0; i < rpm.entries.size(); ++i) {
        ForgedEntry entry = rpm.entries[i];
        if (!entry.in_archive) {
            continue;
        }
        const std::uint32_t count = entry.inode == 0 ? 1 : links[entry.inode];
        if (count > 1 && ++seen[entry.inode] < count) {
            entry.content.clear();
        }
        const std::uint32_t inode = entry.inode == 0 ? 1000 + static_cast<std::uint32_t>(i) : entry.inode;
        archive += archive_entry(entry.archive_name.value_or("." + entry.name), entry, inode, count);
    }
    return archive + archive_entry("TRAILER!!!", ForgedEntry{"", 0, ""}, 0, 1);
}

void add_dependencies(
    HeaderBytes & header,
    const std::vector<std::pair<std::string, std::string>> & list,
    std::uint32_t names_tag,
    std::uint32_t flags_tag,
    std::uint32_t versions_tag) {
    std::vector<std::string> names;
    std::vector<std::string> versions;
    std::vector<std::uint32_t> flags;
    for (const auto & [name, version] : list) {
        names.push_back(name);
        versions.push_back(version);
        flags.push_back(version.empty() ? 0 : std::uint32_t{RPMSENSE_EQUAL});
    }
    header.texts(names_tag, names);
    header.numbers32(flags_tag, flags);
    header.texts(versions_tag, versions);
}

void add_files(HeaderBytes & header, const ForgedRpm & rpm) {
    std::vector<std::string> base_names, directories, digests, targets, empty, root;
    std::vector<std::uint64_t> sizes;
    std::vector<std::uint32_t> flags, inodes, zeros, ones, directory_indexes;
    std::vector<std::uint16_t> modes, devices;
    std::map<std::string, std::uint32_t> numbers;  // of directories
    for (const ForgedEntry & entry : rpm.entries) {
        const auto slash = entry.name.rfind('/');
        const std::string directory = slash == std::string::npos ? "" : entry.name.substr(0, slash + 1);
        const auto [found, is_new] = numbers.emplace(directory, static_cast<std::uint32_t>(directories.size()));
        if (is_new) {
            directories.push_back(directory);
        }
        directory_indexes.push_back(found->second);
        base_names.push_back(slash == std::string::npos ? entry.name : entry.name.substr(slash + 1));
        const bool regular = (entry.mode & 0170000) == 0100000;
        digests.push_back(entry.digest.value_or(regular ? digest_hex(RPM_HASH_SHA256, entry.content) : ""));
        targets.push_back(entry.link_target);
        const auto natural = entry.link_target.empty() ? entry.content.size() : entry.link_target.size();
        sizes.push_back(entry.header_size.value_or(natural));
        modes.push_back(entry.mode);
        devices.push_back(0x0103);
        flags.push_back(entry.flags);
        inodes.push_back(entry.inode == 0 ? 1000 + static_cast<std::uint32_t>(inodes.size()) : entry.inode);
        zeros.push_back(0);
        ones.push_back(1);
        empty.emplace_back();
        root.emplace_back("root");
    }
    if (std::any_of(sizes.begin(), sizes.end(), [](std::uint64_t size) { return size > UINT32_MAX; })) {
        header.numbers64(RPMTAG_LONGFILESIZES, sizes);
    } else {
        header.numbers32(RPMTAG_FILESIZES, {sizes.begin(), sizes.end()});
    }
    header.numbers16(RPMTAG_FILEMODES, modes);
    header.numbers16(RPMTAG_FILERDEVS, devices);
    header.numbers32(RPMTAG_FILEMTIMES, ones);
    header.texts(RPMTAG_FILEDIGESTS, digests);
    header.texts(RPMTAG_FILELINKTOS, targets);
    header.numbers32(RPMTAG_FILEFLAGS, flags);
    header.texts(RPMTAG_FILEUSERNAME, root);
    header.texts(RPMTAG_FILEGROUPNAME, root);
    header.numbers32(RPMTAG_FILEVERIFYFLAGS, zeros);
    header.numbers32(RPMTAG_FILEDEVICES, ones);
    header.numbers32(RPMTAG_FILEINODES, inodes);
    header.texts(RPMTAG_FILELANGS, empty);
    header.numbers32(RPMTAG_DIRINDEXES, directory_indexes);
    header.texts(RPMTAG_BASENAMES, base_names);
    header.texts(RPMTAG_DIRNAMES, directories);
    header.numbers32(RPMTAG_FILEDIGESTALGO, {RPM_HASH_SHA256});
}

std::string lead_of(const ForgedRpm & rpm) {
    std::string name = rpm.name + "-" + rpm.version + "-" + rpm.release;
    name.resize(66, '\0');
    return std::string("\xed\xab\xee\xdb\x03\x00\x00\x00\x00\x01", 10) + name + std::string("\x00\x01\x00\x05", 4) +
           std::string(16, '\0');
}

}  // namespace

std::string forge(const ForgedRpm & rpm) {
    if (!packages::librpm::Digest::knows(RPM_HASH_SHA256)) {
        throw std::logic_error("this librpm has no SHA-256");
    }
    const std::string payload = archive_of(rpm);
    HeaderBytes header;
    header.texts(100, {"C"});  // HEADERI18NTABLE
    header.text(RPMTAG_NAME, rpm.name);
    header.text(RPMTAG_VERSION, rpm.version);
    header.text(RPMTAG_RELEASE, rpm.release);
    header.translated(RPMTAG_SUMMARY, "A forged package");
    header.translated(RPMTAG_DESCRIPTION, "Written by hand for a test.");
    header.translated(RPMTAG_GROUP, "Unspecified");
    header.text(RPMTAG_LICENSE, "GPL-2.0-or-later");
    header.text(RPMTAG_OS, "linux");
    header.text(RPMTAG_ARCH, rpm.arch);
    header.numbers32(RPMTAG_BUILDTIME, {1});
    header.text(RPMTAG_BUILDHOST, "localhost");
    header.numbers32(RPMTAG_SIZE, {static_cast<std::uint32_t>(payload.size())});
    header.text(RPMTAG_SOURCERPM, rpm.source_rpm);
    header.text(RPMTAG_RPMVERSION, "4.18.0");
    header.text(RPMTAG_PAYLOADFORMAT, "cpio");
    if (rpm.with_payload_digest) {
        header.texts(5092, {digest_hex(RPM_HASH_SHA256, payload)});
        header.numbers32(5093, {RPM_HASH_SHA256});
    }
    auto provides = rpm.provides;
    provides.emplace_back(rpm.name, rpm.version + "-" + rpm.release);
    add_dependencies(header, provides, RPMTAG_PROVIDENAME, RPMTAG_PROVIDEFLAGS, RPMTAG_PROVIDEVERSION);
    add_dependencies(header, rpm.requires_, RPMTAG_REQUIRENAME, RPMTAG_REQUIREFLAGS, RPMTAG_REQUIREVERSION);
    if (!rpm.entries.empty()) {
        add_files(header, rpm);
    }
    for (const auto & [tag, value] : rpm.header_tags) {
        header.bytes(tag, value);
    }
    for (const auto & [tag, items] : rpm.list_lengths) {
        header.resize(tag, items);
    }
    const std::string main = header.finish(63);  // HEADERIMMUTABLE

    HeaderBytes signature;
    signature.text(269, digest_hex(RPM_HASH_SHA1, main));
    signature.text(273, digest_hex(RPM_HASH_SHA256, main));
    signature.numbers32(1000, {static_cast<std::uint32_t>(main.size() + payload.size())});
    signature.bytes(1004, from_hex(digest_hex(RPM_HASH_MD5, main + payload)));
    signature.numbers32(1007, {static_cast<std::uint32_t>(payload.size())});
    for (const auto & [tag, value] : rpm.signature_tags) {
        signature.bytes(tag, value);
    }
    return lead_of(rpm) + padded(signature.finish(62), 8) + main + payload;
}

std::filesystem::path forge_into(const std::filesystem::path & directory, const ForgedRpm & rpm) {
    std::filesystem::create_directories(directory);
    const auto path = directory / (rpm.name + "-" + rpm.version + "-" + rpm.release + "." + rpm.arch + ".rpm");
    const std::string bytes = forge(rpm);
    std::ofstream file(path, std::ios::binary);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!file.flush()) {
        throw std::runtime_error("cannot write " + path.string());
    }
    return path;
}

}  // namespace bootbudget::tests
