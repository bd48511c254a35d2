// SPDX-License-Identifier: GPL-2.0-or-later
// The supervisor is the child subreaper (prctl(2)) of the program: whoever loses its parent becomes the supervisor's child, so that "no child
// left" means "no descendant left", in whatever session or process group they hide. It ends them by walking down from itself through /proc, again and
// again until waitpid(2) says that there is nobody.
//
// It is forked, not executed, from a process that may have threads: until its end it uses async-signal-safe calls and memory of its own only.
#include "common/supervisor.hpp"

#include "common/cpu_group.hpp"
#include "common/process_stat.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <cerrno>
#include <ctime>

namespace bootbudget::common {

namespace {

constexpr std::int64_t MILLISECOND = 1000000;
constexpr std::size_t PID_LIMIT = std::size_t{1}
                                  << 22U;  ///< the kernel's own: PID_MAX_LIMIT in include/linux/threads.h

/// Who is known to be a descendant. Half a megabyte that only a supervisor ever touches.
std::bitset<PID_LIMIT> descendants;

std::int64_t now() noexcept {
    timespec time{};
    ::clock_gettime(CLOCK_MONOTONIC, &time);
    return std::int64_t{time.tv_sec} * 1000 * MILLISECOND + time.tv_nsec;
}

double seconds(const timeval & time) noexcept {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
}

bool is_descendant(pid_t pid) noexcept {
    return pid > 0 && static_cast<std::size_t>(pid) < PID_LIMIT && descendants[static_cast<std::size_t>(pid)];
}

/// Sends the signal to each descendant that `descendants` does not hold yet, and notes it there. Repeated until a walk finds no more: the walk
/// is in the order of pids, and a child's may be lower than its parent's.
void signal_new_descendants(int signal) noexcept {
    const pid_t self = ::getpid();
    descendants[static_cast<std::size_t>(self)] = true;
    for (bool found = true; found;) {
        found = false;
        for_each_process([&](const ProcessStat & stat) {
            if (stat.pid != self && is_descendant(stat.parent) && !is_descendant(stat.pid) &&
                static_cast<std::size_t>(stat.pid) < PID_LIMIT) {
                descendants[static_cast<std::size_t>(stat.pid)] = true;
                ::kill(stat.pid, signal);
                found = true;
            }
        });
    }
}

/// Reads the CPU time of the control group; -1 if that cannot be done, or if nobody ever was in it.
std::int64_t group_use(const char * file) noexcept {
    const int descriptor = file == nullptr ? -1 : ::open(file, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) {
        return -1;
    }
    std::array<char, 512> text;
    const ssize_t size = ::read(descriptor, text.data(), text.size());
    ::close(descriptor);
    const std::int64_t use = size > 0 ? parse_cpu_use({text.data(), static_cast<std::size_t>(size)}) : -1;
    return use > 0 ? use : -1;
}

/// The kernel may need a moment to notice that the last process of a group is gone.
void remove_group(const char * directory) noexcept {
    constexpr int ATTEMPTS = 20;
    for (int i = 0; directory != nullptr && ::rmdir(directory) != 0 && errno == EBUSY && i < ATTEMPTS; ++i) {
        const timespec pause{0, 5 * MILLISECOND};
        ::nanosleep(&pause, nullptr);
    }
}

class Supervisor {
public:
    explicit Supervisor(const Launch & launch) noexcept : launch_(launch) {}
    [[noreturn]] void live() noexcept;

private:
    void prepare() noexcept;
    void start() noexcept;
    void shed_descriptors() const noexcept;
    void wait_for_something() noexcept;
    void read_start() noexcept;
    void reap() noexcept;
    void begin_end() noexcept;
    void end_more() noexcept;

    void tell(const Message & message) const noexcept;
    [[noreturn]] void fail(Step step, int error_number) const noexcept;

