// SPDX-License-Identifier: GPL-2.0-or-later
// The report grows in "NAME.partial-XXXXXX" beside NAME, so that taking the name is a rename within one file system. A lock (flock(2) on
// ".lock" in it) tells a directory in use from one that a killed check left behind; whoever holds the lock owns the directory, and
// only under the lock is it renamed away or removed. A fresh directory whose lock a cleaner took first is given up and made anew.
#include "report/output_directory.hpp"

#include "common/descriptor.hpp"
#include "common/temporary_directory.hpp"
#include "report/replacement.hpp"
#include "report/writers.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/stat.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

namespace bootbudget::report {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view SUFFIX = "XXXXXX";

fs::path lock_file(const fs::path & directory) {
    return directory / ".lock";
}

/// The lock of `directory`, made if it has none; empty, with errno, if somebody else holds it (EWOULDBLOCK) or the directory is gone.
common::Descriptor lock(const fs::path & directory) {
    common::Descriptor file(
        ::open(lock_file(directory).c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600));
    if (!file || ::flock(file.number(), LOCK_EX | LOCK_NB) != 0) {
        return {};
    }
    // Between open() and flock() the directory may have been renamed away or removed by its former holder.
    struct stat held {};
    struct stat named {};
    if (::fstat(file.number(), &held) != 0 || ::stat(lock_file(directory).c_str(), &named) != 0 ||
        held.st_dev != named.st_dev || held.st_ino != named.st_ino) {
        errno = EWOULDBLOCK;
        return {};
    }
    return file;
}

/// "NAME.partial-a1B2c3" and what is being removed, "NAME.stale-a1B2c3".
bool is_leftover(const std::string & entry, const std::string & name) {
    for (const std::string_view kind : {".partial-", ".stale-"}) {
        const std::string prefix = name + std::string(kind);
        if (entry.size() >= prefix.size() + SUFFIX.size() && entry.compare(0, prefix.size(), prefix) == 0) {
            const std::string rest = entry.substr(prefix.size());
            const auto alphanumeric = [](char c) {
                return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
            };
            return std::all_of(rest.begin(), rest.begin() + SUFFIX.size(), alphanumeric) &&
                   (rest.size() == SUFFIX.size() || rest.substr(SUFFIX.size()) == ".earlier");
        }
    }
    return false;
}

/// Removes what ended checks left of the output `final_path`. Whatever cannot be removed stays: it is not this check's business to fail for it.
void remove_leftovers(const fs::path & final_path) {
    const std::string name = final_path.filename().string();
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator entry(final_path.parent_path(), error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        struct stat status {};
        if (is_leftover(entry->path().filename().string(), name) && ::lstat(entry->path().c_str(), &status) == 0 &&
            S_ISDIR(status.st_mode) && status.st_uid == ::geteuid()) {
            found.push_back(entry->path());
        }
    }
    for (const fs::path & directory : found) {
        const common::Descriptor held = lock(directory);
        if (!held) {
            continue;
        }
        // Away from its name first: its maker may be about to take the lock, and must find nothing then rather than half of it.
        std::string stale = (final_path.parent_path() / (name + ".stale-")).string() + std::string(SUFFIX);
        if (::mkdtemp(stale.data()) != nullptr && ::rename(directory.c_str(), stale.c_str()) == 0) {
            common::remove_tree(stale);
        } else {
            ::rmdir(stale.c_str());
        }
    }
}

bool is_mount_point(const fs::path & path) {
    struct statx status {};
    return ::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, 0, &status) == 0 &&
           (status.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT) != 0 &&
           (status.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

/// Absolute, links resolved (the rename is to replace a directory, not a link to it), with its parent made if it is missing.
fs::path resolved(const fs::path & path) {
    if (path.empty()) {
        throw UserError("The directory for the report has an empty name; give one with --output.");
    }
    std::error_code error;
    fs::path result = fs::weakly_canonical(fs::absolute(path), error);
    if (error) {
        throw SystemError(fmt::format("cannot resolve the path {} of the report", path.string()), error.value());
    }
    if (result.filename().empty()) {
        result = result.parent_path();
    }
    if (!result.has_relative_path() || result == fs::current_path(error) || is_mount_point(result)) {
        throw UserError(fmt::format(
            "{} cannot be the directory for the report, because it is a mount point or the current directory and so "
            "cannot be replaced in one step. Choose a directory below it.",
            result.string()));
    }
    if (const std::string objection = objection_to(result); !objection.empty()) {
        throw UserError(fmt::format("{} {}. Choose another directory for the report.", result.string(), objection));
    }
    fs::create_directories(result.parent_path(), error);
    if (error) {
        throw SystemError(
            fmt::format("cannot create the directory {} for the report", result.parent_path().string()), error.value());
    }
    return result;
}

void sync(const fs::path & path) {
    const common::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    // EINVAL and EROFS: nothing to synchronise on this file system (fsync(2)).
    if (!file || (::fsync(file.number()) != 0 && errno != EINVAL && errno != EROFS)) {
        throw SystemError(fmt::format("cannot write {} to the disk", path.string()), errno);
    }
}

void write_file(const fs::path & path, std::string_view text) {
    const common::Descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644));
    const auto fail = [&path] {
        throw SystemError(fmt::format("cannot write the report {} (is the disk full?)", path.string()), errno);
    };
    if (!file) {
        fail();
    }
    while (!text.empty()) {
        const ssize_t written = ::write(file.number(), text.data(), text.size());
        if (written < 0 && errno != EINTR) {
            fail();
        }
        text.remove_prefix(written > 0 ? static_cast<std::size_t>(written) : 0);
    }
}

}  // namespace

