// SPDX-License-Identifier: GPL-2.0-or-later
// Digests by librpm, which is linked anyway and uses the distribution's approved cryptographic library. Files are read in pieces, so that a
// debuginfo package of a gigabyte costs no memory.
#include "common/digest.hpp"

#include "common/descriptor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <bootbudget/error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <utility>

namespace bootbudget::common {

namespace {

struct Algorithm {
    std::string_view name;
    int number;  // of RFC 4880 9.4, as rpm numbers them
    std::size_t hex_length;
};

constexpr std::array<Algorithm, 5> ALGORITHMS{
    {{"sha1", RPM_HASH_SHA1, 40},
     {"sha224", RPM_HASH_SHA224, 56},
     {"sha256", RPM_HASH_SHA256, 64},
     {"sha384", RPM_HASH_SHA384, 96},
     {"sha512", RPM_HASH_SHA512, 128}}};

const Algorithm * find(std::string_view name) noexcept {
    const auto * const found =
        std::find_if(ALGORITHMS.begin(), ALGORITHMS.end(), [&](const Algorithm & a) { return a.name == name; });
    return found == ALGORITHMS.end() ? nullptr : found;
}

}  // namespace

Digest::Digest(std::string_view algorithm) {
    const Algorithm * const known = find(algorithm);
    if (known == nullptr) {
        throw BugError(fmt::format("there is no digest \"{}\" in bootbudget; please report this.", algorithm));
    }
    algorithm_ = known->name;
    context_ = rpmDigestInit(known->number, RPMDIGEST_NONE);
    if (context_ == nullptr) {
        throw SystemError(fmt::format("librpm offers no {}; reinstall the rpm libraries of this system.", algorithm_));
    }
}

Digest::~Digest() {
    if (context_ != nullptr) {
        rpmDigestFinal(context_, nullptr, nullptr, 0);
    }
}

std::size_t Digest::hex_length(std::string_view algorithm) noexcept {
    const Algorithm * const known = find(algorithm);
    return known == nullptr ? 0 : known->hex_length;
}

void Digest::add(std::string_view bytes) {
    if (!bytes.empty() && rpmDigestUpdate(context_, bytes.data(), bytes.size()) != 0) {
        throw SystemError(fmt::format("librpm failed to compute a {} digest.", algorithm_));
    }
}

std::string Digest::hex() {
    void * text = nullptr;
    std::size_t size = 0;
    const int failed = rpmDigestFinal(std::exchange(context_, nullptr), &text, &size, 1);
    const std::unique_ptr<void, decltype(&std::free)> owner(text, &std::free);
    if (failed != 0 || text == nullptr) {
        throw SystemError(fmt::format("librpm failed to compute a {} digest.", algorithm_));
    }
    return static_cast<const char *>(text);
}

std::string digest_of_file(
    const std::filesystem::path & path, std::string_view algorithm, const std::stop_token & stop) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file) {
        throw SystemError(fmt::format("cannot open {}", path.string()), errno);
    }
    Digest digest(algorithm);
    std::array<char, std::size_t{64} * 1024> piece;
    for (;;) {
        if (stop.stop_requested()) {
            throw Cancelled(fmt::format("the check of {} was interrupted.", path.string()));
        }
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

std::string sha256(std::string_view bytes) {
    Digest digest("sha256");
    digest.add(bytes);
    return digest.hex();
}

std::string sha256_of_file(const std::filesystem::path & path) {
    return digest_of_file(path, "sha256");
}

}  // namespace bootbudget::common
