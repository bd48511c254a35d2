// SPDX-License-Identifier: GPL-2.0-or-later
// Each entry is a directory with a lock file. Who removes an entry holds its lock and removes the lock file last, so who waited for the lock must look whether the
// file it has locked is still the one with the name; if not, it begins again.
#include "net/cache.hpp"

#include "common/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <bootbudget/error.hpp>

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <system_error>
#include <utility>
#include <vector>

namespace bootbudget::net {

namespace fs = std::filesystem;
using common::Descriptor;

namespace {

// Names of files begin with another character, see file_name().
constexpr const char * LOCK = ".lock";
constexpr const char * PART = ".part";
constexpr const char * PART_VALIDATORS = ".part-validators";
constexpr const char * VALIDATORS = ".validators";
constexpr const char * NEW = ".new";
constexpr const char * PRUNED = ".pruned";

constexpr std::time_t DAY = std::time_t{24} * 60 * 60;
constexpr std::size_t MAX_VALIDATORS = 4096;

constexpr const char * ELSEWHERE = "choose another place with --cache";

[[noreturn]] void cannot(const char * verb, const fs::path & path) {
    const int error_number = errno;
    throw SystemError(fmt::format("cannot {} {} ({})", verb, path.string(), ELSEWHERE), error_number);
}

std::optional<std::uint64_t> size_of(const fs::path & path) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
        return std::nullopt;
    }
    return static_cast<std::uint64_t>(status.st_size);
}

void drop(const fs::path & path) {
    if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
        cannot("remove", path);
    }
}

void replace(const fs::path & from, const fs::path & to) {
    if (::rename(from.c_str(), to.c_str()) != 0) {
        cannot("write", to);
    }
}

void write_text(const fs::path & path, const std::string & text) {
    const Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file || ::write(file.number(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
        cannot("write", path);
    }
}

Validators read_validators(const fs::path & path) {
    if (!size_of(path)) {
        return {};
    }
    try {
        return validators_from(common::read_file(path, MAX_VALIDATORS));
    } catch (const Error &) {
        return {};  // then the file is fetched whole
    }
}

bool is_same_file(const Descriptor & opened, const fs::path & path) {
    struct stat one {};
    struct stat other {};
    return ::fstat(opened.number(), &one) == 0 && ::lstat(path.c_str(), &other) == 0 && one.st_ino == other.st_ino &&
           one.st_dev == other.st_dev;
}

std::vector<fs::path> directories_in(const fs::path & directory) {
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code unknown;
        if (fs::is_directory(entry->symlink_status(unknown))) {
            found.push_back(entry->path());
        }
    }
    return found;
}

void remove_entry_unless_used(const fs::path & directory, std::time_t now) {
    const Descriptor lock(::open((directory / LOCK).c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
    if (!lock) {
        ::rmdir(directory.c_str());  // if it is empty, it was left by who was killed while making it
        return;
    }
    struct stat status {};
    if (::flock(lock.number(), LOCK_EX | LOCK_NB) != 0 || !is_same_file(lock, directory / LOCK) ||
        ::fstat(lock.number(), &status) != 0 || now - status.st_mtime < UNUSED_DAYS * DAY) {
        return;
    }
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
        if (entry->path().filename() != LOCK) {
            files.push_back(entry->path());
        }
    }
    for (const fs::path & file : files) {
        if (::unlink(file.c_str()) != 0) {
            return;
        }
    }
    ::unlink((directory / LOCK).c_str());
    ::rmdir(directory.c_str());
}

}  // namespace

CacheEntry::CacheEntry(fs::path directory, const std::string & file, Descriptor lock)
    : directory_(std::move(directory)), file_(directory_ / file), part_(directory_ / PART), lock_(std::move(lock)) {
}

std::optional<std::uint64_t> CacheEntry::file_size() const {
    return size_of(file_);
}

std::optional<std::uint64_t> CacheEntry::part_size() const {
    return size_of(part_);
}

Validators CacheEntry::validators() const {
    return read_validators(directory_ / VALIDATORS);
}

Validators CacheEntry::part_validators() const {
    return read_validators(directory_ / PART_VALIDATORS);
}

void CacheEntry::write_part_validators(const Validators & validators) {
    write_text(directory_ / PART_VALIDATORS, to_text(validators));
}

Descriptor CacheEntry::open_part() {
    Descriptor part(::open(part_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0644));
    if (!part) {
        cannot("write", part_);
    }
    return part;
}

void CacheEntry::remove_part() {
    drop(directory_ / PART_VALIDATORS);
    drop(part_);
}

