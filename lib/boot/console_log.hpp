// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "boot/console.hpp"
#include "common/descriptor.hpp"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace bootbudget::boot {

/// A boot's log file: the tool's bytes as they come. A guest that floods its console fills no disk: after `max_bytes` one line says
/// that the rest is missing, and nothing more is written.
class ConsoleLog {
public:
    /// Creates or empties the file. SystemError if that cannot be done.
    explicit ConsoleLog(std::filesystem::path path, std::size_t max_bytes = std::size_t{64} << 20U);

    /// SystemError if the bytes cannot be written (no space left, …).
    void write(std::string_view bytes);

private:
    void write_all(std::string_view bytes);

    std::filesystem::path path_;
    common::Descriptor file_;
    std::size_t left_;
    bool full_ = false;
};

/// Cuts a stream of bytes into lines. A line gets the time at which its end arrived; of a line longer than 64 KiB the rest is dropped.
class LineCutter {
public:
    /// The lines that `bytes`, arrived at `seconds`, completed.
    std::vector<TimedLine> take(std::string_view bytes, double seconds);

    /// The unfinished last line, if there is one.
    std::vector<TimedLine> finish(double seconds);

private:
    std::string open_;
};

}  // namespace bootbudget::boot
