// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/descriptor.hpp"

#include <filesystem>
#include <string>

namespace bootbudget::packages {

/// Writes below one directory and never anywhere else, whatever the names: each directory on the way is opened by itself and not through a symbolic
/// link. Names are relative ("lib/modules/R/vmlinuz"), without "..", "." or empty parts. std::filesystem follows links, so it cannot do this.
///
/// UserError (naming `whose` and the entry) for a name that leads through something that is not a directory or exists already; SystemError otherwise, with the
/// next step when the disk is full.
class TreeWriter {
public:
    /// `whose`: what the entries come from, for messages.
    TreeWriter(const std::filesystem::path & root, std::string whose);

    /// Makes the directory and those above it (mode 0755); those that exist are fine.
    void make_directory(const std::string & name);

    /// A new file open for writing, mode 0644 or 0755; fails if there is anything of that name.
    common::Descriptor create_file(const std::string & name, bool executable);

    /// Writes all bytes to a file of create_file().
    void write(const common::Descriptor & file, const std::string & name, const char * bytes, std::size_t size);

    /// A second name for a file written before.
    void link_file(const std::string & existing, const std::string & name);

    void make_symlink(const std::string & target, const std::string & name);

    void remove_file(const std::string & name) noexcept;

private:
    int open_parent(const std::string & name);
    [[noreturn]] void refuse(const std::string & name, const std::string & why) const;
    [[noreturn]] void fail(const std::string & name, int error_number) const;

    std::filesystem::path root_path_;
    std::string whose_;
    common::Descriptor root_;
    std::string parent_name_;  ///< of parent_: most entries have the same as the one before
    common::Descriptor parent_;
};

}  // namespace bootbudget::packages
