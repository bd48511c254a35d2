// SPDX-License-Identifier: GPL-2.0-or-later
// rpmReadPackageFile() checks a package's header only, and a kernel with a flipped bit boots, or not, as it likes. So the payload's digest, which stands in the
// verified header, is computed here too, in the same pass that computes the digest of the whole file for the report.
#include "packages/rpm_file.hpp"

#include "common/digest.hpp"
#include "common/units.hpp"
#include "packages/block_queue.hpp"
#include "packages/librpm.hpp"
#include "packages/package_header.hpp"
#include "packages/signature.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <bootbudget/error.hpp>

#include <algorithm>
#include <cerrno>
#include <string_view>
#include <thread>
#include <utility>

namespace bootbudget::packages {

namespace {

// Their names differ between versions of librpm, their numbers do not (rpmtag.h).
constexpr rpmTagVal PAYLOAD_DIGEST = 5092;
constexpr rpmTagVal PAYLOAD_DIGEST_ALGORITHM = 5093;

constexpr std::size_t MAX_TEXT = 300;

std::string sense_of(rpmsenseFlags flags) {
    std::string sense;
    if ((flags & RPMSENSE_LESS) != 0) {
        sense += '<';
    }
    if ((flags & RPMSENSE_GREATER) != 0) {
        sense += '>';
    }
    if ((flags & RPMSENSE_EQUAL) != 0) {
        sense += '=';
    }
    return sense;
}

std::vector<Capability> capabilities(Header header, rpmTagVal tag) {
    std::vector<Capability> result;
    const librpm::DependenciesOwner list(rpmdsNew(header, tag, 0));
    while (list && rpmdsNext(list.get()) >= 0) {
        const char * name = rpmdsN(list.get());
        const char * version = rpmdsEVR(list.get());
        result.push_back(
            {name == nullptr ? "" : name, sense_of(rpmdsFlags(list.get())), version == nullptr ? "" : version});
    }
    return result;
}

// "kernel-6.17.4-300.fc43.src.rpm" → "kernel-6.17.4-300.fc43"
std::string without_source_suffix(std::string name) {
    for (const std::string_view suffix : {".src.rpm", ".nosrc.rpm"}) {
        if (name.size() > suffix.size() && name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0) {
            name.resize(name.size() - suffix.size());
            break;
        }
    }
    return name;
}

PackageHeader describe(const std::filesystem::path & path, Header header) {
    PackageHeader result;
    RpmFile & package = result.package;
    result.is_source = headerIsSource(header) != 0;
    package.path = path;
    package.name = common::printable(librpm::text(header, RPMTAG_NAME), MAX_TEXT);
    package.nevra = common::printable(librpm::text(header, RPMTAG_NEVRA), MAX_TEXT);
    package.evr = common::printable(librpm::text(header, RPMTAG_EVR), MAX_TEXT);
    package.arch = common::printable(librpm::text(header, RPMTAG_ARCH), MAX_TEXT);
    package.source_nvr = without_source_suffix(common::printable(librpm::text(header, RPMTAG_SOURCERPM), MAX_TEXT));
    package.header_sha256 = common::sha256(librpm::signed_bytes(header, path));
    package.signature = signature_of(header, path, nullptr);
    package.provides = capabilities(header, RPMTAG_PROVIDENAME);
    package.requires_ = capabilities(header, RPMTAG_REQUIRENAME);
    const librpm::FilesOwner files = librpm::files_of(header, path);
    const int count = static_cast<int>(rpmfilesFC(files.get()));
    for (int i = 0; i < count; ++i) {
        const librpm::StringOwner name(rpmfilesFN(files.get(), i));
        const bool ghost = (rpmfilesFFlags(files.get(), i) & RPMFILE_GHOST) != 0;
        (ghost ? package.ghosts : package.files).emplace_back(name ? name.get() : "");
    }
    return result;
}

// Reads the file once, adds its payload to the digest and passes all of it on.
void hash_file(
    const librpm::Package & opened, const std::filesystem::path & path, librpm::Digest & payload, BlockQueue & queue) {
    std::uint64_t offset = 0;
    while (auto block = queue.take_empty()) {
        // The border between header and payload is a border between two blocks, too.
        std::size_t want = block->bytes.size();
        if (offset < opened.payload_offset) {
            want = static_cast<std::size_t>(std::min<std::uint64_t>(want, opened.payload_offset - offset));
        }
        ssize_t got = 0;
        do {
            got = ::pread(opened.file.number(), block->bytes.data(), want, static_cast<off_t>(offset));
        } while (got < 0 && errno == EINTR);
        if (got < 0) {
            throw SystemError(fmt::format("cannot read the package {}", path.string()), errno);
        }
        if (got == 0) {
            return;
        }
        block->used = static_cast<std::size_t>(got);
        const bool is_payload = offset >= opened.payload_offset;
        offset += block->used;
        if (is_payload) {
            payload.add(block->bytes.data(), block->used);
        }
        queue.give_full(std::move(*block));
    }
}

// Computes the digest of the whole file, and checks that of the payload: nearly the same bytes, hashed by two threads.
std::string verify_payload(const librpm::Package & opened, const std::filesystem::path & path) {
    Header header = opened.header.get();
    const int algorithm = headerIsEntry(header, PAYLOAD_DIGEST_ALGORITHM) != 0
                              ? static_cast<int>(headerGetNumber(header, PAYLOAD_DIGEST_ALGORITHM))
                              : RPM_HASH_SHA256;
    const std::string expected = librpm::text(header, PAYLOAD_DIGEST);
    if (expected.empty()) {
        throw UserError(fmt::format(
            "the package {} carries no digest of its payload, so it cannot be told whether it is damaged; build it "
            "with rpm 4.14 or newer.",
            path.string()));
    }
    if (!librpm::Digest::knows(algorithm)) {
        throw UserError(fmt::format(
            "the payload of the package {} has a digest of a kind (number {}) that this librpm does not know; use a "
            "newer rpm.",
            path.string(),
            algorithm));
    }
    librpm::Digest whole(RPM_HASH_SHA256);
    librpm::Digest payload(algorithm);
    {
        BlockQueue queue(4, std::size_t{1} << 20U);
        const std::jthread whole_thread([&whole, &queue] {
            while (auto block = queue.take_full()) {
                whole.add(block->bytes.data(), block->used);
                queue.give_empty(std::move(*block));
            }
        });  // joined at the end of the block
        try {
            hash_file(opened, path, payload, queue);
            queue.finish();
        } catch (const Error &) {
            queue.abort();
            throw;
        }
    }
    if (payload.hex() != expected) {
        throw UserError(fmt::format(
            "the package {} is damaged in its payload (the digest differs from the header's); fetch or build it again.",
            path.string()));
    }
    return whole.hex();
}

}  // namespace

PackageHeader read_header(const std::filesystem::path & path) {
    const librpm::Package opened = librpm::open_package(path);
    return describe(path, opened.header.get());
}

RpmFile read_rpm(const std::filesystem::path & path, const Keyring * keyring) {
    const librpm::Package opened = librpm::open_package(path);
    PackageHeader result = describe(path, opened.header.get());
    if (result.is_source) {
        throw UserError(fmt::format(
            "{} is a source package; build it first (bootbudget build), and check the packages that it makes.",
            path.string()));
    }
    result.package.signature = signature_of(opened.header.get(), path, keyring);
    result.package.sha256 = verify_payload(opened, path);
    return std::move(result.package);
}

}  // namespace bootbudget::packages
