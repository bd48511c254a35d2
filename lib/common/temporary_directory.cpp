// SPDX-License-Identifier: GPL-2.0-or-later
// A directory says by a flock(2) on its lock file that somebody still uses it; the kernel drops that lock with its last holder, however that ended.
//
// The lock file appears under its name only when it is already locked (made under another name, locked, renamed), and goes last. So a lock file
// that can be locked means a dead owner, at any moment; a directory without one is just being made, was kept, or is an empty leftover, and only
// the last of these may go.
#include "common/temporary_directory.hpp"

#include "common/descriptor.hpp"

#include <bootbudget/error.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace bootbudget::common {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view PREFIX = "bootbudget-";
constexpr const char * LOCK = ".lock";
constexpr const char * NEW_LOCK = ".lock.new";

/// How long the making of a directory (mkdir to the lock's rename) can possibly take.
constexpr std::time_t MAKING = 3600;

/// A search bit for root's directories: the account that boots must be able to reach what is given to it, and to list nothing else.
mode_t directory_mode() {
    return geteuid() == 0 ? 0711 : 0700;
}

/// Removes a directory's entries, its lock file last: interrupted half-way, the rest is still known to be stale.
bool remove_locked(const fs::path & directory) noexcept {
    try {
        std::vector<fs::path> entries;
        std::error_code error;
        for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
            if (entry->path().filename() != LOCK) {
                entries.push_back(entry->path());
            }
        }
        bool gone = !error;
        for (const fs::path & entry : entries) {
            gone = remove_tree(entry) && gone;
        }
        return gone && remove_tree(directory);
    } catch (const std::exception &) {
        return false;
    }
}

/// Makes the directory locked from the first moment in which it has a lock file.
Descriptor lock_new(const fs::path & directory) {
    const fs::path unnamed = directory / NEW_LOCK;
    Descriptor lock(open(unnamed.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (lock && flock(lock.number(), LOCK_EX | LOCK_NB) == 0 &&
        rename(unnamed.c_str(), (directory / LOCK).c_str()) == 0) {
        return lock;
    }
    const int error_number = errno;
    remove_tree(directory);
    throw SystemError(
        fmt::format("cannot lock {} (choose another place with --work-dir)", directory.string()), error_number);
}

/// Whether the directory, an entry of `base`, was left behind by an ended process; if so it has been removed.
bool remove_if_stale(int base, const fs::path & directory) {
    const Descriptor opened(
        openat(base, directory.filename().c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat status {};
    if (!opened || fstat(opened.number(), &status) != 0 || status.st_uid != geteuid()) {
        return false;
    }
    const Descriptor lock(openat(opened.number(), LOCK, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (!lock) {
        if (errno == ENOENT && std::time(nullptr) - status.st_mtime > MAKING) {
            unlinkat(opened.number(), NEW_LOCK, 0);
            return unlinkat(base, directory.filename().c_str(), AT_REMOVEDIR) == 0;  // refused unless empty
        }
        return false;
    }
    struct stat locked {};
    struct stat named {};
    if (flock(lock.number(), LOCK_EX | LOCK_NB) != 0 || fstat(lock.number(), &locked) != 0 ||
        !S_ISREG(locked.st_mode) || locked.st_uid != geteuid()) {
        return false;
    }
    // Between open and flock another process may have removed the directory, whose lock then is one on a file without a name.
    if (fstatat(opened.number(), LOCK, &named, AT_SYMLINK_NOFOLLOW) != 0 || named.st_ino != locked.st_ino ||
        named.st_dev != locked.st_dev) {
        return false;
    }
    return remove_locked(directory);
}

/// Gives the owner all rights on the directories of a tree; each before it is entered.
void open_directories(const fs::path & path) {
    constexpr mode_t OWNER = 0700;
    std::error_code error;
    fchmodat(AT_FDCWD, path.c_str(), OWNER, AT_SYMLINK_NOFOLLOW);
    for (fs::recursive_directory_iterator entry(path, fs::directory_options::skip_permission_denied, error), end;
         !error && entry != end;
         entry.increment(error)) {
        std::error_code unknown;
        if (fs::is_directory(entry->symlink_status(unknown))) {
            fchmodat(AT_FDCWD, entry->path().c_str(), OWNER, AT_SYMLINK_NOFOLLOW);
        }
    }
}

}  // namespace

TemporaryDirectory::TemporaryDirectory(const fs::path & base) {
    std::string name = (base / (std::string(PREFIX) + "XXXXXX")).string();
    if (mkdtemp(name.data()) == nullptr) {
        throw SystemError(
            fmt::format("cannot create a directory in {} (choose another place with --work-dir)", base.string()),
            errno);
    }
    Descriptor lock = lock_new(name);
    if (chmod(name.c_str(), directory_mode()) != 0) {
        const int error_number = errno;
        remove_tree(name);
        throw SystemError(fmt::format("cannot set the mode of {}", name), error_number);
    }
    path_ = std::move(name);
    lock_ = lock.release();
}

TemporaryDirectory::~TemporaryDirectory() {
    const Descriptor lock(lock_);
    if (!path_.empty()) {
        remove_locked(path_);
    }
}

TemporaryDirectory::TemporaryDirectory(TemporaryDirectory && other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {
    other.path_.clear();
}

fs::path TemporaryDirectory::keep() {
    // Without a lock file, and not empty, it is nobody's leftover.
    unlink((path_ / LOCK).c_str());
    const Descriptor lock(std::exchange(lock_, -1));
    return std::exchange(path_, {});
}

int remove_stale(const fs::path & base) {
    const Descriptor opened(open(base.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!opened) {
        return 0;
    }
    std::vector<fs::path> candidates;
    std::error_code error;
    for (fs::directory_iterator entry(base, error), end; !error && entry != end; entry.increment(error)) {
        if (entry->path().filename().string().starts_with(PREFIX)) {
            candidates.push_back(entry->path());
        }
    }
    int removed = 0;
    for (const fs::path & candidate : candidates) {
        removed += remove_if_stale(opened.number(), candidate) ? 1 : 0;
    }
    return removed;
}

bool remove_tree(const fs::path & path) noexcept {
    try {
        std::error_code error;
        fs::remove_all(path, error);
        if (error) {
            // Package payloads and guests leave directories that even their owner may not change.
            open_directories(path);
            fs::remove_all(path, error);
        }
        return !error && !fs::exists(fs::symlink_status(path, error));
    } catch (const std::exception &) {
        return false;
    }
}

}  // namespace bootbudget::common
