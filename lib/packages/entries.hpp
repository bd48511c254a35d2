// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "packages/librpm.hpp"
#include "packages/placement.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bootbudget::packages {

/// One file of a package, as its header tells.
struct Entry {
    std::string name;  ///< absolute
    rpm_mode_t mode = 0;
    std::uint64_t size = 0;
    std::string link_target;           ///< of a symbolic link
    std::string digest;                ///< of a regular file that has a place, in lower-case hex
    int algorithm = 0;                 ///< of the digest, as librpm::Digest takes it
    bool ghost = false;                ///< listed, but not in the payload
    std::optional<std::string> place;  ///< where it goes; nothing for a file that is not wanted
};

/// Why a file must not have this name: "", or "has a name with \"..\" in it" and the like.
std::string objection_to_name(std::string_view name);

/// True for a link target that cannot lead out of the tree from a link at `place`, whatever other links like it there are: relative, its ".." all in front and no
/// more of them than there are directories above the link.
bool stays_inside(std::string_view target, std::string_view place);

/// All entries of a package, in the header's order, and nothing in them that a payload reader must fear: all names are fit, wanted entries are regular files with
/// a digest, directories and symbolic links, each placed once, none below another that is a link or a file, within the limits; hard links agree with each other; the
/// lengths of symbolic links are what their targets say (librpm allocates by them). UserError naming package and entry otherwise.
std::vector<Entry> entries_of(
    rpmfiles files, const RpmFile & package, const Placement & placement, const UnpackLimits & limits);

}  // namespace bootbudget::packages