OutputDirectory::OutputDirectory(const fs::path & final_path) : final_(resolved(final_path)) {
    remove_leftovers(final_);
    for (int attempt = 0; lock_ < 0; ++attempt) {
        std::string name = final_.string() + ".partial-" + std::string(SUFFIX);
        if (attempt == 100 || ::mkdtemp(name.data()) == nullptr) {
            throw SystemError(
                fmt::format(
                    "cannot create a directory for the report in {} (choose another place with --output)",
                    final_.parent_path().string()),
                attempt == 100 ? EBUSY : errno);
        }
        common::Descriptor held = lock(name);
        if (const int error = errno; !held) {
            if (error == EWOULDBLOCK || ::access(name.c_str(), F_OK) != 0) {
                continue;  // a cleaner was faster, and removes it
            }
            ::rmdir(name.c_str());
            throw SystemError(fmt::format("cannot lock the new directory {} for the report", name), error);
        }
        partial_ = name;
        lock_ = held.release();
    }
    if (::mkdir(logs().c_str(), 0755) != 0) {
        const int error = errno;
        common::remove_tree(partial_);
        ::close(lock_);
        throw SystemError(fmt::format("cannot create the directory {}", logs().string()), error);
    }
}

OutputDirectory::~OutputDirectory() {
    if (!committed_) {
        common::remove_tree(partial_);
    }
    ::close(lock_);
}

void OutputDirectory::commit(const Report & report) {
    write_file(partial_ / "report.txt", to_text(report, TextStyle{}));
    write_file(partial_ / "junit.xml", to_junit(report));
    write_file(partial_ / "report.json", to_json(report));
    // mkdtemp(3) makes private directories; the finished one is as open as the user's umask let logs/ be.
    struct stat status {};
    if (::stat(logs().c_str(), &status) != 0 || ::chmod(partial_.c_str(), status.st_mode & 0777U) != 0) {
        throw SystemError(fmt::format("cannot set the mode of {}", partial_.string()), errno);
    }
    for (const fs::directory_entry & entry : fs::recursive_directory_iterator(partial_)) {
        if (entry.is_directory() || entry.is_regular_file()) {
            sync(entry.path());
        }
    }
    sync(partial_);
    replace(partial_, final_);
    committed_ = true;
    // What had the name before is under the partial name now; its lock file, if any, belongs to nobody.
    common::remove_tree(partial_);
    ::unlink(lock_file(final_).c_str());
    partial_ = final_;
    // The report is in place whatever becomes of this; a parent that cannot be read, say, is no reason to call it failed.
    if (const common::Descriptor parent(::open(final_.parent_path().c_str(), O_RDONLY | O_CLOEXEC)); parent) {
        ::fsync(parent.number());
    }
}

}  // namespace bootbudget::report
