// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/temporary_directory.hpp"

#include <filesystem>
#include <memory>
#include <string>

namespace bootbudget::variants {

/// The directory that a build makes: filled under a temporary name beside it and renamed when complete.
class Output {
public:
    /// Throws UserError if `final_path` is something else than a directory that is empty or an earlier output with nothing added to it, or
    /// if its parent is no directory; SystemError if the parent cannot be written.
    explicit Output(const std::filesystem::path & final_path);

    const std::filesystem::path & path() const noexcept { return content_; }  ///< while it is being filled
    const std::filesystem::path & final_path() const noexcept { return final_; }

    /// Saves a log of this directory from its removal: it becomes NAME.failed.log beside the output. Returns that path.
    std::filesystem::path keep_failed_log(const std::string & file);

    /// Takes the final name; an earlier output there is replaced in one step, a failed log beside it removed. Throws SystemError, with nothing replaced.
    void commit();

private:
    std::filesystem::path failed_log() const;

    std::filesystem::path final_;
    std::unique_ptr<common::TemporaryDirectory> holder_;
    std::filesystem::path content_;
};

}  // namespace bootbudget::variants
