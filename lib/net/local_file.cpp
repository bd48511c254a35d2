// SPDX-License-Identifier: GPL-2.0-or-later
// A file of this machine is used where it is: a copy would cost as much as it saves, and whoever may exchange the file afterwards could have done so before.
#include "net/local_file.hpp"

#include "common/digest.hpp"
#include "net/failure.hpp"
#include "net/url.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>

namespace bootbudget::net {

namespace {

[[noreturn]] void refuse(const Failure & failure, const Download & download) {
    raise(failure, download, "", 1);
}

}  // namespace

std::filesystem::path check_local_file(const Download & download, const std::stop_token & stop) {
    std::filesystem::path path = local_path(download.url);
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        if (errno != ENOENT && errno != ENOTDIR) {
            const int error_number = errno;
            throw SystemError(fmt::format("cannot take {} from {}", download.what, path.string()), error_number);
        }
        refuse({Blame::USER, Again::NEVER, "there is no such file", "check the URL"}, download);
    }
    if (!S_ISREG(status.st_mode)) {
        refuse({Blame::USER, Again::NEVER, "it is not a regular file", "check the URL"}, download);
    }
    const auto size = static_cast<std::uint64_t>(status.st_size);
    if (size > download.max_size) {
        refuse(too_large(download.max_size), download);
    }
    if (download.size && *download.size != size) {
        refuse(wrong_size(*download.size, size, true), download);
    }
    if (download.checksum) {
        const std::string found = common::digest_of_file(path, download.checksum->algorithm, stop);
        if (found != download.checksum->hex) {
            refuse(wrong_checksum(*download.checksum, found, true), download);
        }
    }
    return path;
}

}  // namespace bootbudget::net
