// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>

#include <rpm/rpmcrypto.h>  // behind the others: it uses size_t and does not declare it

namespace bootbudget::common {

/// A digest under construction, by librpm's functions.
class Digest {
public:
    /// "sha1", "sha224", "sha256", "sha384" or "sha512". BugError for another name: ask hex_length() first. SystemError if librpm offers none of it, as some
    /// systems forbid SHA-1.
    explicit Digest(std::string_view algorithm);
    ~Digest();
    Digest(const Digest &) = delete;
    Digest & operator=(const Digest &) = delete;

    /// How many hex digits a digest of that name has; 0 for an unknown name.
    static std::size_t hex_length(std::string_view algorithm) noexcept;

    void add(std::string_view bytes);

    /// Lower-case hex; the digest is used up.
    std::string hex();

private:
    std::string_view algorithm_;
    DIGEST_CTX context_ = nullptr;
};

/// Lower-case hex digest of a file, by Digest. Throws SystemError for a file that cannot be read, Cancelled when the stop token is triggered.
std::string digest_of_file(
    const std::filesystem::path & path, std::string_view algorithm, const std::stop_token & stop = {});

/// Lower-case hex SHA-256, by Digest. Throws SystemError for a file that cannot be read.
std::string sha256(std::string_view bytes);
std::string sha256_of_file(const std::filesystem::path & path);

}  // namespace bootbudget::common
