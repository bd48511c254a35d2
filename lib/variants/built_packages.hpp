// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "variants/workspace.hpp"

#include <filesystem>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

namespace bootbudget::variants {

/// A package file that a variant's run wrote.
struct BuiltPackage {
    std::string file;  ///< its name in the output directory
    std::string sha256;
    std::string
        kept_from;  ///< empty: this one is in the output; else the variant whose package of the same name is there instead
    bool same_contents = true;  ///< as the kept one
};

/// The packages of all variants so far, flat in one directory, each name once.
class PackagePool {
public:
    PackagePool(std::filesystem::path directory, const Workspace & workspace)
        : directory_(std::move(directory)), workspace_(workspace) {}

    /// Moves the packages of the workspace's RPMS into the directory on behalf of a variant, sorted by name. A package that an earlier variant made under the same
    /// name is kept from that one: specs make the same empty and common packages in every run. Throws UserError when two different *kernels* have one name, since
    /// dropping either would measure the wrong one; SystemError for a full disk.
    std::vector<BuiltPackage> take(const std::string & variant, std::stop_token stop);

private:
    std::filesystem::path directory_;
    const Workspace & workspace_;
    std::map<std::string, std::string> owners_;  ///< file name → variant
};

}  // namespace bootbudget::variants
