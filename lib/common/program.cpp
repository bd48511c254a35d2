// SPDX-License-Identifier: GPL-2.0-or-later
// The way from fork to execve, in the only order that works: descriptors while they are still known, priority and groups while still privileged,
// the account, and the directory last, as the account must be allowed to enter it. Async-signal-safe calls only.
#include "common/supervisor.hpp"

#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>

namespace bootbudget::common {

namespace {

constexpr int FAILURE_PIPE = 3;
constexpr int FIRST_TO_CLOSE = FAILURE_PIPE + 1;

[[noreturn]] void fail(Step step, int failure_pipe) noexcept {
    const StepFailure failure{step, errno};
    // If this fails too, the supervisor sees the status.
    [[maybe_unused]] const ssize_t written = ::write(failure_pipe, &failure, sizeof failure);
    ::_exit(127);
}

void close_from(unsigned first) noexcept {
    if (::syscall(SYS_close_range, first, ~0U, 0U) == 0) {
        return;
    }
    // Before Linux 5.9, or forbidden by a container's filter. Descriptors of ours above this number are closed by exec (O_CLOEXEC).
    constexpr unsigned LAST = 4096;
    for (unsigned descriptor = first; descriptor <= LAST; ++descriptor) {
        ::close(static_cast<int>(descriptor));
    }
}

/// Into the control group, while still privileged. Where that is refused the group stays empty, which the supervisor notices.
void enter_group(const char * entrance) noexcept {
    const int file = entrance == nullptr ? -1 : ::open(entrance, O_WRONLY | O_CLOEXEC);
    if (file >= 0) {
        [[maybe_unused]] const ssize_t written = ::write(file, "0", 1);
        ::close(file);
    }
}

void reset_signals() noexcept {
    struct sigaction plain {};
    plain.sa_handler = SIG_DFL;
    for (int signal = 1; signal < NSIG; ++signal) {
        ::sigaction(signal, &plain, nullptr);  // refused for SIGKILL, SIGSTOP and the C library's own two
    }
    sigset_t none;
    ::sigemptyset(&none);
    ::sigprocmask(SIG_SETMASK, &none, nullptr);
}

}  // namespace

void become_program(const Launch & launch, int null_device, int failure_pipe) noexcept {
    ::setsid();
    if (::dup2(null_device, STDIN_FILENO) < 0 || ::dup2(launch.output, STDOUT_FILENO) < 0 ||
        ::dup2(launch.output, STDERR_FILENO) < 0) {
        fail(Step::STANDARD_STREAMS, failure_pipe);
    }
    if (failure_pipe != FAILURE_PIPE) {
        if (::dup3(failure_pipe, FAILURE_PIPE, O_CLOEXEC) < 0) {
            fail(Step::STANDARD_STREAMS, failure_pipe);
        }
        failure_pipe = FAILURE_PIPE;
    }
    close_from(FIRST_TO_CLOSE);

    enter_group(launch.cpu_group_entrance);
    if (launch.nice != 0) {
        errno = 0;
        if (::nice(launch.nice) == -1 && errno != 0) {
            fail(Step::NICE, failure_pipe);
        }
    }
    // These call the kernel directly: the C library's functions would first stop to make all threads of the process change, which a forked
    // child of a process with threads does not have.
    if (launch.other_account && (::syscall(SYS_setgroups, launch.group_count, launch.groups) != 0 ||
                                 ::syscall(SYS_setresgid, launch.gid, launch.gid, launch.gid) != 0 ||
                                 ::syscall(SYS_setresuid, launch.uid, launch.uid, launch.uid) != 0)) {
        fail(Step::ACCOUNT, failure_pipe);
    }
    if (::chdir(launch.working_directory) != 0) {
        fail(Step::WORKING_DIRECTORY, failure_pipe);
    }
    // Only a second line of defence, for a supervisor that is killed by SIGKILL: it reaches the program, not its children. After the change
    // of account, which clears it.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    reset_signals();
    ::execve(launch.path, launch.argv, launch.environment);
    fail(Step::EXECUTE, failure_pipe);
}

}  // namespace bootbudget::common
