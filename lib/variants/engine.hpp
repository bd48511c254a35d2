// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "variants/switches.hpp"

#include <bootbudget/progress.hpp>

#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace bootbudget::variants {

struct BuildRequest {
    std::filesystem::path source;  ///< a .spec or a .src.rpm
    std::vector<std::filesystem::path>
        source_directories;  ///< where a spec's sources are looked up besides its own directory and its configs/
    std::vector<VariantBuild> variants;  ///< empty: one run named "all" with the spec's own defaults
    std::filesystem::path
        output;  ///< directory for the RPMs and manifest.json; must not exist yet, or be empty, or be an earlier output
    std::filesystem::path work_directory;  ///< empty: $TMPDIR, else /var/tmp
    int jobs = 0;                          ///< 0: the number of processors; never more
    bool check_dependencies = true;        ///< false: rpmbuild --nodeps
    bool keep_work = false;
};

struct BuiltVariant {
    std::string name;
    Switches switches;
    std::vector<std::string> packages;  ///< file names below the output directory
    double seconds = 0;
    std::string log;  ///< file name below the output directory
};

/// What was built how; manifest.json ("bootbudget-build/1") in the output directory says the same.
struct BuildResult {
    std::filesystem::path output;
    std::string source;  ///< file name
    std::string source_sha256;
    std::string rpmbuild;  ///< version
    std::vector<BuiltVariant> variants;
};

/// Builds each variant with rpmbuild(8) in one work directory, as this process's own user. Throws UserError when the source is not usable or the build fails: the sentence holds the compiler's
/// own error lines, not only rpmbuild's last one, and where the whole log is. SystemError: rpmbuild missing, no space. Cancelled.
BuildResult build(const BuildRequest & request, Progress & progress, std::stop_token stop);

/// The lines of a build log that say why it failed: compiler errors with file and line, the linker's, make's first "***", rpm's own "error:"; at most `max_lines`.
std::vector<std::string> failure_lines(const std::string & log_text, std::size_t max_lines = 20);

}  // namespace bootbudget::variants
