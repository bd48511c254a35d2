// SPDX-License-Identifier: GPL-2.0-or-later
// openat(2) with O_NOFOLLOW, one directory at a time, from a descriptor of the root: what a name means is decided by what is really there, at the moment of
// writing, so that no order of entries and no link made by an earlier package can lead out of the tree.
#include "packages/tree_writer.hpp"

#include "common/units.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <bootbudget/error.hpp>

#include <cerrno>
#include <utility>

namespace bootbudget::packages {

namespace {

constexpr mode_t DIRECTORY_MODE = 0755;

std::string last_part(const std::string & name) {
    const auto slash = name.rfind('/');
    return slash == std::string::npos ? name : name.substr(slash + 1);
}

std::string parent_of(const std::string & name) {
    const auto slash = name.rfind('/');
    return slash == std::string::npos ? std::string() : name.substr(0, slash);
}

}  // namespace

TreeWriter::TreeWriter(const std::filesystem::path & root, std::string whose)
    : root_path_(root), whose_(std::move(whose)), root_(::open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (!root_) {
        throw SystemError(fmt::format("cannot open the directory {}", root.string()), errno);
    }
}

void TreeWriter::refuse(const std::string & name, const std::string & why) const {
    throw UserError(
        fmt::format("the package {} is refused: its entry \"/{}\" {}.", whose_, common::printable(name, 200), why));
}

void TreeWriter::fail(const std::string & name, int error_number) const {
    const bool full = error_number == ENOSPC || error_number == EDQUOT;
    throw SystemError(
        fmt::format(
            "cannot unpack \"/{}\" of {} into {}{}",
            common::printable(name, 200),
            whose_,
            root_path_.string(),
            full ? " (free space there, or choose another directory with --work-dir)" : ""),
        error_number);
}

int TreeWriter::open_parent(const std::string & name) {
    const std::string parent = parent_of(name);
    if (parent.empty()) {
        return root_.number();
    }
    if (parent_ && parent_name_ == parent) {
        return parent_.number();
    }
    common::Descriptor current;
    int at = root_.number();
    std::size_t begin = 0;
    while (begin < parent.size()) {
        const auto end = std::min(parent.find('/', begin), parent.size());
        const std::string part = parent.substr(begin, end - begin);
        constexpr int FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
        int next = ::openat(at, part.c_str(), FLAGS);
        if (next < 0 && errno == ENOENT) {
            if (::mkdirat(at, part.c_str(), DIRECTORY_MODE) != 0 && errno != EEXIST) {
                fail(name, errno);
            }
            next = ::openat(at, part.c_str(), FLAGS);
            // Readable for the account that boots, whatever this process's umask.
            if (next >= 0 && ::fchmod(next, DIRECTORY_MODE) != 0) {
                const int error_number = errno;
                ::close(next);
                fail(name, error_number);
            }
        }
        if (next < 0) {
            if (errno == ELOOP || errno == ENOTDIR) {
                refuse(
                    name,
                    fmt::format("would be written through \"/{}\", which is not a directory", parent.substr(0, end)));
            }
            fail(name, errno);
        }
        current = common::Descriptor(next);
        at = next;
        begin = end + 1;
    }
    parent_ = std::move(current);
    parent_name_ = parent;
    return parent_.number();
}

void TreeWriter::make_directory(const std::string & name) {
    // All of the name is the parent of an entry in it.
    open_parent(name + "/.");
}

common::Descriptor TreeWriter::create_file(const std::string & name, bool executable) {
    const int at = open_parent(name);
    const std::string last = last_part(name);
    common::Descriptor file(
        ::openat(at, last.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, S_IRUSR | S_IWUSR));
    if (!file) {
        if (errno == EEXIST || errno == EISDIR || errno == ELOOP) {
            refuse(name, "is there already, from an earlier entry");
        }
        fail(name, errno);
    }
    if (::fchmod(file.number(), executable ? 0755 : 0644) != 0) {
        fail(name, errno);
    }
    return file;
}

void TreeWriter::write(
    const common::Descriptor & file, const std::string & name, const char * bytes, std::size_t size) {
    while (size > 0) {
        const auto written = ::write(file.number(), bytes, size);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            fail(name, errno);
        }
        bytes += written;
        size -= static_cast<std::size_t>(written);
    }
}

void TreeWriter::link_file(const std::string & existing, const std::string & name) {
    // The directory of `existing` must stay open while that of `name` is looked up.
    const common::Descriptor from(::fcntl(open_parent(existing), F_DUPFD_CLOEXEC, 0));
    if (!from) {
        fail(name, errno);
    }
    const int to = open_parent(name);
    if (::linkat(from.number(), last_part(existing).c_str(), to, last_part(name).c_str(), 0) != 0) {
        if (errno == EEXIST) {
            refuse(name, "is there already, from an earlier entry");
        }
        fail(name, errno);
    }
}

void TreeWriter::make_symlink(const std::string & target, const std::string & name) {
    const int at = open_parent(name);
    if (::symlinkat(target.c_str(), at, last_part(name).c_str()) != 0) {
        if (errno == EEXIST) {
            refuse(name, "is there already, from an earlier entry");
        }
        fail(name, errno);
    }
}

void TreeWriter::remove_file(const std::string & name) noexcept {
    try {
        ::unlinkat(open_parent(name), last_part(name).c_str(), 0);
    } catch (const Error &) {
        return;  // then it was never there
    }
}

}  // namespace bootbudget::packages
