// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "policy/document.hpp"

#include <filesystem>
#include <optional>
#include <vector>

namespace bootbudget::policy {

/// A policy file with everything it includes.
struct Sources {
    std::vector<Node> documents;  ///< each file's own, in the order of reading, as far as they could be read
    std::optional<Node> merged;   ///< nullopt if some file could not be read
};

/// Reads `file` and, below it, its `include`s, relative to the file that names them. Files that include each other in a circle, more than MAX_INCLUDE_DEPTH levels or
/// MAX_INCLUDED_FILES files are mistakes, as are included files that cannot be read. SystemError or UserError if `file` itself cannot be read.
Sources read_sources(const std::filesystem::path & file, Mistakes & mistakes);

constexpr int MAX_INCLUDE_DEPTH = 8;
constexpr int MAX_INCLUDED_FILES = 32;

/// `over` laid on `base`: mappings merge key by key; items of `variants` and `budgets` replace those of the same name whole, new ones are appended; `waivers` are
/// appended; everything else is replaced.
Node merge(Node base, const Node & over);

}  // namespace bootbudget::policy
