// SPDX-License-Identifier: GPL-2.0-or-later
// All that is peculiar about librpm as a library lives here: it wants to be set up once, prints what it thinks, consults a key database for every package, and
// tells a file that was cut short from a damaged one only in prose. The layout that is checked by hand is that of "RPM Package format" in rpm's own
// documentation (docs/manual/format_v4.md): a lead of 96 bytes, the signature header padded to 8 bytes, the main header, the payload.
#include "packages/librpm.hpp"

#include "common/units.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <rpm/rpmkeyring.h>
#include <rpm/rpmlog.h>
#include <rpm/rpmtd.h>
#include <sys/stat.h>
#include <unistd.h>
#include <bootbudget/error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <mutex>
#include <optional>
#include <string_view>

namespace bootbudget::packages::librpm {

namespace {

constexpr std::uint64_t LEAD_SIZE = 96;
constexpr std::uint64_t INTRO_SIZE = 16;  // magic, reserved, number of entries, size of the store
constexpr std::uint64_t ENTRY_SIZE = 16;

using TransactionOwner = std::unique_ptr<std::remove_pointer_t<rpmts>, Free<rpmtsFree>>;
using KeyringOwner = std::unique_ptr<std::remove_pointer_t<rpmKeyring>, Free<rpmKeyringFree>>;

// Frees the tag's value and its container.
struct FreeData {
    void operator()(rpmtd data) const noexcept {
        rpmtdFreeData(data);
        rpmtdFree(data);
    }
};
using DataOwner = std::unique_ptr<std::remove_pointer_t<rpmtd>, FreeData>;

// What librpm said in this thread since somebody last asked for silence.
thread_local std::string said;

int keep_message(rpmlogRec record, rpmlogCallbackData /*unused*/) {
    constexpr std::size_t ENOUGH = 2000;
    if (rpmlogRecPriority(record) <= RPMLOG_WARNING && said.size() < ENOUGH) {
        said += rpmlogRecMessage(record);
    }
    return 0;
}

std::string reason() {
    const std::string said_now = messages();
    return said_now.empty() ? "librpm gives no reason" : said_now;
}

std::uint32_t big_endian(const unsigned char * bytes) {
    return std::uint32_t{bytes[0]} << 24U | std::uint32_t{bytes[1]} << 16U | std::uint32_t{bytes[2]} << 8U | bytes[3];
}

// How far the headers reach, by their own words; librpm checks everything else about them.
class Extent {
public:
    Extent(const std::filesystem::path & path, int file, std::uint64_t size) : path_(path), file_(file), size_(size) {}

    void check() const {
        constexpr std::array<unsigned char, 4> LEAD_MAGIC{0xed, 0xab, 0xee, 0xdb};
        std::array<unsigned char, 4> magic{};
        if (size_ == 0) {
            throw UserError(fmt::format("{} is empty: it is not an RPM package.", path_.string()));
        }
        if (size_ < magic.size() || !read(magic.data(), magic.size(), 0) || magic != LEAD_MAGIC) {
            throw UserError(fmt::format("{} is not an RPM package (it does not begin like one).", path_.string()));
        }
        const std::uint64_t signature_end = end_of_header(LEAD_SIZE, "signature header");
        end_of_header((signature_end + 7U) / 8U * 8U, "header");
    }

    [[noreturn]] void cut_short(std::uint64_t expected) const {
        throw UserError(fmt::format(
            "the package {} is cut short: it has {} bytes and should have at least {}; fetch or build it again.",
            path_.string(),
            size_,
            expected));
    }

private:
    bool read(unsigned char * bytes, std::size_t count, std::uint64_t offset) const {
        return ::pread(file_, bytes, count, static_cast<off_t>(offset)) == static_cast<ssize_t>(count);
    }

