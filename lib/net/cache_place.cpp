// SPDX-License-Identifier: GPL-2.0-or-later
// A file whose content is known is found again under any URL; others can only be told by their URL. Digests as names are harmless, of equal length, and
// spread evenly over 256 directories.
#include "net/cache_place.hpp"

#include "common/digest.hpp"
#include "common/units.hpp"
#include "net/url.hpp"

#include <fmt/format.h>
#include <bootbudget/error.hpp>

#include <algorithm>

namespace bootbudget::net {

namespace {

constexpr std::size_t LONGEST_SHOWN = 80;

std::string lower_case(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return text;
}

std::string spread(const std::string & kind, const std::string & hex) {
    return fmt::format("{}/{}/{}", kind, hex.substr(0, 2), hex);
}

}  // namespace

Checksum checked(const Checksum & checksum, const std::string & what) {
    Checksum result{lower_case(checksum.algorithm), lower_case(checksum.hex)};
    if (result.algorithm == "sha") {
        result.algorithm = "sha1";
    }
    const std::size_t length = common::Digest::hex_length(result.algorithm);
    if (length == 0) {
        throw UserError(fmt::format(
            "the checksum promised for {} is of a kind that is not accepted (\"{}\"); make the index again with sha256 "
            "or sha512.",
            what,
            common::printable(checksum.algorithm, LONGEST_SHOWN)));
    }
    if (result.hex.size() != length || result.hex.find_first_not_of("0123456789abcdef") != std::string::npos) {
        throw UserError(fmt::format(
            "the checksum promised for {}, \"{}\", is no {}; the index is damaged: make or fetch it again.",
            what,
            common::printable(checksum.hex, LONGEST_SHOWN),
            result.algorithm));
    }
    return result;
}

CachePlace place_of(const Download & download) {
    const std::string name = file_name(download.url);
    if (download.checksum) {
        const Checksum checksum = checked(*download.checksum, download.what);
        return {spread(checksum.algorithm, checksum.hex), name};
    }
    return {spread("url", common::sha256(identity(download.url))), name};
}

}  // namespace bootbudget::net
