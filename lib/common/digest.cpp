// SPDX-License-Identifier: GPL-2.0-or-later
// SHA-256 by librpm, which is linked anyway and uses the distribution's approved cryptographic library. Files are read in pieces, so that a
// debuginfo package of a gigabyte costs no memory.
#include "common/digest.hpp"

#include "common/descriptor.hpp"

#include <bootbudget/error.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <rpm/rpmcrypto.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <memory>

namespace bootbudget::common {

namespace {

/// One running SHA-256 computation of librpm's.
class Sha256 {
public:
    Sha256() : context_(rpmDigestInit(RPM_HASH_SHA256, RPMDIGEST_NONE)) {
        if (context_ == nullptr) {
            throw SystemError("librpm offers no SHA-256; reinstall the rpm libraries of this system.");
        }
    }
    ~Sha256() {
        if (context_ != nullptr) {
            rpmDigestFinal(context_, nullptr, nullptr, 0);
        }
    }
    Sha256(const Sha256 &) = delete;
    Sha256 & operator=(const Sha256 &) = delete;

    void add(std::string_view bytes) {
        if (!bytes.empty() && rpmDigestUpdate(context_, bytes.data(), bytes.size()) != 0) {
            throw SystemError("librpm failed to compute a SHA-256 digest.");
        }
    }

    std::string hex() {
        void * text = nullptr;
        std::size_t size = 0;
        const int failed = rpmDigestFinal(std::exchange(context_, nullptr), &text, &size, 1);
        const std::unique_ptr<void, decltype(&std::free)> owner(text, &std::free);
        if (failed != 0 || text == nullptr) {
            throw SystemError("librpm failed to compute a SHA-256 digest.");
        }
        return static_cast<const char *>(text);
    }

private:
    DIGEST_CTX context_;
};

}  // namespace

std::string sha256(std::string_view bytes) {
    Sha256 digest;
    digest.add(bytes);
    return digest.hex();
}

std::string sha256_of_file(const std::filesystem::path & path) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) {
        throw SystemError(fmt::format("cannot open {}", path.string()), errno);
    }
    Sha256 digest;
    std::array<char, std::size_t{64} * 1024> piece;
    for (;;) {
        const ssize_t count = ::read(file.number(), piece.data(), piece.size());
        if (count == 0) {
            return digest.hex();
        }
        if (count > 0) {
            digest.add({piece.data(), static_cast<std::size_t>(count)});
        } else if (errno != EINTR) {
            throw SystemError(fmt::format("cannot read {}", path.string()), errno);
        }
    }
}

}  // namespace bootbudget::common
