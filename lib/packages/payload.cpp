// SPDX-License-Identifier: GPL-2.0-or-later
// librpm's reader gives the archive's entries as indices into the verified header, so the archive can only fill in what the header lists. Names are
// judged before (entries.cpp), directories are opened without following links (tree_writer.cpp), and each file's content is compared with its digest;
// symbolic links come last, when nothing is written any more.
#include "packages/payload.hpp"

#include "common/units.hpp"
#include "packages/entries.hpp"
#include "packages/librpm.hpp"
#include "packages/placement.hpp"
#include "packages/tree_writer.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <bootbudget/error.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <utility>

namespace bootbudget::packages {

namespace {

class Unpacking {
public:
    Unpacking(
        const RpmFile & package,
        const std::filesystem::path & root,
        const Placement & placement,
        const UnpackLimits & limits,
        std::stop_token stop)
        : package_(package),
          stop_(std::move(stop)),
          opened_(librpm::open_package(package.path)),
          files_(librpm::files_of(opened_.header.get(), package.path)),
          entries_(entries_of(files_.get(), package, placement, limits)),
          writer_(root, package.nevra),
          buffer_(std::size_t{256} << 10U) {
        if (librpm::text(opened_.header.get(), RPMTAG_NEVRA) != package.nevra) {
            throw UserError(fmt::format(
                "the package {} is no longer the one that was read ({}); start again when nobody changes it.",
                package.path.string(),
                package.nevra));
        }
    }

    void run() {
        std::size_t expected = 0;
        for (const Entry & entry : entries_) {
            if (entry.place && S_ISDIR(entry.mode)) {
                writer_.make_directory(*entry.place);
            }
            expected += entry.place && S_ISREG(entry.mode) ? 1U : 0U;
        }
        read_archive();
        if (written_ != expected) {
            damaged(fmt::format("{} of its files are not in the payload", expected - written_));
        }
        for (const Entry & entry : entries_) {
            // Links to elsewhere, such as build → /usr/src/kernels/R, are of no use to a boot.
            if (entry.place && S_ISLNK(entry.mode) && stays_inside(entry.link_target, *entry.place)) {
                writer_.make_symlink(entry.link_target, *entry.place);
            }
        }
    }

private:
    [[noreturn]] void damaged(const std::string & what) const {
        throw UserError(fmt::format(
            "the package {} ({}) is refused: {}; fetch or build it again.",
            package_.nevra,
            package_.path.string(),
            what));
    }

    [[noreturn]] void damaged(const Entry & entry, const std::string & what) const {
        damaged(fmt::format("its entry \"{}\" {}", common::printable(entry.name, 200), what));
    }

    // The payload without its compression, as librpm names it.
    FD_t decompressed() {
        const std::string compressor = librpm::text(opened_.header.get(), RPMTAG_PAYLOADCOMPRESSOR);
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
        FD_t layered = mode == MODES.end() ? nullptr : Fdopen(opened_.stream.get(), mode->second);
        if (layered == nullptr) {
            throw UserError(fmt::format(
                "the payload of {} ({}) is compressed with \"{}\", which this librpm cannot read; use a newer rpm.",
                package_.nevra,
                package_.path.string(),
                common::printable(compressor, 40)));
        }
        return layered;
    }

    void read_archive() {
        // Of hard links this reader gives the last, which has the content.
        const librpm::IteratorOwner reader(
            rpmfiNewArchiveReader(decompressed(), files_.get(), RPMFI_ITER_READ_ARCHIVE_OMIT_HARDLINKS));
        if (!reader) {
            throw SystemError(fmt::format("cannot read the payload of {} with librpm.", package_.nevra));
        }
        int index = 0;
        while ((index = rpmfiNext(reader.get())) >= 0) {
            if (stop_.stop_requested()) {
                throw Cancelled(fmt::format("Unpacking {} was cancelled.", package_.nevra));
            }
            const Entry & entry = entries_.at(static_cast<std::size_t>(index));
            if (S_ISREG(entry.mode)) {
                take_file(reader.get(), index);
            }
        }
        if (index != RPMERR_ITER_END) {
            const librpm::StringOwner reason(rpmfileStrerror(index));
            damaged(fmt::format(
                "its payload does not match its header ({})", reason ? reason.get() : "librpm gives no reason"));
        }
        rpmfiArchiveClose(reader.get());
    }

    // The content that the reader stands at, under all its wanted names.
    void take_file(rpmfi reader, int index) {
        const int * links = nullptr;
        const std::uint32_t count = rpmfilesFLinks(files_.get(), index, &links);
        const std::span<const int> names =
            count > 1 && links != nullptr ? std::span<const int>(links, count) : std::span<const int>(&index, 1);
        const Entry * first = nullptr;
        for (const int name : names) {
            const Entry & entry = entries_.at(static_cast<std::size_t>(name));
            if (!entry.place) {
                continue;
            }
            if (first != nullptr) {
                if (entry.size != first->size) {
                    damaged(entry, "is a hard link to a file of another size");
                }
                writer_.link_file(*first->place, *entry.place);
            } else {
                write_file(reader, entry, name);
                first = &entry;
            }
            ++written_;
        }
    }

    void write_file(rpmfi reader, const Entry & entry, int index) {
        int algorithm = 0;
        std::size_t length = 0;
        const unsigned char * expected = rpmfilesFDigest(files_.get(), index, &algorithm, &length);
        if (expected == nullptr || !librpm::Digest::knows(algorithm)) {
            damaged(entry, "has no digest in the header that could be checked");
        }
        std::string expected_hex;
        for (std::size_t i = 0; i < length; ++i) {
            expected_hex += fmt::format("{:02x}", expected[i]);
        }
        const common::Descriptor file = writer_.create_file(*entry.place, (entry.mode & 0111U) != 0);
        try {
            librpm::Digest digest(algorithm);
            std::uint64_t left = entry.size;
            while (left > 0) {
                const auto want = static_cast<std::size_t>(std::min<std::uint64_t>(buffer_.size(), left));
                const auto got = rpmfiArchiveRead(reader, buffer_.data(), want);
                if (got <= 0 || static_cast<std::size_t>(got) > want) {
                    damaged(entry, "is shorter in the payload than the header says");
                }
                digest.add(buffer_.data(), static_cast<std::size_t>(got));
                writer_.write(file, *entry.place, buffer_.data(), static_cast<std::size_t>(got));
                left -= static_cast<std::uint64_t>(got);
            }
            if (digest.hex() != expected_hex) {
                damaged(entry, "differs from its digest in the header");
            }
        } catch (const Error &) {
            writer_.remove_file(*entry.place);
            throw;
        }
    }

    const RpmFile & package_;
    std::stop_token stop_;
    librpm::Package opened_;
    librpm::FilesOwner files_;
    std::vector<Entry> entries_;
    TreeWriter writer_;
    std::vector<char> buffer_;
    std::size_t written_ = 0;
};

}  // namespace

void unpack_placed(
    const RpmFile & package,
    const std::filesystem::path & root,
    const Placement & placement,
    const UnpackLimits & limits,
    std::stop_token stop) {
    Unpacking(package, root, placement, limits, std::move(stop)).run();
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
