// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "packages/block_queue.hpp"
#include "packages/entries.hpp"
#include "packages/librpm.hpp"
#include "packages/rpm_file.hpp"
#include "packages/tree_writer.hpp"

#include <optional>
#include <utility>
#include <vector>

namespace bootbudget::packages {

/// Writes what read_archive() passes on to its places, under all its names, and compares each content with its digest in the header. What differs, and what
/// is not whole when this ends, is removed. UserError naming package and entry; otherwise throws as TreeWriter does.
class ContentWriter {
public:
    ContentWriter(rpmfiles files, const std::vector<Entry> & entries, const RpmFile & package, TreeWriter & tree);
    ~ContentWriter();
    ContentWriter(const ContentWriter &) = delete;
    ContentWriter & operator=(const ContentWriter &) = delete;

    void take(const Block & block);

private:
    // The file that is being written.
    struct Open {
        Open(int its_file, const Entry & its_entry, common::Descriptor its_descriptor)
            : file(its_file), entry(its_entry), descriptor(std::move(its_descriptor)), digest(its_entry.algorithm) {}

        int file;
        const Entry & entry;
        common::Descriptor descriptor;
        librpm::Digest digest;
    };

    void begin(int file);
    void end();

    rpmfiles files_;
    const std::vector<Entry> & entries_;
    const RpmFile & package_;
    TreeWriter & tree_;
    std::optional<Open> open_;
};

}  // namespace bootbudget::packages
