// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace bootbudget::common {

/// What /proc/PID/stat says of a process (proc_pid_stat(5)), as far as it is needed here. Ticks are those of sysconf(_SC_CLK_TCK).
struct ProcessStat {
    pid_t pid = 0;
    std::array<char, 16> name{};  ///< comm, ended by a zero
    char state = '?';             ///< 'Z' and 'X' are dead
    pid_t parent = 0;
    pid_t session = 0;
    std::uint64_t user_ticks = 0;
    std::uint64_t system_ticks = 0;
    std::uint64_t start_ticks = 0;  ///< since the machine started
};

/// Reads the line of a stat file; the name in it may contain anything, spaces and parentheses too. False if it is no such line.
bool parse_process_stat(std::string_view line, ProcessStat & stat) noexcept;

/// Reads /proc/PID/stat. False if the process is gone.
bool read_process_stat(int proc, pid_t pid, ProcessStat & stat) noexcept;

/// Calls `visit(number)` for every entry of a directory whose name is a number: the processes in /proc, the descriptors in /proc/self/fd.
/// Returns the errno of what failed, else 0.
///
/// This and read_process_stat() are async-signal-safe, as they must work in a process forked from one with threads, where another thread
/// may have held malloc's lock for ever: getdents64(2) into the stack instead of opendir(3), no stream, no string.
/// (/proc/PID/task/TID/children would list children directly, but is not in every kernel's configuration.)
template <typename Visit>
int for_each_number(const char * directory, const Visit & visit) noexcept {
    const int descriptor = ::open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) {
        return errno;
    }
    alignas(dirent64) std::array<char, 8192> buffer;
    long size = 0;
    while ((size = ::syscall(SYS_getdents64, descriptor, buffer.data(), buffer.size())) > 0) {
        for (std::size_t at = 0; at < static_cast<std::size_t>(size);) {
            const auto * const entry = reinterpret_cast<const dirent64 *>(buffer.data() + at);
            const std::string_view name(entry->d_name);
            int number = 0;
            const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
            if (error == std::errc{} && end == name.data() + name.size()) {
                visit(number);
            }
            at += entry->d_reclen;
        }
    }
    const int error = size < 0 ? errno : 0;
    ::close(descriptor);
    return error;
}

/// Calls `visit(const ProcessStat &)` for every process that /proc shows. Async-signal-safe if `visit` is. Returns an errno, or 0.
template <typename Visit>
int for_each_process(const Visit & visit) noexcept {
    const int proc = ::open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (proc < 0) {
        return errno;
    }
    const int error = for_each_number("/proc", [&](pid_t pid) {
        ProcessStat stat;
        if (read_process_stat(proc, pid, stat)) {
            visit(stat);
        }
    });
    ::close(proc);
    return error;
}

}  // namespace bootbudget::common
