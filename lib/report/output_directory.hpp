// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bootbudget/report.hpp>

#include <filesystem>

namespace bootbudget::report {

/// The directory a check writes, built beside its final name and renamed when complete, so that no half-written report is ever seen.
class OutputDirectory {
public:
    /// Creates "NAME.partial-XXXXXX" beside `final_path`, with logs/ in it. UserError if `final_path` exists and is not an earlier output (an empty directory is fine); SystemError if its parent
    /// is not writable. Left-over partial directories of dead processes beside it are removed.
    explicit OutputDirectory(const std::filesystem::path & final_path);
    ~OutputDirectory();  ///< removes the partial directory unless committed
    OutputDirectory(const OutputDirectory &) = delete;
    OutputDirectory & operator=(const OutputDirectory &) = delete;

    const std::filesystem::path & path() const noexcept { return partial_; }  ///< while being written
    std::filesystem::path logs() const { return partial_ / "logs"; }

    /// Writes report.json, report.txt, junit.xml and takes the final name, an earlier output there is replaced. SystemError on a full disk (nothing replaced).
    void commit(const Report & report);

private:
    std::filesystem::path final_;
    std::filesystem::path partial_;
    int lock_ = -1;
    bool committed_ = false;
};

}  // namespace bootbudget::report
