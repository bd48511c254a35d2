// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "boot/boot.hpp"
#include "boot/counter_page.hpp"
#include "common/descriptor.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace bootbudget::boot {

/// The words that a counted boot's QEMU gets after those of libguestfs's: -icount … -plugin …. `marks` as marks_argument() says.
std::vector<std::string> counting_words(
    const std::filesystem::path & counter,
    const std::filesystem::path & page,
    const std::filesystem::path & lines,
    std::uint64_t memory_bytes,
    const std::string & marks);

/// A script for sh(1) that is a QEMU to libguestfs: it runs `qemu` with the arguments that it gets, and with `words` after them if -append is
/// among them, with the counter claiming to be made for API `claim`. libguestfs calls its QEMU for feature probes too, and only the boot has a kernel's command line.
std::string wrapper_script(const std::filesystem::path & qemu, int claim, const std::vector<std::string> & words);

/// What really ran, from the command that libguestfs logged of a wrapper: `qemu` in place of the first word, and `words` at the end. Empty if `logged` is.
std::string unwrapped(
    const std::string & logged, const std::filesystem::path & qemu, const std::vector<std::string> & words);

/// The files of one counted boot: a copy of the counter, the page and the lines that it writes, and the wrapper. They lie in a directory "run" in the
/// Bootable's `counter`, always under the same names, so that libguestfs's cache of feature probes knows the wrapper again. The directory stays this
/// process's own, so that nobody else puts links there; only the files that the counter writes are the account's.
class CountedRun {
public:
    /// SystemError if they cannot be made.
    CountedRun(const Bootable & bootable, const Counting & counting, std::uint64_t memory_bytes);
    ~CountedRun();
    CountedRun(const CountedRun &) = delete;
    CountedRun & operator=(const CountedRun &) = delete;

    /// The wrapper, for LIBGUESTFS_HV. It has the name of the QEMU that it runs.
    const std::filesystem::path & wrapper() const noexcept { return wrapper_; }

    /// The page as it is at this moment.
    CounterPage page() const noexcept;

    /// The file of lines as it is at this moment, at most CounterPage::LINES_FILE_BYTES of it.
    std::string lines() const;

    /// unwrapped(), of this run.
    std::string true_command(const std::string & logged) const;

private:
    std::filesystem::path directory_;
    std::filesystem::path wrapper_;
    std::filesystem::path qemu_;
    std::vector<std::string> words_;
    common::Descriptor page_;
    common::Descriptor lines_;
};

}  // namespace bootbudget::boot
