// SPDX-License-Identifier: GPL-2.0-or-later
// librpm's reader gives the archive's entries as indices into the verified header, so the archive can only fill in what the header lists. Small files share a
// block: ten thousand of them are passed on in a few steps.
#include "packages/archive.hpp"

#include "common/units.hpp"
#include "packages/refusal.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <bootbudget/error.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace bootbudget::packages {

namespace {

class Reading {
public:
    Reading(
        rpmfiles files,
        const std::vector<Entry> & entries,
        const RpmFile & package,
        BlockQueue & queue,
        std::stop_token stop)
        : files_(files),
          entries_(entries),
          package_(package),
          queue_(queue),
          stop_(std::move(stop)),
          seen_(entries.size(), false) {
        for (const Entry & entry : entries) {
            missing_ += entry.place && S_ISREG(entry.mode) ? 1U : 0U;
        }
    }

    void run(FD_t payload) {
        // Of hard links this reader gives the last, which has the content.
        const librpm::IteratorOwner reader(
            rpmfiNewArchiveReader(payload, files_, RPMFI_ITER_READ_ARCHIVE_OMIT_HARDLINKS));
        if (!reader) {
            throw SystemError(fmt::format("cannot read the payload of {} with librpm.", package_.nevra));
        }
        int file = 0;
        while (missing_ > 0 && (file = rpmfiNext(reader.get())) >= 0) {
            if (!pass_on(reader.get(), file)) {
                return;
            }
        }
        if (file < 0 && file != RPMERR_ITER_END) {
            const librpm::StringOwner reason(rpmfileStrerror(file));
            refuse(
                package_,
                fmt::format(
                    "its payload does not match its header ({})", reason ? reason.get() : "librpm gives no reason"));
        }
        if (missing_ > 0) {
            refuse(package_, fmt::format("{} of its files are not in the payload", missing_));
        }
        if (block_ && !block_->pieces.empty()) {
            queue_.give_full(std::move(*block_));
        }
        rpmfiArchiveClose(reader.get());
    }

private:
    void stop_if_asked() const {
        if (stop_.stop_requested()) {
            throw Cancelled(fmt::format("Unpacking {} was cancelled.", package_.nevra));
        }
    }

    // False if nobody takes it.
    bool pass_on(rpmfi reader, int file) {
        stop_if_asked();
        const auto index = static_cast<std::size_t>(file);
        const Entry & entry = entries_.at(index);
        if (seen_[index]) {
            refuse(package_, entry.name, "is in the payload twice");
        }
        seen_[index] = true;
        if (!S_ISREG(entry.mode)) {
            return true;
        }
        const auto names = names_of(files_, file);
        const auto wanted = std::count_if(names.begin(), names.end(), [this](int name) {
            return entries_.at(static_cast<std::size_t>(name)).place.has_value();
        });
        missing_ -= static_cast<std::size_t>(wanted);
        return wanted == 0 || read_content(reader, file, entry);
    }

    bool read_content(rpmfi reader, int file, const Entry & entry) {
        std::uint64_t left = entry.size;
        do {
            if (!make_room()) {
                return false;
            }
            Block & block = *block_;
            const auto want = static_cast<std::size_t>(std::min<std::uint64_t>(block.bytes.size() - block.used, left));
            const auto got = want == 0 ? 0 : rpmfiArchiveRead(reader, block.bytes.data() + block.used, want);
            if (got < 0 || static_cast<std::size_t>(got) > want || (got == 0 && left > 0)) {
                refuse(package_, entry.name, "is shorter in the payload than the header says");
            }
            const auto size = static_cast<std::size_t>(got);
            left -= size;
            block.pieces.push_back({file, block.used, size, left == 0});
            block.used += size;
        } while (left > 0);
        return true;
    }

    bool make_room() {
        if (block_ && block_->used == block_->bytes.size()) {
            queue_.give_full(std::move(*block_));
            block_.reset();
        }
        if (!block_) {
            stop_if_asked();
            block_ = queue_.take_empty();
        }
        return block_.has_value();
    }

    rpmfiles files_;
    const std::vector<Entry> & entries_;
    const RpmFile & package_;
    BlockQueue & queue_;
    std::stop_token stop_;
    std::vector<bool> seen_;
    std::size_t missing_ = 0;  ///< names that have a place and whose content has not come
    std::optional<Block> block_;
};

// The payload without its compression, as librpm names it.
FD_t decompressed(librpm::Package & opened, const RpmFile & package) {
    const std::string compressor = librpm::text(opened.header.get(), RPMTAG_PAYLOADCOMPRESSOR);
    // None is named where the payload is not compressed; gzip's reader passes that through.
    static const std::map<std::string, const char *, std::less<>> MODES{
        {"", "r.gzdio"},
        {"gzip", "r.gzdio"},
        {"bzip2", "r.bzdio"},
        {"xz", "r.xzdio"},
        {"lzma", "r.lzdio"},
        {"zstd", "r.zstdio"},
    };
    const auto mode = MODES.find(compressor);
    FD_t layered = mode == MODES.end() ? nullptr : Fdopen(opened.stream.get(), mode->second);
    if (layered == nullptr) {
        throw UserError(fmt::format(
            "the payload of {} ({}) is compressed with \"{}\", which this librpm cannot read; use a newer rpm.",
            package.nevra,
            package.path.string(),
            common::printable(compressor, 40)));
    }
    return layered;
}

}  // namespace

std::span<const int> names_of(rpmfiles files, const int & file) {
    const int * links = nullptr;
    const std::uint32_t count = rpmfilesFLinks(files, file, &links);
    return count > 1 && links != nullptr ? std::span<const int>(links, count) : std::span<const int>(&file, 1);
}

void read_archive(
    librpm::Package & opened,
    rpmfiles files,
    const std::vector<Entry> & entries,
    const RpmFile & package,
    BlockQueue & queue,
    std::stop_token stop) {
    Reading(files, entries, package, queue, std::move(stop)).run(decompressed(opened, package));
}

}  // namespace bootbudget::packages
