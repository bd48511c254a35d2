// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "policy/mistakes.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bootbudget::policy {

/// A mapping's key.
struct Key {
    std::string text;
    Place place;
};

/// A piece of a YAML document that knows where it was written. Aliases are already replaced by copies of what they stand for.
struct Node {
    enum class Kind { NOTHING, SCALAR, SEQUENCE, MAPPING };

    Kind kind = Kind::NOTHING;
    Place place;
    std::string text;         ///< of a scalar
    bool has_quotes = false;  ///< of a scalar
    std::vector<Key> keys;    ///< of a mapping, beside `items`
    std::vector<Node> items;  ///< of a sequence, or a mapping's values

    /// A mapping's value; nullptr if there is none of that name.
    const Node * find(std::string_view key) const;
};

/// Bounds that no honest policy reaches.
constexpr std::size_t MAX_DOCUMENT_BYTES = std::size_t{1} << 20U;
constexpr int MAX_NESTING = 32;
constexpr int MAX_NODES = 20000;                               ///< aliases expanded
constexpr std::size_t MAX_TEXT_BYTES = std::size_t{4} << 20U;  ///< of all scalars, aliases expanded

/// Reads one YAML document with yaml-cpp's event parser. Keys that are there twice, tags and keys that are no scalars are mistakes; a syntax error, too deep
/// nesting, aliases that expand to too much, or a second document are a mistake and the end: nullopt.
std::optional<Node> read_document(std::string_view text, int file, Mistakes & mistakes);

/// The node as a YAML document that read_document() reads back to the same (except places).
std::string write_document(const Node & node);

}  // namespace bootbudget::policy
