// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "variants/failure.hpp"

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <string_view>

namespace bootbudget::variants {

/// rpmbuild's output on its way into a file, read along: which stage it is in, and what went wrong.
class BuildLog {
public:
    /// `on_stage` is called with "%prep", "%build", "%install", "%check", "packages" as rpmbuild comes to each. Throws SystemError when the file cannot be made.
    BuildLog(std::filesystem::path path, std::function<void(const std::string & stage)> on_stage);

    /// Bytes as they come. Throws SystemError when the file cannot take them.
    void write(std::string_view bytes);

    /// The rest of a last line without an end; the file is complete after it. Throws SystemError.
    void finish();

    const std::string & stage() const noexcept { return stage_; }  ///< empty before the first
    std::size_t lines() const noexcept { return lines_; }
    const Failure & failure() const noexcept { return failure_; }

private:
    void take_line(std::string_view line);
    void check_file();

    std::filesystem::path path_;
    std::function<void(const std::string &)> on_stage_;
    std::ofstream file_;
    std::string pending_;  ///< a line that has not ended yet
    std::string stage_;
    std::size_t lines_ = 0;
    Failure failure_;
};

}  // namespace bootbudget::variants
