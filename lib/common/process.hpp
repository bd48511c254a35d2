// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/account.hpp"

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace bootbudget::common {

using Clock = std::chrono::steady_clock;

/// A program to run, in its own session and process tree.
struct Command {
    std::vector<std::string> argv;  ///< argv[0] is looked up in `environment`'s PATH when it has no slash
    std::map<std::string, std::string> environment;  ///< the whole environment, nothing is inherited
    std::filesystem::path working_directory = "/";
    Account account = current_account();  ///< another one only if this process is root
    int nice = 0;
    bool cpu_group = false;  ///< account for the tree's CPU time in a control group, where one can be made
};

/// Resources of the whole process tree, descendants that outlived the program included: getrusage(2)'s RUSAGE_CHILDREN of the supervisor when
/// nobody is left, which lacks only processes whose parent ignored SIGCHLD; and those too are in the control group's figure.
struct ResourceUse {
    double user_seconds = 0;
    double system_seconds = 0;
    long involuntary_switches = 0;
    std::optional<double> group_seconds;  ///< user and system, by the control group; absent where there was none

    /// User and system time, by the best source there is.
    double cpu_seconds() const { return group_seconds.value_or(user_seconds + system_seconds); }
};

struct ProcessEnd {
    int exit_status = -1;    ///< valid if signal == 0
    int signal = 0;          ///< that ended the program, 0 if it exited
    bool stopped = false;    ///< ended by us: the watch said so, or the stop token
    bool cancelled = false;  ///< by the stop token (then `stopped` too)
    double seconds = 0;      ///< from exec to the end of the program itself, by the monotonic clock
    ResourceUse use;
};

/// A living process of the tree, for telling a spinning guest from an idle one.
struct TreeProcess {
    pid_t pid = 0;
    std::string name;        ///< comm, at most 15 bytes
    double cpu_seconds = 0;  ///< user + system so far
};

/// What a watch can see of the running tree.
class Tree {
public:
    explicit Tree(pid_t supervisor) : supervisor_(supervisor) {}
    /// The living processes, oldest first, which is the program itself as long as it lives. Empty where /proc cannot be read.
    std::vector<TreeProcess> processes() const;

private:
    pid_t supervisor_;
};

/// The caller's eyes on a running program. Both functions are called in the thread that called run().
struct Watch {
    /// Bytes of stdout and stderr (one pipe, as they come) with the time of their arrival.
    std::function<void(std::string_view bytes, Clock::time_point arrival)> on_output;
    /// Called after output and at least every 100 ms while the program lives and is not being stopped; false ends the program (its whole tree).
    /// Output goes on to arrive until the tree is gone.
    std::function<bool(Clock::time_point now, const Tree & tree)> go_on;
};

/// Runs a program to its end, or ends it: SIGTERM to the whole tree, SIGKILL after `grace`.
///
/// Whatever happens (normal end, stop, an exception thrown by the watch, this process killed by SIGKILL) no process of the tree is left behind
/// a few seconds later: a supervising process, the tree's child subreaper, lives between us and the program, holds a pipe to us, and
/// ends every descendant when either side is gone. Should somebody kill the supervisor itself, the program and what is still in its session are killed.
/// Standard input is /dev/null; no other descriptor is inherited. The umask and resource limits are.
///
/// If the stop token has been triggered before, nothing is started, and the end is that of a program stopped at once.
/// Throws SystemError when the program cannot be started (with the errno of the failed step: exec, chdir, setresuid), when the supervisor was killed,
/// and when a process hangs in the kernel and cannot be ended. An exception of the watch passes through when the tree is gone.
///
/// Own code, since no kept library (Boost.Process, GLib's GSubprocess, reproc) has a subreaper with a life line, another account and the resources of
/// the whole tree. Needs /proc.
ProcessEnd run(
    const Command & command,
    const Watch & watch,
    std::stop_token stop,
    std::chrono::milliseconds grace = std::chrono::milliseconds(2000));

/// run() for short commands whose output is wanted whole (at most `max_bytes`, more is an error): versions, depmod, sha256.
/// The exit status is the caller's to judge. Throws SystemError if it cannot be started, is not finished after `timeout`, or prints more; Cancelled if
/// the stop token was triggered.
struct Captured {
    ProcessEnd end;
    std::string output;
};
Captured capture(
    const Command & command,
    std::stop_token stop = {},
    std::chrono::seconds timeout = std::chrono::seconds(60),
    std::size_t max_bytes = 4U << 20U);

/// A small, fixed environment for children: PATH with the sbin directories, LC_ALL=C.UTF-8, TERM=dumb; HOME and TMPDIR are the caller's to add.
std::map<std::string, std::string> plain_environment();

/// The program's full path by the PATH of plain_environment(), or nothing.
std::optional<std::filesystem::path> find_program(const std::string & name);

}  // namespace bootbudget::common
