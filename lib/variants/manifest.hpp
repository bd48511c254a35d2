// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "variants/built_packages.hpp"
#include "variants/switches.hpp"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace bootbudget::variants {

struct ManifestVariant {
    std::string name;
    Switches switches;
    std::vector<BuiltPackage> packages;
    double seconds = 0;
    std::string log;
};

struct ManifestSource {
    std::string file;
    std::string sha256;
};

/// The document "bootbudget-build/1": what was built how. docs/build.md describes each field.
struct Manifest {
    std::string started;   ///< RFC 3339, UTC
    std::string finished;  ///< likewise
    ManifestSource source;
    std::vector<ManifestSource> sources;  ///< the files that the spec uses
    std::string rpmbuild;                 ///< version
    int jobs = 0;
    std::vector<ManifestVariant> variants;
};

inline constexpr const char * MANIFEST_FILE = "manifest.json";

std::string to_json(const Manifest & manifest);

/// The names of all files that an output with this manifest has, the manifest's own included; empty when `directory` has no readable manifest of this schema.
std::set<std::string> files_by_manifest(const std::filesystem::path & directory);

}  // namespace bootbudget::variants
