// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "variants/switches.hpp"
#include "variants/workspace.hpp"

#include <filesystem>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace bootbudget::variants {

/// A source laid out in a workspace, ready for rpmbuild.
struct StagedSource {
    std::filesystem::path spec;                   ///< the copy in SPECS that is built
    std::string file;                             ///< the source's own file name
    std::string sha256;                           ///< of the spec, or of the source package
    std::vector<std::filesystem::path> searched;  ///< the directories whose files are at hand, the first wins
};

/// Copies a spec into the workspace and links every file beside it, in its configs/ and in `source_directories` into SOURCES; or unpacks a source
/// package there with rpm(8), which verifies it. Throws UserError for a source that is neither, cannot be read or is damaged, and for a source directory that is none.
StagedSource stage(
    const std::filesystem::path & source,
    const std::vector<std::filesystem::path> & source_directories,
    const Workspace & workspace,
    std::stop_token stop);

/// The file names of the sources and patches that the spec has under these switches, asked from rpmspec(8).
///
/// A child process and not librpm's parser in this one, because parsing a spec runs its %(…) and Lua macros: those get the build's own small environment, can
/// be stopped, and can neither change nor crash the caller. Throws UserError with rpm's own words when the spec cannot be parsed.
std::set<std::string> sources_of(
    const StagedSource & staged, const Switches & switches, const Workspace & workspace, std::stop_token stop);

/// Throws UserError listing all of `names` that are not in SOURCES, where they were looked for, and the next step.
void require_sources(const StagedSource & staged, const std::set<std::string> & names, const Workspace & workspace);

}  // namespace bootbudget::variants
