// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

namespace bootbudget::common {

/// Everything the forked processes need, made before the fork: after it nothing may be allocated.
struct Launch {
    const char * path = nullptr;
    char * const * argv = nullptr;
    char * const * environment = nullptr;
    const char * working_directory = nullptr;
    int nice = 0;
    bool other_account = false;
    uid_t uid = 0;
    gid_t gid = 0;
    const gid_t * groups = nullptr;
    std::size_t group_count = 0;
    const char * cpu_group = nullptr;  ///< a control group's directory, removed when the tree is gone; null: none
    const char * cpu_group_entrance = nullptr;  ///< the file in it by which the program enters
    const char * cpu_group_use = nullptr;       ///< the file in it that tells the CPU time

    int output = -1;         ///< the program's stdout and stderr
    int life_line = -1;      ///< at its end when the tree has to end
    int status = -1;         ///< where the supervisor writes its messages
    pid_t parent = 0;        ///< who forks the supervisor
    std::int64_t grace = 0;  ///< nanoseconds between SIGTERM and SIGKILL
};

/// The steps of starting a program that can fail.
enum class Step : int {
    SUPERVISE,
    FORK,
    STANDARD_STREAMS,
    NICE,
    ACCOUNT,
    WORKING_DIRECTORY,
    EXECUTE,
};

struct StepFailure {
    Step step = Step::FORK;
    int error_number = 0;
};

/// Times are those of CLOCK_MONOTONIC in nanoseconds. Smaller than PIPE_BUF, so written and read whole (pipe(7)).
struct Message {
    enum class Event : int {
        FORKED,    ///< pid is set
        STARTED,   ///< time is that of the execve(2)
        FAILED,    ///< failure is set; nothing else follows
        ENDED,     ///< the program itself: wait_status, time
        FINISHED,  ///< nobody of the tree is left: the resources they used
    };
    Event event = Event::FORKED;
    pid_t pid = 0;
    int wait_status = 0;
    StepFailure failure;
    std::int64_t time = 0;
    double user_seconds = 0;
    double system_seconds = 0;
    long involuntary_switches = 0;
    std::int64_t group_nanoseconds = -1;  ///< CPU time by the control group; -1 without one
};

/// The life of the supervising process, from its fork to its end; to be called in the child with all signals blocked.
[[noreturn]] void supervise(const Launch & launch) noexcept;

/// The program's process from its fork to execve(2): sheds what it inherited and becomes the program. A failure is written to `failure_pipe`, which
/// closes by itself when execve(2) succeeds.
[[noreturn]] void become_program(const Launch & launch, int null_device, int failure_pipe) noexcept;

}  // namespace bootbudget::common
