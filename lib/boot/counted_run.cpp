// SPDX-License-Identifier: GPL-2.0-or-later
// libguestfs lets nobody add to QEMU's command but lets everybody name another QEMU. So a counted boot gets a QEMU of our making, a script that adds what
// counting needs.
//
// The counter writes into a mapping of its page, we read with pread(2): both see the same page of the page cache, and a page file that somebody cut
// short gives zeros here instead of a SIGBUS.
#include "boot/counted_run.hpp"

#include "boot/counter_place.hpp"
#include "boot/icount.hpp"
#include "boot/marks.hpp"
#include "boot/option.hpp"
#include "boot/plugin_api.hpp"
#include "common/account.hpp"
#include "common/fork_lock.hpp"
#include "common/shell_word.hpp"
#include "common/temporary_directory.hpp"

#include <bootbudget/error.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string_view>

namespace bootbudget::boot {

namespace fs = std::filesystem;

namespace {

/// A new file of the given size and content, open for reading and writing.
common::Descriptor make_file(const fs::path & path, std::string_view content, mode_t mode) {
    common::Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode));
    if (!file || ::fchmod(file.number(), mode) != 0 ||
        ::write(file.number(), content.data(), content.size()) != static_cast<ssize_t>(content.size())) {
        throw SystemError(fmt::format("cannot write {}", path.string()), errno);
    }
    return file;
}

fs::path make_directory(const fs::path & place) {
    auto directory = place / "run";
    common::remove_tree(directory);
    constexpr mode_t MODE = 0755;
    if (::mkdir(directory.c_str(), MODE) != 0 || ::chmod(directory.c_str(), MODE) != 0) {
        throw SystemError(fmt::format("cannot create the directory {}", directory.string()), errno);
    }
    return directory;
}

}  // namespace

std::vector<std::string> counting_words(
    const fs::path & counter,
    const fs::path & page,
    const fs::path & lines,
    std::uint64_t memory_bytes,
    const std::string & marks) {
    return {
        "-icount",
        icount_option(),
        "-plugin",
        fmt::format(
            "{},page={},ram={},lines={}{}{}",
            doubled_commas(counter.string()),
            doubled_commas(page.string()),
            memory_bytes,
            doubled_commas(lines.string()),
            marks.empty() ? "" : ",marks=",
            marks)};
}

std::string wrapper_script(const fs::path & qemu, int claim, const std::vector<std::string> & words) {
    std::string added;
    for (const auto & word : words) {
        added += " " + common::shell_word(word);
    }
    const auto program = common::shell_word(qemu.string());
    return fmt::format(
        "#!/bin/sh\n"
        "for word; do\n"
        "    if [ \"$word\" = -append ]; then\n"
        "        {}={} exec {} \"$@\"{}\n"
        "    fi\n"
        "done\n"
        "exec {} \"$@\"\n",
        CLAIM_VARIABLE,
        claim,
        program,
        added,
        program);
}

std::string unwrapped(const std::string & logged, const fs::path & qemu, const std::vector<std::string> & words) {
    const auto logged_words = words_of(logged);
    if (logged_words.empty()) {
        return "";
    }
    const auto end_of_first = logged.find(logged_words.front()) + logged_words.front().size();
    auto command = qemu.string() + logged.substr(end_of_first);
    for (const auto & word : words) {
        command += " " + word;
    }
    return command;
}

CountedRun::CountedRun(const Bootable & bootable, const Counting & counting, std::uint64_t memory_bytes)
    : directory_(make_directory(bootable.counter)), qemu_(counting.qemu) {
    try {
        const auto counter = copy_counter(counting.plugin, directory_);
        const auto page = directory_ / "page";
        const auto lines = directory_ / "lines";
        page_ = make_file(page, std::string(CounterPage::PAGE_BYTES, '\0'), 0600);
        lines_ = make_file(lines, "", 0600);
        common::give_to(page, bootable.account);
        common::give_to(lines, bootable.account);
        words_ = counting_words(counter, page, lines, memory_bytes, marks_argument(mark_addresses(bootable.tree)));
        // QEMU's messages begin with its name, by which the console's reader knows them
        wrapper_ = directory_ / qemu_.filename();
        const auto lock = common::fork_lock();
        const auto script = make_file(wrapper_, wrapper_script(qemu_, counting.claim, words_), 0755);
        // libguestfs keeps the results of its feature probes by its QEMU's size and date
        struct stat status {};
        if (::stat(qemu_.c_str(), &status) == 0) {
            const timespec times[2] = {status.st_mtim, status.st_mtim};
            ::futimens(script.number(), times);
        }
    } catch (...) {
        common::remove_tree(directory_);
        throw;
    }
}

CountedRun::~CountedRun() {
    common::remove_tree(directory_);
}

CounterPage CountedRun::page() const noexcept {
    CounterPage page{};
    if (::pread(page_.number(), &page, sizeof page, 0) != static_cast<ssize_t>(sizeof page)) {
        page = {};
    }
    return page;
}

std::string CountedRun::lines() const {
    std::string text;
    std::string piece(std::size_t{1} << 16U, '\0');
    while (text.size() < CounterPage::LINES_FILE_BYTES) {
        const auto size = ::pread(lines_.number(), piece.data(), piece.size(), static_cast<off_t>(text.size()));
        if (size <= 0) {
            break;
        }
        text.append(piece, 0, static_cast<std::size_t>(size));
    }
    return text;
}

std::string CountedRun::true_command(const std::string & logged) const {
    return unwrapped(logged, qemu_, words_);
}

}  // namespace bootbudget::boot