    const Launch & launch_;
    int null_device_ = -1;
    int children_ = -1;     ///< a signalfd(2) of SIGCHLD
    int start_pipe_ = -1;   ///< the program's failure, or its end when execve(2) succeeded
    pid_t program_ = 0;     ///< 0 when reaped
    bool ending_ = false;   ///< SIGTERM was sent
    bool killing_ = false;  ///< SIGKILL is being sent
    std::int64_t kill_at_ = 0;
    int pause_ = 0;  ///< milliseconds to the next round of signals
};

void Supervisor::tell(const Message & message) const noexcept {
    // When nobody reads any more (EPIPE; SIGPIPE is blocked), there is nobody to tell.
    [[maybe_unused]] const ssize_t written = ::write(launch_.status, &message, sizeof message);
}

void Supervisor::fail(Step step, int error_number) const noexcept {
    Message message;
    message.event = Message::Event::FAILED;
    message.failure = {step, error_number};
    tell(message);
    ::_exit(1);
}

void Supervisor::prepare() noexcept {
    ::prctl(PR_SET_NAME, "bootbudget-sup");
    ::setsid();  // the terminal's Ctrl-C and the end of the login must not reach it: it has work to do then
    if (::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0) {
        fail(Step::SUPERVISE, errno);
    }
    // All signals are blocked and stay so, which is better than ignoring them: nothing is inherited. But SIGCHLD must not have been ignored by our parent,
    // or children would vanish without their status.
    struct sigaction plain {};
    plain.sa_handler = SIG_DFL;
    ::sigaction(SIGCHLD, &plain, nullptr);
    sigset_t children;
    ::sigemptyset(&children);
    ::sigaddset(&children, SIGCHLD);
    children_ = ::signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
    null_device_ = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    if (children_ < 0 || null_device_ < 0) {
        fail(Step::SUPERVISE, errno);
    }
}

void Supervisor::start() noexcept {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
        fail(Step::SUPERVISE, errno);
    }
    // Not among the standard streams, should our parent have closed those: the program's would overwrite it.
    const int failure_pipe = ::fcntl(ends[1], F_DUPFD_CLOEXEC, 3);
    if (failure_pipe < 0) {
        fail(Step::SUPERVISE, errno);
    }
    program_ = ::_Fork();  // fork(3) would run other people's atfork functions
    if (program_ < 0) {
        fail(Step::FORK, errno);
    }
    if (program_ == 0) {
        become_program(launch_, null_device_, failure_pipe);
    }
    ::close(ends[1]);
    ::close(failure_pipe);
    start_pipe_ = ends[0];
    Message message;
    message.event = Message::Event::FORKED;
    message.pid = program_;
    tell(message);
}

/// Closes what was inherited and would be missed elsewhere: a pipe of a concurrent run that is kept open here hides that run's end, a terminal or a
/// pipe to another command makes that wait for us. Regular files stay, for the sake of the locks of temporary directories, which must last
/// as long as there is somebody in the tree to write into them.
void Supervisor::shed_descriptors() const noexcept {
    for_each_number("/proc/self/fd", [&](int descriptor) {
        struct stat status {};
        if (descriptor > STDERR_FILENO && descriptor != launch_.life_line && descriptor != launch_.status &&
            descriptor != children_ && descriptor != start_pipe_ && descriptor != null_device_ &&
            ::fstat(descriptor, &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
            ::close(descriptor);
        }
    });
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (stream != start_pipe_ && stream != children_) {
            ::dup2(null_device_, stream);
        }
    }
    [[maybe_unused]] const int root = ::chdir("/");  // keeps no file system busy
}

void Supervisor::read_start() noexcept {
    StepFailure failure;
    const ssize_t size = ::read(start_pipe_, &failure, sizeof failure);
    if (size < 0 && errno == EINTR) {
        return;
    }
    if (size == static_cast<ssize_t>(sizeof failure)) {
        ::waitpid(program_, nullptr, 0);
        remove_group(launch_.cpu_group);
        fail(failure.step, failure.error_number);
    }
    ::close(start_pipe_);
    start_pipe_ = -1;
    Message message;
    message.event = Message::Event::STARTED;
    message.pid = program_;
    message.time = now();
    tell(message);
}

void Supervisor::wait_for_something() noexcept {
    constexpr int CHECK_PARENT = 500;
    std::array<pollfd, 3> polled{{
        {ending_ ? -1 : launch_.life_line, POLLIN, 0},
        {start_pipe_, POLLIN, 0},
        {children_, POLLIN, 0},
    }};
    if (::poll(polled.data(), polled.size(), ending_ ? pause_ : CHECK_PARENT) < 0) {
        return;
    }
    if (polled[1].revents != 0) {
        read_start();
    }
    signalfd_siginfo ignored{};
    while (::read(children_, &ignored, sizeof ignored) > 0) {
    }
    // The parent's pid tells the same as the pipe, should somebody else have inherited the pipe's other end.
    if (polled[0].revents != 0 || ::getppid() != launch_.parent) {
        begin_end();
    }
}

void Supervisor::reap() noexcept {
    for (;;) {
        int status = 0;
        const pid_t pid = ::waitpid(-1, &status, WNOHANG);
        if (pid == 0) {
            return;
        }
        if (pid < 0) {
            break;  // ECHILD: the tree is gone
        }
        if (static_cast<std::size_t>(pid) < PID_LIMIT) {
            descendants[static_cast<std::size_t>(pid)] = false;
        }
        if (pid == program_) {
            if (start_pipe_ >= 0) {
                read_start();  // it ended before we looked
            }
            program_ = 0;
            Message message;
            message.event = Message::Event::ENDED;
            message.wait_status = status;
            message.time = now();
            tell(message);
            begin_end();
        }
    }
    rusage use{};
    ::getrusage(RUSAGE_CHILDREN, &use);
    Message message;
    message.event = Message::Event::FINISHED;
    message.user_seconds = seconds(use.ru_utime);
    message.system_seconds = seconds(use.ru_stime);
    message.involuntary_switches = use.ru_nivcsw;
    message.group_nanoseconds = group_use(launch_.cpu_group_use);
    remove_group(launch_.cpu_group);
    tell(message);
    ::_exit(0);
}

void Supervisor::begin_end() noexcept {
    if (!ending_) {
        ending_ = true;
        kill_at_ = now() + launch_.grace;
    }
}

void Supervisor::end_more() noexcept {
    if (now() < kill_at_) {
        signal_new_descendants(SIGTERM);  // once each: some programs take a second one as an order to hurry
        const std::int64_t left = (kill_at_ - now()) / MILLISECOND + 1;
        pause_ = static_cast<int>(std::clamp<std::int64_t>(left, 0, 20));
        return;
    }
    if (!killing_) {
        killing_ = true;
        pause_ = 5;
    }
    descendants.reset();
    signal_new_descendants(SIGKILL);
    pause_ = std::min(
        pause_ * 2, 500);  // what survives this hangs in the kernel, and will not go faster for being asked more often
}

void Supervisor::live() noexcept {
    prepare();
    start();
    shed_descriptors();
    for (;;) {
        reap();
        if (ending_) {
            end_more();
        }
        wait_for_something();
    }
}

}  // namespace

void supervise(const Launch & launch) noexcept {
    Supervisor(launch).live();
}

}  // namespace bootbudget::common
