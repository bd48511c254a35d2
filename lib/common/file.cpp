// SPDX-License-Identifier: GPL-2.0-or-later
// Files that users name are read whole, but never without a bound: a device or a huge file by mistake must end in a sentence, not in swapping.
#include "common/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <bootbudget/error.hpp>

#include <cerrno>

namespace bootbudget::common {

namespace {

struct Descriptor {
    int number;
    explicit Descriptor(int n) : number(n) {}
    Descriptor(const Descriptor &) = delete;
    Descriptor & operator=(const Descriptor &) = delete;
    ~Descriptor() {
        if (number >= 0) {
            ::close(number);
        }
    }
};

}  // namespace

std::string read_file(const std::filesystem::path & path, std::size_t max_bytes) {
    // O_NONBLOCK: opening a FIFO by mistake must not wait for a writer.
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status {};
    if (file.number < 0 || ::fstat(file.number, &status) != 0) {
        throw SystemError(fmt::format("cannot read {}", path.string()), errno);
    }
    if (S_ISDIR(status.st_mode)) {
        throw UserError(fmt::format("{} is a directory, not a file.", path.string()));
    }
    if (!S_ISREG(status.st_mode)) {
        throw UserError(fmt::format("{} is not a regular file.", path.string()));
    }
    std::string content;
    char buffer[65536];
    for (;;) {
        const auto n = ::read(file.number, buffer, sizeof buffer);
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            throw SystemError(fmt::format("cannot read {}", path.string()), errno);
        }
        if (n == 0) {
            return content;
        }
        content.append(buffer, static_cast<std::size_t>(n));
        if (content.size() > max_bytes) {
            throw UserError(
                fmt::format("{} is larger than {} bytes, the most that is read.", path.string(), max_bytes));
        }
    }
}

}  // namespace bootbudget::common
