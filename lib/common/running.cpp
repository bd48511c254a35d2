// SPDX-License-Identifier: GPL-2.0-or-later
// Our end of the pipes to a supervisor. Everything the forked processes need is made before the fork; afterwards the only order there is to give is the closing
// of the life line, which the kernel also gives in our name should we be killed.
#include "common/running.hpp"

#include "common/fork_lock.hpp"
#include "common/process_stat.hpp"
#include "common/program_path.hpp"

#include <bootbudget/error.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <grp.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <thread>

namespace bootbudget::common {

namespace {

using std::chrono::milliseconds;

/// How long after SIGKILL a tree may take to be gone before we say that it cannot be ended.
constexpr milliseconds PATIENCE{10000};

struct Pipe {
    Descriptor read;
    Descriptor write;
};

/// Never one of the standard streams, even if this process has closed its own: those become the program's.
Descriptor above_standard_streams(int descriptor) {
    Descriptor low(descriptor);
    if (descriptor > STDERR_FILENO) {
        return low;
    }
    Descriptor high(fcntl(descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
    if (!high) {
        throw SystemError("cannot make a pipe to a program", errno);
    }
    return high;
}

Pipe make_pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) {
        throw SystemError("cannot make a pipe to a program", errno);
    }
    Descriptor write(ends[1]);
    Descriptor read = above_standard_streams(ends[0]);
    return {std::move(read), above_standard_streams(write.release())};
}

/// Blocks all signals in this thread, so that no handler of ours runs in the forked process.
class SignalsBlocked {
public:
    SignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &old_);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &old_, nullptr); }
    SignalsBlocked(const SignalsBlocked &) = delete;
    SignalsBlocked & operator=(const SignalsBlocked &) = delete;

private:
    sigset_t old_{};
};

/// The groups that the account has by the user database; only its own where that knows nothing.
std::vector<gid_t> groups_of(const Account & account) {
    int count = 64;
    std::vector<gid_t> groups(static_cast<std::size_t>(count));
    while (getgrouplist(account.name.c_str(), account.gid, groups.data(), &count) < 0) {
        count = std::max(count, static_cast<int>(groups.size()) * 2);
        groups.resize(static_cast<std::size_t>(count));
    }
    groups.resize(static_cast<std::size_t>(count));
    return groups;
}

std::string sentence_of(const Command & command, const std::string & path, Step step) {
    switch (step) {
        case Step::SUPERVISE:
            return fmt::format("cannot supervise {}", path);
        case Step::FORK:
            return fmt::format("cannot create a process for {}", path);
        case Step::STANDARD_STREAMS:
            return fmt::format("cannot connect the standard streams of {}", path);
        case Step::NICE:
            return fmt::format("cannot start {} with its priority lowered by {}", path, command.nice);
        case Step::ACCOUNT:
            return fmt::format("cannot start {} as the account {}", path, command.account.name);
        case Step::WORKING_DIRECTORY:
            return fmt::format(
                "cannot start {} in the directory {}, which {} must be able to enter",
                path,
                command.working_directory.string(),
                command.account.name);
        case Step::EXECUTE:
            return fmt::format("cannot execute {}", path);
    }
    return fmt::format("cannot start {}", path);
}

/// Kills what is left of a session. For the one case in which nobody supervises any more: somebody killed the supervisor. Processes that
/// have left the program's session are out of reach then.
void kill_session(pid_t session) {
    const Clock::time_point deadline = Clock::now() + PATIENCE;
    for (bool found = session > 0; found && Clock::now() < deadline;) {
        found = false;
        for_each_process([&](const ProcessStat & stat) {
            if (stat.session == session && stat.state != 'Z' && stat.state != 'X') {
                kill(stat.pid, SIGKILL);
                found = true;
            }
        });
        if (found) {
            std::this_thread::sleep_for(milliseconds(10));
        }
    }
}

}  // namespace

Running::Running(const Command & command, milliseconds grace)
    : command_(command), grace_(grace), cpu_group_(command.cpu_group ? CpuGroup::make() : std::nullopt) {
    if (command.argv.empty()) {
        throw BugError("A command without a program was to be run; please report this.");
    }
    const auto path_variable = command.environment.find("PATH");
    const std::string search = path_variable == command.environment.end() ? "" : path_variable->second;
    const std::optional<std::filesystem::path> path = program_path(command.argv.front(), search);
    if (!path) {
        throw SystemError(
            fmt::format("cannot find the program \"{}\" in \"{}\"; install it", command.argv.front(), search), ENOENT);
    }
    path_ = path->string();
    if (access("/proc/self/stat", R_OK) != 0) {
        throw SystemError(fmt::format("cannot watch over {}: /proc must be mounted", path_), errno);
    }
    fork_supervisor(command, grace);
}

