// SPDX-License-Identifier: GPL-2.0-or-later
// libsolv has a parser for this file too, but leaves out the decompressed sizes, which are what a file that grows without end when it is decompressed is
// held against.
#include "packages/repomd.hpp"

#include <fmt/format.h>
#include <bootbudget/error.hpp>

#include <charconv>
#include <pugixml.hpp>

namespace bootbudget::packages {

namespace {

constexpr std::size_t MAX_HREF = 2000;

std::optional<std::uint64_t> number(const pugi::xml_node & node) {
    const std::string_view text = node.text().get();
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

MetadataFile file_of(const pugi::xml_node & repomd, const char * type, const std::string & url) {
    const pugi::xml_node node = repomd.find_child_by_attribute("data", "type", type);
    if (!node) {
        throw UserError(fmt::format(
            "the repository's index {} names no \"{}\", which is needed to choose packages; create the index with "
            "createrepo_c.",
            url,
            type));
    }
    MetadataFile file;
    file.href = node.child("location").attribute("href").value();
    file.base = node.child("location").attribute("xml:base").value();
    file.checksum = {node.child("checksum").attribute("type").value(), node.child("checksum").text().get()};
    file.size = number(node.child("size"));
    file.open_size = number(node.child("open-size"));
    if (file.href.empty() || file.href.size() > MAX_HREF || file.base.size() > MAX_HREF) {
        throw UserError(fmt::format("the repository's index {} does not say where its \"{}\" is.", url, type));
    }
    if (file.checksum.algorithm.empty() || file.checksum.hex.empty()) {
        throw UserError(fmt::format(
            "the repository's index {} gives no checksum of its \"{}\", so it cannot be told whether that is whole.",
            url,
            type));
    }
    if (file.size.value_or(0) > MAX_METADATA || file.open_size.value_or(0) > MAX_OPEN_METADATA) {
        throw UserError(fmt::format(
            "the \"{}\" of the repository at {} is larger than is reasonable: {} bytes, {} decompressed.",
            type,
            url,
            file.size.value_or(0),
            file.open_size.value_or(0)));
    }
    return file;
}

}  // namespace

Repomd parse_repomd(std::string_view text, const std::string & url) {
    pugi::xml_document document;
    const pugi::xml_parse_result parsed = document.load_buffer(text.data(), text.size());
    if (!parsed) {
        throw UserError(fmt::format(
            "the repository's index {} is not XML ({} at byte {}); is this the address of a repository, the directory "
            "above repodata/?",
            url,
            parsed.description(),
            parsed.offset));
    }
    const pugi::xml_node repomd = document.child("repomd");
    if (!repomd) {
        throw UserError(fmt::format("{} is not a repository's index: there is no <repomd> in it.", url));
    }
    return {file_of(repomd, "primary", url), file_of(repomd, "filelists", url)};
}

}  // namespace bootbudget::packages