    std::uint64_t end_of_header(std::uint64_t begin, std::string_view name) const {
        constexpr std::array<unsigned char, 4> HEADER_MAGIC{0x8e, 0xad, 0xe8, 0x01};
        std::array<unsigned char, INTRO_SIZE> intro{};
        if (begin + INTRO_SIZE > size_) {
            cut_short(begin + INTRO_SIZE);
        }
        if (!read(intro.data(), intro.size(), begin) ||
            !std::equal(HEADER_MAGIC.begin(), HEADER_MAGIC.end(), intro.begin())) {
            throw UserError(fmt::format(
                "the package {} is damaged: there is no {} at byte {}; fetch or build it again.",
                path_.string(),
                name,
                begin));
        }
        const std::uint64_t end =
            begin + INTRO_SIZE + ENTRY_SIZE * big_endian(intro.data() + 8) + big_endian(intro.data() + 12);
        if (end > size_) {
            cut_short(end);
        }
        return end;
    }

    const std::filesystem::path & path_;
    int file_;
    std::uint64_t size_;
};

// The size of header and payload that the signature header gives, if it does (version 6 packages do not).
std::optional<std::uint64_t> recorded_size(Header header) {
    for (const rpmTagVal tag : {RPMTAG_LONGSIGSIZE, RPMTAG_SIGSIZE}) {
        if (headerIsEntry(header, tag) != 0) {
            return headerGetNumber(header, tag);
        }
    }
    return std::nullopt;
}

}  // namespace

void start() {
    static std::once_flag once;
    std::call_once(once, [] {
        rpmlogSetCallback(keep_message, nullptr);
        if (rpmReadConfigFiles(nullptr, nullptr) != 0) {
            throw SystemError(fmt::format(
                "librpm cannot read its configuration ({}); reinstall the packages \"rpm\" and \"rpm-common\" or "
                "\"rpm-libs\".",
                reason()));
        }
    });
}

std::string messages() {
    std::string text = said;
    while (!text.empty() && (text.back() == '\n' || text.back() == '.' || text.back() == ' ')) {
        text.pop_back();
    }
    std::replace(text.begin(), text.end(), '\n', ' ');
    return common::printable(text, 400);
}

void forget_messages() {
    said.clear();
}

Digest::Digest(int algorithm) : context_(rpmDigestInit(algorithm, RPMDIGEST_NONE)) {
    if (context_ == nullptr) {
        throw BugError(fmt::format("a digest of algorithm {} was asked for, which librpm does not have.", algorithm));
    }
}

Digest::~Digest() {
    if (context_ != nullptr) {
        rpmDigestFinal(context_, nullptr, nullptr, 0);
    }
}

bool Digest::knows(int algorithm) {
    start();
    return rpmDigestLength(algorithm) > 0;
}

void Digest::add(const void * bytes, std::size_t size) {
    rpmDigestUpdate(context_, bytes, size);
}

std::string Digest::hex() {
    void * ascii = nullptr;
    std::size_t length = 0;
    rpmDigestFinal(context_, &ascii, &length, 1);
    context_ = nullptr;
    const StringOwner owner(static_cast<char *>(ascii));
    return owner ? std::string(owner.get()) : std::string();
}

Package open_package(const std::filesystem::path & path) {
    start();
    forget_messages();
    Package package;
    package.file = common::Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status {};
    if (!package.file || ::fstat(package.file.number(), &status) != 0) {
        throw SystemError(fmt::format("cannot read the package {}", path.string()), errno);
    }
    if (!S_ISREG(status.st_mode)) {
        throw UserError(fmt::format("{} is not an RPM package: it is no regular file.", path.string()));
    }
    package.size = static_cast<std::uint64_t>(status.st_size);
    const Extent extent(path, package.file.number(), package.size);
    extent.check();

    // Shares its offset with `file`.
    package.stream.reset(fdDup(package.file.number()));
    const TransactionOwner transaction(rpmtsCreate());
    const KeyringOwner no_keys(rpmKeyringNew());
    if (!package.stream || !transaction || !no_keys) {
        throw SystemError(fmt::format("cannot open the package {} with librpm", path.string()), errno);
    }
    rpmtsSetKeyring(transaction.get(), no_keys.get());
    rpmtsSetVSFlags(transaction.get(), RPMVSF_MASK_NOSIGNATURES);
    Header header = nullptr;
    const rpmRC result = rpmReadPackageFile(transaction.get(), package.stream.get(), path.c_str(), &header);
    package.header.reset(header);
    if (result == RPMRC_NOTFOUND) {
        throw UserError(fmt::format("{} is not an RPM package.", path.string()));
    }
    if (result == RPMRC_FAIL || header == nullptr) {
        throw UserError(fmt::format(
            "the package {} is damaged in its header ({}); fetch or build it again.", path.string(), reason()));
    }
    if (headerIsEntry(header, RPMTAG_SHA256HEADER) == 0 && headerIsEntry(header, RPMTAG_SHA1HEADER) == 0) {
        throw UserError(fmt::format(
            "the package {} carries no digest of its header, so it cannot be told whether it is damaged; build it with "
            "rpm 4.14 or newer.",
            path.string()));
    }
    package.payload_offset = static_cast<std::uint64_t>(::lseek(package.file.number(), 0, SEEK_CUR));

    // The recorded size counts from the main header on.
    if (const auto recorded = recorded_size(header)) {
        std::array<unsigned char, 8> counts{};
        if (::pread(package.file.number(), counts.data(), counts.size(), LEAD_SIZE + 8) != 8) {
            throw SystemError(fmt::format("cannot read the package {}", path.string()), errno);
        }
        const std::uint64_t signature_end =
            LEAD_SIZE + INTRO_SIZE + ENTRY_SIZE * big_endian(counts.data()) + big_endian(counts.data() + 4);
        const std::uint64_t begin = (signature_end + 7U) / 8U * 8U;
        if (package.size - begin < *recorded) {
            extent.cut_short(begin + *recorded);
        }
    }
    return package;
}

std::string text(Header header, rpmTagVal tag) {
    const StringOwner value(headerGetAsString(header, tag));
    return value ? std::string(value.get()) : std::string();
}

std::string signed_bytes(Header header, const std::filesystem::path & path) {
    const DataOwner region(rpmtdNew());
    if (!region || headerGet(header, RPMTAG_HEADERIMMUTABLE, region.get(), HEADERGET_DEFAULT) == 0) {
        throw UserError(fmt::format(
            "the package {} has a header of a form that rpm left behind long ago; build it with rpm 4.14 or newer.",
            path.string()));
    }
    // The region begins behind the magic, which is signed too.
    std::string bytes(reinterpret_cast<const char *>(rpm_header_magic), sizeof(rpm_header_magic));
    bytes.append(static_cast<const char *>(region->data), region->count);
    return bytes;
}

FilesOwner files_of(Header header, const std::filesystem::path & path) {
    // Before anything is allocated by it. The largest packages of distributions have some ten thousand.
    constexpr rpm_count_t MAX_FILES = 500000;
    rpmtd_s names{};
    headerGet(header, RPMTAG_BASENAMES, &names, HEADERGET_MINMEM);
    const rpm_count_t count = rpmtdCount(&names);
    rpmtdFreeData(&names);
    if (count > MAX_FILES) {
        throw UserError(fmt::format(
            "the package {} lists {} files, more than the {} that any package of a kernel could have.",
            path.string(),
            count,
            MAX_FILES));
    }
    FilesOwner files(
        rpmfilesNew(nullptr, header, RPMTAG_BASENAMES, RPMFI_NOFILECLASS | RPMFI_NOFILEDEPS | RPMFI_NOFILELANGS));
    if (!files) {
        throw UserError(
            fmt::format("the package {} is damaged: its lists of files contradict each other.", path.string()));
    }
    return files;
}

}  // namespace bootbudget::packages::librpm
