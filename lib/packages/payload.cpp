// SPDX-License-Identifier: GPL-2.0-or-later
// Names are judged before (entries.cpp), directories are opened without following links (tree_writer.cpp), each file's content is compared with its digest
// (content_writer.cpp), and symbolic links come last, when nothing is written any more. One thread reads and decompresses (archive.cpp) while the other hashes
// and writes.
#include "packages/payload.hpp"

#include "common/digest.hpp"
#include "packages/archive.hpp"
#include "packages/block_queue.hpp"
#include "packages/content_writer.hpp"
#include "packages/entries.hpp"
#include "packages/librpm.hpp"
#include "packages/placement.hpp"
#include "packages/tree_writer.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <bootbudget/error.hpp>

#include <exception>
#include <thread>
#include <utility>

namespace bootbudget::packages {

namespace {

constexpr std::size_t BLOCKS = 4;
constexpr std::size_t BLOCK_SIZE = std::size_t{1} << 20U;

// The header that was verified, and no other: by its digest, since by its name it might be another build's.
librpm::Package open_again(const RpmFile & package) {
    librpm::Package opened = librpm::open_package(package.path);
    if (common::sha256(librpm::signed_bytes(opened.header.get(), package.path)) != package.header_sha256) {
        throw UserError(fmt::format(
            "the package {} is no longer the one that was read ({}); start again when nobody changes it.",
            package.path.string(),
            package.nevra));
    }
    return opened;
}

// Ends when the queue does. What went wrong, or nothing.
std::exception_ptr write_contents(
    rpmfiles files,
    const std::vector<Entry> & entries,
    const RpmFile & package,
    TreeWriter & tree,
    BlockQueue & queue) noexcept {
    try {
        ContentWriter writer(files, entries, package, tree);
        while (auto block = queue.take_full()) {
            writer.take(*block);
            queue.give_empty(std::move(*block));
        }
        return nullptr;
    } catch (...) {
        queue.abort();
        return std::current_exception();
    }
}

void unpack_contents(
    librpm::Package & opened,
    rpmfiles files,
    const std::vector<Entry> & entries,
    const RpmFile & package,
    TreeWriter & tree,
    std::stop_token stop) {
    BlockQueue queue(BLOCKS, BLOCK_SIZE);
    std::exception_ptr in_writing;
    std::exception_ptr in_reading;
    {
        const std::jthread writer([&] {
            in_writing = write_contents(files, entries, package, tree, queue);
        });  // joined at the end of the block
        try {
            read_archive(opened, files, entries, package, queue, std::move(stop));
            queue.finish();
        } catch (...) {
            in_reading = std::current_exception();
            queue.abort();
        }
    }
    // The writer is behind the reader, so what it met came first.
    for (const std::exception_ptr & error : {in_writing, in_reading}) {
        if (error) {
            std::rethrow_exception(error);
        }
    }
}

}  // namespace

void unpack_placed(
    const RpmFile & package,
    const std::filesystem::path & root,
    const Placement & placement,
    const UnpackLimits & limits,
    std::stop_token stop) {
    librpm::Package opened = open_again(package);
    const librpm::FilesOwner files = librpm::files_of(opened.header.get(), package.path);
    const std::vector<Entry> entries = entries_of(files.get(), package, placement, limits);
    TreeWriter tree(root, package.nevra);
    for (const Entry & entry : entries) {
        if (entry.place && S_ISDIR(entry.mode)) {
            tree.make_directory(*entry.place);
        }
    }
    unpack_contents(opened, files.get(), entries, package, tree, std::move(stop));
    for (const Entry & entry : entries) {
        // Links to elsewhere, such as build → /usr/src/kernels/R, are of no use to a boot.
        if (entry.place && S_ISLNK(entry.mode) && stays_inside(entry.link_target, *entry.place)) {
            tree.make_symlink(entry.link_target, *entry.place);
        }
    }
}

void unpack(
    const RpmFile & package,
    const std::filesystem::path & root,
    const std::function<bool(std::string_view)> & wanted,
    const UnpackLimits & limits,
    std::stop_token stop) {
    const Placement same = [&wanted](std::string_view name) {
        return wanted(name) ? std::optional<std::string>(name.substr(1)) : std::nullopt;
    };
    unpack_placed(package, root, same, limits, std::move(stop));
}

}  // namespace bootbudget::packages
