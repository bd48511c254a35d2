// SPDX-License-Identifier: GPL-2.0-or-later
// A content may have several names that are wanted: it is written under the first and linked to the others once it is known to be right.
#include "packages/content_writer.hpp"

#include "packages/archive.hpp"
#include "packages/refusal.hpp"

#include <algorithm>

namespace bootbudget::packages {

ContentWriter::ContentWriter(
    rpmfiles files, const std::vector<Entry> & entries, const RpmFile & package, TreeWriter & tree)
    : files_(files), entries_(entries), package_(package), tree_(tree) {
}

ContentWriter::~ContentWriter() {
    if (open_) {
        tree_.remove_file(*open_->entry.place);
    }
}

void ContentWriter::take(const Block & block) {
    for (const Block::Piece & piece : block.pieces) {
        if (!open_) {
            begin(piece.file);
        }
        const char * bytes = block.bytes.data() + piece.begin;
        open_->digest.add(bytes, piece.size);
        tree_.write(open_->descriptor, *open_->entry.place, bytes, piece.size);
        if (piece.is_last) {
            end();
        }
    }
}

void ContentWriter::begin(int file) {
    const auto names = names_of(files_, file);
    const auto first = std::find_if(names.begin(), names.end(), [this](int name) {
        return entries_.at(static_cast<std::size_t>(name)).place.has_value();
    });
    const Entry & entry = entries_.at(static_cast<std::size_t>(*first));
    open_.emplace(file, entry, tree_.create_file(*entry.place, (entry.mode & 0111U) != 0));
}

void ContentWriter::end() {
    if (open_->digest.hex() != open_->entry.digest) {
        refuse(package_, open_->entry.name, "differs from its digest in the header");
    }
    const Entry & written = open_->entry;
    for (const int name : names_of(files_, open_->file)) {
        const Entry & entry = entries_.at(static_cast<std::size_t>(name));
        if (entry.place && &entry != &written) {
            tree_.link_file(*written.place, *entry.place);
        }
    }
    open_.reset();
}

}  // namespace bootbudget::packages