void Running::fork_supervisor(const Command & command, milliseconds grace) {
    std::vector<std::string> variables;
    for (const auto & [name, value] : command.environment) {
        variables.push_back(name + '=' + value);
    }
    // execve(2) takes pointers to non-const, for history's sake, and changes nothing.
    const auto pointers = [](const std::vector<std::string> & strings) {
        std::vector<char *> list;
        list.reserve(strings.size() + 1);
        for (const std::string & string : strings) {
            list.push_back(const_cast<char *>(string.c_str()));
        }
        list.push_back(nullptr);
        return list;
    };
    const std::vector<char *> argv = pointers(command.argv);
    const std::vector<char *> environment = pointers(variables);
    const bool other_account = command.account.uid != geteuid() || command.account.gid != getegid();
    const std::vector<gid_t> groups = other_account ? groups_of(command.account) : std::vector<gid_t>{};

    Pipe life_line = make_pipe();
    Pipe output = make_pipe();
    Pipe status = make_pipe();
    for (const int descriptor : {output.read.number(), status.read.number()}) {
        if (fcntl(descriptor, F_SETFL, O_NONBLOCK) != 0) {
            throw SystemError("cannot make a pipe to a program", errno);
        }
    }

    Launch launch;
    launch.path = path_.c_str();
    launch.argv = argv.data();
    launch.environment = environment.data();
    launch.working_directory = command.working_directory.c_str();
    launch.nice = command.nice;
    launch.other_account = other_account;
    launch.uid = command.account.uid;
    launch.gid = command.account.gid;
    launch.groups = groups.data();
    launch.group_count = groups.size();
    if (cpu_group_) {
        launch.cpu_group = cpu_group_->directory().c_str();
        launch.cpu_group_entrance = cpu_group_->entrance().c_str();
        launch.cpu_group_use = cpu_group_->use().c_str();
    }
    launch.output = output.write.number();
    launch.life_line = life_line.read.number();
    launch.status = status.write.number();
    launch.parent = getpid();
    launch.grace = std::chrono::nanoseconds(grace).count();
    {
        const SignalsBlocked blocked;
        const auto lock = fork_lock();
        supervisor_ = fork();
        if (supervisor_ == 0) {
            // Ours: in the supervisor it would hold the life line for ever.
            close(life_line.write.number());
            supervise(launch);
        }
        if (supervisor_ < 0) {
            throw SystemError(fmt::format("cannot create a process for {}", path_), errno);
        }
    }
    life_line_ = std::move(life_line.write);
    output_ = std::move(output.read);
    status_ = std::move(status.read);
}

Running::~Running() {
    end();
    output_.close();  // nobody reads any more: who still writes shall not wait for us
    wait_for_supervisor();
}

void Running::end() noexcept {
    if (life_line_) {
        life_line_.close();
        last_moment_ = Clock::now() + grace_ + PATIENCE;
    }
}

bool Running::receive(Message & message) noexcept {
    for (;;) {
        const ssize_t size = read(status_.number(), &message, sizeof message);
        if (size == static_cast<ssize_t>(sizeof message)) {
            return true;
        }
        if (size >= 0) {
            finished_ = true;  // the supervisor is gone
            return false;
        }
        if (errno != EINTR) {
            return false;
        }
    }
}

void Running::check_patience() const {
    if (last_moment_ && Clock::now() > *last_moment_) {
        throw SystemError(fmt::format(
            "A process started by {} does not end, even when killed; look for one in state D (\"ps -e -o "
            "pid,stat,args\").",
            path_));
    }
}

void Running::read_message() {
    Message message;
    if (!receive(message)) {
        if (finished_) {
            kill_session(program_);
            throw SystemError(fmt::format(
                "The process that supervised {} was killed by somebody else; its remaining processes were ended as far "
                "as "
                "they could be found.",
                path_));
        }
        check_patience();
        return;
    }
    switch (message.event) {
        case Message::Event::FORKED:
            program_ = message.pid;
            break;
        case Message::Event::STARTED:
            started_at_ = message.time;
            break;
        case Message::Event::FAILED:
            finished_ = true;
            throw SystemError(sentence_of(command_, path_, message.failure.step), message.failure.error_number);
        case Message::Event::ENDED:
            ended_ = true;
            ended_at_ = message.time;
            end_.exit_status = WIFEXITED(message.wait_status) ? WEXITSTATUS(message.wait_status) : -1;
            end_.signal = WIFSIGNALED(message.wait_status) ? WTERMSIG(message.wait_status) : 0;
            if (!last_moment_) {
                last_moment_ = Clock::now() + grace_ + PATIENCE;  // for the descendants that it left
            }
            break;
        case Message::Event::FINISHED:
            finished_ = true;
            end_.use = {message.user_seconds, message.system_seconds, message.involuntary_switches, {}};
            if (message.group_nanoseconds >= 0) {
                end_.use.group_seconds = static_cast<double>(message.group_nanoseconds) * 1e-9;
            }
            break;
    }
}

bool Running::read_output(int pieces, const TakeOutput & take) {
    std::array<char, std::size_t{64} * 1024> piece;
    for (int i = 0; i < pieces && output_; ++i) {
        const ssize_t size = read(output_.number(), piece.data(), piece.size());
        if (size > 0) {
            if (take) {
                take(std::string_view(piece.data(), static_cast<std::size_t>(size)), Clock::now());
            }
        } else if (size == 0) {
            output_.close();
        } else if (errno == EAGAIN) {
            return false;
        } else if (errno != EINTR) {
            throw SystemError(fmt::format("cannot read the output of {}", path_), errno);
        }
    }
    return bool(output_);
}

ProcessEnd Running::result() const noexcept {
    ProcessEnd end = end_;
    end.seconds = static_cast<double>(ended_at_ - started_at_) * 1e-9;
    return end;
}

void Running::wait_for_supervisor() noexcept {
    while (!finished_ && Clock::now() < *last_moment_) {
        pollfd polled{status_.number(), POLLIN, 0};
        poll(&polled, 1, static_cast<int>(TICK.count()));
        Message message;
        if (receive(message)) {
            finished_ = message.event == Message::Event::FAILED || message.event == Message::Event::FINISHED;
            program_ = message.event == Message::Event::FORKED ? message.pid : program_;
        } else if (finished_) {
            kill_session(program_);
        }
    }
    // If it is not finished now, it never may be: it goes on trying by itself, and we do not wait with it.
    while (waitpid(supervisor_, nullptr, finished_ ? 0 : WNOHANG) < 0 && errno == EINTR) {
    }
}

}  // namespace bootbudget::common
