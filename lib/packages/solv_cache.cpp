// SPDX-License-Identifier: GPL-2.0-or-later
// Only what choosing and downloading need is kept, which makes the file a fraction of the metadata. Lists of files are kept in pages that libsolv reads when it
// is asked for them.
#include "packages/solv_cache.hpp"

#include "common/descriptor.hpp"
#include "common/digest.hpp"
#include "packages/librpm.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <bootbudget/error.hpp>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <optional>

namespace bootbudget::packages {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t TRAILER = 64;

int kept(Repo * repo, Repokey * key, void * /*unused*/) {
    static constexpr std::array KEPT{
        SOLVABLE_NAME,
        SOLVABLE_ARCH,
        SOLVABLE_EVR,
        SOLVABLE_PROVIDES,
        SOLVABLE_REQUIRES,
        SOLVABLE_SOURCENAME,
        SOLVABLE_SOURCEEVR,
        SOLVABLE_SOURCEARCH,
        SOLVABLE_CHECKSUM,
        SOLVABLE_MEDIADIR,
        SOLVABLE_MEDIAFILE,
        SOLVABLE_MEDIABASE,
        SOLVABLE_DOWNLOADSIZE,
        SOLVABLE_FILELIST};
    for (const auto name : KEPT) {
        if (key->name == static_cast<Id>(name)) {
            return repo_write_stdkeyfilter(repo, key, nullptr);
        }
    }
    return KEY_STORAGE_DROPPED;
}

// Of the first `size` bytes and the key; nothing if it cannot be read.
std::optional<std::string> digest_of(int file, std::uint64_t size, const std::string & key) {
    librpm::Digest digest(RPM_HASH_SHA256);
    std::array<char, 1U << 17U> buffer{};
    std::uint64_t offset = 0;
    while (offset < size) {
        const auto want = static_cast<std::size_t>(std::min<std::uint64_t>(buffer.size(), size - offset));
        const ssize_t got = ::pread(file, buffer.data(), want, static_cast<off_t>(offset));
        if (got <= 0) {
            return std::nullopt;
        }
        digest.add(buffer.data(), static_cast<std::size_t>(got));
        offset += static_cast<std::uint64_t>(got);
    }
    digest.add(key.data(), key.size());
    return digest.hex();
}

// Whoever can write to it can make libsolv read anything.
bool is_ours_alone(int file) {
    struct stat status {};
    return ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::geteuid() &&
           (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

void make_private(const fs::path & directory) {
    std::error_code error;
    if (fs::create_directories(directory, error)) {
        fs::permissions(directory, fs::perms::owner_all, error);
    }
    if (error) {
        throw SystemError(fmt::format("cannot create the directory {}", directory.string()), error.value());
    }
}

// A file that is gone unless it gets its name.
class Unfinished {
public:
    explicit Unfinished(const fs::path & file) : name_(file.string() + ".XXXXXX") {
        descriptor_ = common::Descriptor(::mkostemp(name_.data(), O_CLOEXEC));
        if (!descriptor_) {
            throw SystemError(fmt::format("cannot create a file beside {}", file.string()), errno);
        }
    }
    ~Unfinished() {
        if (!name_.empty()) {
            ::unlink(name_.c_str());
        }
    }
    Unfinished(const Unfinished &) = delete;
    Unfinished & operator=(const Unfinished &) = delete;

    const std::string & name() const noexcept { return name_; }
    int number() const noexcept { return descriptor_.number(); }
    void finish(const fs::path & file) {
        std::error_code error;
        fs::rename(name_, file, error);
        if (error) {
            throw SystemError(fmt::format("cannot rename {} to {}", name_, file.string()), error.value());
        }
        name_.clear();
    }

private:
    std::string name_;
    common::Descriptor descriptor_;
};

}  // namespace

SolvCache::SolvCache(const fs::path & directory, const std::string & identity, const std::string & state)
    : file_(directory / (common::sha256(identity) + ".solv")),
      key_(fmt::format("bootbudget-solv/1 {} {} {}", solv_version, solv_toolversion, state)) {
}

bool SolvCache::load(Universe & universe) const {
    common::Descriptor descriptor(::open(file_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!descriptor || !is_ours_alone(descriptor.number())) {
        return false;
    }
    const off_t size = ::lseek(descriptor.number(), 0, SEEK_END);
    std::array<char, TRAILER> trailer{};
    if (size <= static_cast<off_t>(TRAILER) ||
        ::pread(descriptor.number(), trailer.data(), TRAILER, size - static_cast<off_t>(TRAILER)) !=
            static_cast<ssize_t>(TRAILER)) {
        return false;
    }
    const auto digest = digest_of(descriptor.number(), static_cast<std::uint64_t>(size) - TRAILER, key_);
    if (!digest || *digest != std::string_view(trailer.data(), TRAILER) ||
        ::lseek(descriptor.number(), 0, SEEK_SET) != 0) {
        return false;
    }
    const libsolv::FileOwner stream(::fdopen(descriptor.number(), "r"));
    if (!stream) {
        return false;
    }
    descriptor.release();
    return repo_add_solv(universe.repo(), stream.get(), 0) == 0;
}

void SolvCache::store(const Universe & universe) const {
    make_private(file_.parent_path().parent_path());
    make_private(file_.parent_path());
    Unfinished unfinished(file_);
    const libsolv::FileOwner stream(::fdopen(::fcntl(unfinished.number(), F_DUPFD_CLOEXEC, 0), "w"));
    const libsolv::WriterOwner writer(repowriter_create(universe.repo()));
    repowriter_set_keyfilter(writer.get(), kept, nullptr);
    if (!stream || repowriter_write(writer.get(), stream.get()) != 0 || std::fflush(stream.get()) != 0) {
        throw SystemError(fmt::format("cannot write {}", unfinished.name()), errno);
    }
    const off_t size = ::lseek(unfinished.number(), 0, SEEK_END);
    const auto digest = digest_of(unfinished.number(), static_cast<std::uint64_t>(size), key_);
    if (!digest || std::fwrite(digest->data(), 1, TRAILER, stream.get()) != TRAILER || std::fflush(stream.get()) != 0) {
        throw SystemError(fmt::format("cannot write {}", unfinished.name()), errno);
    }
    unfinished.finish(file_);
}

}  // namespace bootbudget::packages