void CacheEntry::remove_file() {
    drop(directory_ / VALIDATORS);
    drop(file_);
}

void CacheEntry::finish(const Validators & validators) {
    // Validators name the file they belong to by its digest, so a crash between these steps leaves none that would be believed for another one.
    replace(part_, file_);
    drop(directory_ / PART_VALIDATORS);
    if (validators == Validators{}) {
        drop(directory_ / VALIDATORS);
        return;
    }
    write_text(directory_ / NEW, to_text(validators));
    replace(directory_ / NEW, directory_ / VALIDATORS);
}

Cache::Cache(fs::path root) : root_(std::move(root)) {
    std::error_code error;
    if (root_.has_parent_path()) {
        fs::create_directories(root_.parent_path(), error);
    }
    if (::mkdir(root_.c_str(), 0700) != 0 && errno != EEXIST) {
        cannot("make the cache", root_);
    }
    struct stat status {};
    if (::stat(root_.c_str(), &status) != 0) {
        cannot("use the cache", root_);
    }
    if (!S_ISDIR(status.st_mode)) {
        throw UserError(fmt::format("the cache {} is not a directory; {}.", root_.string(), ELSEWHERE));
    }
    if (status.st_uid != ::geteuid()) {
        throw UserError(fmt::format(
            "the cache {} belongs to another account (uid {}), which could exchange what has been checked; {}.",
            root_.string(),
            status.st_uid,
            ELSEWHERE));
    }
    if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
        throw UserError(fmt::format(
            "other accounts may write to the cache {}, and could exchange what has been checked; run chmod go-w on it, "
            "or {}.",
            root_.string(),
            ELSEWHERE));
    }
    if (::faccessat(AT_FDCWD, root_.c_str(), R_OK | W_OK | X_OK, AT_EACCESS) != 0) {
        cannot("write to the cache", root_);
    }
}

std::optional<CacheEntry> Cache::enter(const CachePlace & place) {
    const fs::path directory = root_ / place.directory;
    constexpr int MANY = 1000;  // each round needs another process that removes the entry in just this moment
    for (int round = 0; round < MANY; ++round) {
        for (const fs::path & path : {directory.parent_path().parent_path(), directory.parent_path(), directory}) {
            if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST && errno != ENOENT) {
                cannot("make", path);
            }
        }
        Descriptor lock(::open((directory / LOCK).c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
        if (!lock) {
            if (errno == ENOENT) {
                continue;
            }
            cannot("write", directory / LOCK);
        }
        if (::flock(lock.number(), LOCK_EX | LOCK_NB) != 0) {
            if (errno == EWOULDBLOCK) {
                return std::nullopt;
            }
            if (errno == EINTR) {
                continue;
            }
            cannot("lock", directory / LOCK);
        }
        if (is_same_file(lock, directory / LOCK)) {
            ::futimens(lock.number(), nullptr);
            return CacheEntry(directory, place.file, std::move(lock));
        }
    }
    throw SystemError(fmt::format("cannot lock {}: it vanishes again and again; {}.", directory.string(), ELSEWHERE));
}

void Cache::remove_unused() noexcept {
    try {
        const std::time_t now = std::time(nullptr);
        struct stat status {};
        if (::stat((root_ / PRUNED).c_str(), &status) == 0 && now - status.st_mtime < DAY) {
            return;
        }
        write_text(root_ / PRUNED, "");
        for (const char * kind : {"sha1", "sha224", "sha256", "sha384", "sha512", "url"}) {
            for (const fs::path & group : directories_in(root_ / kind)) {
                for (const fs::path & entry : directories_in(group)) {
                    remove_entry_unless_used(entry, now);
                }
            }
        }
    } catch (const std::exception &) {
        return;  // the next one comes by tomorrow
    }
}

fs::path default_cache() {
    constexpr const char * NAME = "bootbudget";
    if (::geteuid() == 0) {
        return fs::path("/var/cache") / NAME;
    }
    if (const char * cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && fs::path(cache).is_absolute()) {
        return fs::path(cache) / NAME;
    }
    const char * home = std::getenv("HOME");
    if (home == nullptr || !fs::path(home).is_absolute()) {
        const struct passwd * const account = ::getpwuid(::geteuid());
        home = account == nullptr ? nullptr : account->pw_dir;
    }
    if (home == nullptr || !fs::path(home).is_absolute()) {
        throw UserError("this account has no home directory to keep downloads in; choose a place with --cache.");
    }
    return fs::path(home) / ".cache" / NAME;
}

}  // namespace bootbudget::net
