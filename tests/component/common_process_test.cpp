// SPDX-License-Identifier: GPL-2.0-or-later
// Real programs, run and ended in every way. Whether a process is gone is asked of the kernel, with a time limit and no fixed pauses.
#include "common/process.hpp"

#include <bootbudget/error.hpp>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <sstream>
#include <thread>

namespace bootbudget::common {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

Command shell(const std::string & script) {
    Command command;
    command.argv = {"sh", "-c", script};
    command.environment = plain_environment();
    return command;
}

/// Prints its pid in a process that left session, parent and good manners behind: double fork, setsid, deaf to SIGTERM and SIGHUP.
const std::string DAEMON =
    R"((setsid sh -c '(trap "" TERM HUP INT; echo daemon $$ $(exec sh -c "echo \$PPID"); while :; do sleep 1000; done) &' &) ;)";

/// The numbers after the word `name` at the beginnings of lines.
std::vector<pid_t> pids_after(const std::string & name, const std::string & text) {
    std::vector<pid_t> pids;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with(name + " ")) {
            std::istringstream words(line.substr(name.size() + 1));
            for (pid_t pid = 0; words >> pid;) {
                pids.push_back(pid);
            }
        }
    }
    return pids;
}

bool alive(pid_t pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::string line;
    return std::getline(file, line) && line.substr(line.rfind(')') + 2, 1) != "Z";
}

template <typename Condition>
bool within(std::chrono::seconds limit, const Condition & condition) {
    const auto deadline = Clock::now() + limit;
    while (!condition()) {
        if (Clock::now() > deadline) {
            return false;
        }
        std::this_thread::sleep_for(10ms);
    }
    return true;
}

/// A watch that keeps the output and ends the program once `go_on` is false.
struct Record {
    std::string output;
    std::vector<Clock::time_point> arrivals;
    std::function<bool(const Tree &)> go_on = [](const Tree &) { return true; };

    Watch watch() {
        return {
            [this](std::string_view bytes, Clock::time_point arrival) {
                output += bytes;
                arrivals.push_back(arrival);
            },
            [this](Clock::time_point, const Tree & tree) { return go_on(tree); }};
    }
};

TEST(Run, ReportsTheExitStatus) {
    for (const int status : {0, 1, 42, 127, 255}) {
        const ProcessEnd end = run(shell("exit " + std::to_string(status)), {}, {});
        EXPECT_EQ(end.exit_status, status);
        EXPECT_EQ(end.signal, 0);
        EXPECT_FALSE(end.stopped);
        EXPECT_FALSE(end.cancelled);
        EXPECT_GT(end.seconds, 0);
    }
}

TEST(Run, ReportsTheSignalThatEndedTheProgram) {
    const ProcessEnd end = run(shell("kill -SEGV $$"), {}, {});
    EXPECT_EQ(end.signal, SIGSEGV);
    EXPECT_FALSE(end.stopped);
}

TEST(Run, NamesTheProgramThatIsMissing) {
    Command command = shell("");
    command.argv = {"no-such-program"};
    try {
        run(command, {}, {});
        FAIL() << "nothing was thrown";
    } catch (const SystemError & error) {
        EXPECT_EQ(error.error_number(), ENOENT);
        EXPECT_THAT(error.what(), HasSubstr("no-such-program"));
    }
}

TEST(Run, NamesTheStepThatFailed) {
    Command command = shell("");
    command.argv = {"/etc/passwd"};
    try {
        run(command, {}, {});
        FAIL() << "nothing was thrown";
    } catch (const SystemError & error) {
        EXPECT_EQ(error.error_number(), EACCES);
        EXPECT_THAT(error.what(), HasSubstr("execute /etc/passwd"));
    }
    command = shell("");
    command.working_directory = "/nonexistent/place";
    try {
        run(command, {}, {});
        FAIL() << "nothing was thrown";
    } catch (const SystemError & error) {
        EXPECT_EQ(error.error_number(), ENOENT);
        EXPECT_THAT(error.what(), HasSubstr("directory /nonexistent/place"));
    }
}

TEST(Run, RefusesAnotherAccountToOrdinaryUsers) {
    if (geteuid() == 0) {
        GTEST_SKIP() << "root: start the tests as an ordinary user for this one";
    }
    Command command = shell("true");
    command.account = account_named("root");
    try {
        run(command, {}, {});
        FAIL() << "nothing was thrown";
    } catch (const SystemError & error) {
        EXPECT_EQ(error.error_number(), EPERM);
        EXPECT_THAT(error.what(), HasSubstr("root"));
    }
}

TEST(Run, SwitchesTheAccount) {
    if (geteuid() != 0) {
        GTEST_SKIP() << "not root: only root can start a program as somebody else";
    }
    Command command = shell("id -u; id -ru; id -g; id -rg; id -G; grep -E '^(Uid|Gid|CapEff)' /proc/self/status");
    command.account = account_named("nobody");
    const std::string uid = std::to_string(command.account.uid);
    const std::string gid = std::to_string(command.account.gid);
    const std::string output = capture(command).output;
    EXPECT_THAT(output, testing::StartsWith(uid + "\n" + uid + "\n" + gid + "\n" + gid + "\n" + gid + "\n"));
    EXPECT_THAT(output, HasSubstr("Uid:\t" + uid + "\t" + uid + "\t" + uid + "\t" + uid));
    EXPECT_THAT(output, HasSubstr("Gid:\t" + gid + "\t" + gid + "\t" + gid + "\t" + gid));
    EXPECT_THAT(output, HasSubstr("CapEff:\t0000000000000000"));
}

TEST(Run, StartsInTheDirectory) {
    Command command = shell("pwd");
    command.working_directory = "/usr/share";
    EXPECT_EQ(capture(command).output, "/usr/share\n");
}

TEST(Run, GivesExactlyTheEnvironment) {
    Command command;
    command.argv = {"/usr/bin/env"};
    command.environment = {{"B", "two words"}, {"A", "ä=1"}};
    setenv("LEAKED_BY_THE_TEST", "1", 1);
    EXPECT_EQ(capture(command).output, "A=ä=1\nB=two words\n");
}

TEST(Run, LooksTheProgramUpInTheCommandsPath) {
    Command command = shell("");
    command.argv = {"env"};
    command.environment["PATH"] = "relative:/nonexistent:/usr/bin";
    EXPECT_THAT(capture(command).output, HasSubstr("PATH=relative"));
    command.environment["PATH"] = "/nonexistent";
    EXPECT_THROW(capture(command), SystemError);
    command.environment.erase("PATH");
    EXPECT_THROW(capture(command), SystemError);
}

TEST(Run, GivesAnEmptyStandardInput) {
    EXPECT_EQ(capture(shell("cat; readlink /proc/self/fd/0")).output, "/dev/null\n");
}

TEST(Run, LetsNoDescriptorThrough) {
    const int leaky = open("/etc/passwd", O_RDONLY);  // NOLINT: without O_CLOEXEC, on purpose
    ASSERT_EQ(fcntl(leaky, F_DUPFD, 700), 700);
    std::istringstream words(capture(shell("ls -1 /proc/self/fd")).output);
    close(leaky);
    close(700);
    std::vector<std::string> descriptors(std::istream_iterator<std::string>(words), {});
    std::sort(descriptors.begin(), descriptors.end());
    EXPECT_THAT(descriptors, ElementsAre("0", "1", "2", "3"));  // 3 is ls's own, of the directory
}

TEST(Run, ResetsSignals) {
    sigset_t usr1;
    sigemptyset(&usr1);
    sigaddset(&usr1, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &usr1, nullptr);
    const auto old = ::signal(SIGPIPE, SIG_IGN);
    const std::string output = capture(shell("exec grep -E '^Sig(Blk|Ign|Cgt)' /proc/self/status")).output;
    ::signal(SIGPIPE, old);
    sigset_t now;
    pthread_sigmask(SIG_UNBLOCK, &usr1, &now);
    EXPECT_EQ(sigismember(&now, SIGUSR1), 1) << "the caller's own mask is as before";
    EXPECT_EQ(sigismember(&now, SIGTERM), 0);
    EXPECT_THAT(output, HasSubstr("SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n"));
}

TEST(Run, GivesTheProgramASessionOfItsOwn) {
    const std::string output = capture(shell("read pid name state ppid pgrp session rest < /proc/$$/stat; "
                                             "echo $pid $pgrp $session"))
                                   .output;
    std::istringstream words(output);
    const std::vector<pid_t> ids(std::istream_iterator<pid_t>(words), {});
    ASSERT_EQ(ids.size(), 3U) << output;
    EXPECT_THAT(ids, testing::Each(ids.front()));
    EXPECT_NE(ids.front(), getsid(0));
}

TEST(Run, LowersThePriority) {
    Command command = shell("nice");
    command.nice = 3;
    const int own = std::stoi(capture(shell("nice")).output);
    EXPECT_EQ(std::stoi(capture(command).output), std::min(own + 3, 19));
}

TEST(Run, WorksWithItsOwnStandardStreamsClosed) {
    const pid_t child = fork();
    if (child == 0) {
        close(0);
        close(1);
        close(2);
        bool good = false;
        try {
            good = capture(shell("echo out; echo err >&2; cat")).output == "out\nerr\n";
        } catch (const Error &) {
        }
        _exit(good ? 0 : 1);
    }
    int status = -1;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

TEST(Run, DeliversOutputInOrderAsItComes) {
    Record record;
    const auto begin = Clock::now();
    run(shell("for i in $(seq 1 200); do echo out$i; echo err$i >&2; done; sleep 0.3; echo last"), record.watch(), {});
    std::string expected;
    for (int i = 1; i <= 200; ++i) {
        expected += "out" + std::to_string(i) + "\nerr" + std::to_string(i) + "\n";
    }
    EXPECT_EQ(record.output, expected + "last\n");
    EXPECT_TRUE(std::is_sorted(record.arrivals.begin(), record.arrivals.end()));
    EXPECT_GE(record.arrivals.front(), begin);
    EXPECT_GE(record.arrivals.back() - record.arrivals.front(), 250ms) << "the last line came later and is dated later";
}

TEST(Run, IsStoppedByTheWatch) {
    Record record;
    record.go_on = [&](const Tree &) { return record.output.find("ready") == std::string::npos; };
    const ProcessEnd end = run(shell("echo ready; exec sleep 1000"), record.watch(), {});
    EXPECT_TRUE(end.stopped);
    EXPECT_FALSE(end.cancelled);
    EXPECT_EQ(end.signal, SIGTERM);
}

TEST(Run, CallsASilentProgramsWatchToo) {
    Record record;
    int calls = 0;
    record.go_on = [&](const Tree &) { return ++calls < 5; };
    EXPECT_TRUE(run(shell("exec sleep 1000"), record.watch(), {}).stopped);
    EXPECT_EQ(calls, 5);
}

TEST(Run, LetsTheProgramFinishInOrder) {
    Record record;
    record.go_on = [&](const Tree &) { return record.output.find("ready") == std::string::npos; };
    const ProcessEnd end =
        run(shell("trap 'echo cleaned up; exit 7' TERM; echo ready; while :; do sleep 0.05; done"),
            record.watch(),
            {},
            60s);
    EXPECT_TRUE(end.stopped);
    EXPECT_EQ(end.signal, 0);
    EXPECT_EQ(end.exit_status, 7);
    EXPECT_THAT(record.output, HasSubstr("cleaned up"));
}

TEST(Run, KillsWhatIgnoresTheRequest) {
    Record record;
    record.go_on = [&](const Tree &) { return record.output.find("ready") == std::string::npos; };
    const ProcessEnd end =
        run(shell("trap '' TERM; echo ready; while :; do sleep 1000; done"), record.watch(), {}, 200ms);
    EXPECT_TRUE(end.stopped);
    EXPECT_EQ(end.signal, SIGKILL);
}

TEST(Run, IsStoppedByATokenOfAnotherThread) {
    std::stop_source source;
    Record record;
    std::jthread other;
    record.go_on = [&](const Tree &) {
        if (!other.joinable() && !record.output.empty()) {
            other = std::jthread([&] { source.request_stop(); });
        }
        return true;
    };
    const ProcessEnd end = run(shell("echo ready; exec sleep 1000"), record.watch(), source.get_token());
    EXPECT_TRUE(end.stopped);
    EXPECT_TRUE(end.cancelled);
    EXPECT_EQ(end.signal, SIGTERM);
}

TEST(Run, StartsNothingWhenAlreadyStopped) {
    std::stop_source source;
    source.request_stop();
    Record record;
    const ProcessEnd end = run(shell("echo started"), record.watch(), source.get_token());
    EXPECT_TRUE(end.cancelled);
    EXPECT_TRUE(record.output.empty());
}

TEST(Run, LeavesNoDaemonWhenTheProgramEnds) {
    Record record;
    const ProcessEnd end = run(shell(DAEMON + "sleep 0.3; echo done"), record.watch(), {}, 200ms);
    EXPECT_EQ(end.exit_status, 0);
    EXPECT_FALSE(end.stopped);
    EXPECT_THAT(record.output, HasSubstr("done"));
    const std::vector<pid_t> daemons = pids_after("daemon", record.output);
    ASSERT_FALSE(daemons.empty()) << record.output;
    for (const pid_t pid : daemons) {
        EXPECT_FALSE(alive(pid));
    }
}

TEST(Run, LeavesNoDaemonWhenStopped) {
    Record record;
    record.go_on = [&](const Tree &) { return record.output.find("daemon") == std::string::npos; };
    const ProcessEnd end = run(shell(DAEMON + "exec sleep 1000"), record.watch(), {}, 200ms);
    EXPECT_TRUE(end.stopped);
    for (const pid_t pid : pids_after("daemon", record.output)) {
        EXPECT_FALSE(alive(pid));
    }
}

TEST(Run, LeavesNoDaemonWhenTheWatchThrows) {
    struct Surprise {};
    Record record;
    record.go_on = [&](const Tree &) -> bool {
        if (record.output.find("daemon") != std::string::npos) {
            throw Surprise{};
        }
        return true;
    };
    EXPECT_THROW(run(shell(DAEMON + "exec sleep 1000"), record.watch(), {}, 200ms), Surprise);
    const std::vector<pid_t> daemons = pids_after("daemon", record.output);
    ASSERT_FALSE(daemons.empty());
    for (const pid_t pid : daemons) {
        EXPECT_FALSE(alive(pid));
    }
}

/// Starts process_child with a script that prints "ready", and returns its pid and what it printed up to there.
std::pair<pid_t, std::string> start_process_child(const std::string & script, const char * grace) {
    int ends[2];
    EXPECT_EQ(pipe2(ends, O_CLOEXEC), 0);
    const pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], 1);
        execl(BOOTBUDGET_PROCESS_CHILD, BOOTBUDGET_PROCESS_CHILD, script.c_str(), grace, nullptr);
        _exit(127);
    }
    close(ends[1]);
    std::string output;
    char piece[512];
    while (output.find("ready") == std::string::npos) {
        const ssize_t size = read(ends[0], piece, sizeof piece);
        if (size <= 0) {
            ADD_FAILURE() << "process_child printed only: " << output;
            break;
        }
        output.append(piece, static_cast<std::size_t>(size));
    }
    close(ends[0]);
    return {child, output};
}

/// "ready" comes when the daemon has spoken, as both write to the same pipe.
const std::string PROGRAM_WITH_DAEMON =
    "echo program $$; echo supervisor $PPID; " + DAEMON + "sleep 0.3; echo ready; while :; do sleep 1000; done";

TEST(Run, LeavesNobodyWhenItsProcessIsKilled) {
    const auto [child, output] = start_process_child("trap '' TERM; " + PROGRAM_WITH_DAEMON, "500");
    const std::vector<pid_t> programs = pids_after("program", output);
    const std::vector<pid_t> supervisors = pids_after("supervisor", output);
    const std::vector<pid_t> daemons = pids_after("daemon", output);
    ASSERT_EQ(programs.size(), 1U) << output;
    ASSERT_FALSE(daemons.empty()) << output;
    ASSERT_TRUE(alive(programs.front()));
    ASSERT_TRUE(alive(daemons.front()) || alive(daemons.back()));

    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    const auto gone = [](const std::vector<pid_t> & pids) { return std::none_of(pids.begin(), pids.end(), alive); };
    EXPECT_TRUE(within(5s, [&] { return gone(programs) && gone(daemons) && gone(supervisors); })) << output;
}

TEST(Run, OutlivesItsSupervisor) {
    Record record;
    bool killed = false;
    record.go_on = [&](const Tree &) {
        if (!killed && record.output.find("ready") != std::string::npos) {
            killed = true;
            kill(pids_after("supervisor", record.output).front(), SIGKILL);
        }
        return true;
    };
    const std::string script =
        "trap '' TERM; echo supervisor $PPID; sh -c 'echo child $$; echo ready; exec sleep 1000'";
    try {
        run(shell(script), record.watch(), {});
        FAIL() << "nothing was thrown";
    } catch (const SystemError & error) {
        EXPECT_THAT(error.what(), HasSubstr("was killed"));
    }
    const std::vector<pid_t> children = pids_after("child", record.output);
    ASSERT_EQ(children.size(), 1U);
    EXPECT_TRUE(within(5s, [&] { return !alive(children.front()); }));
}

TEST(Run, HidesNoRunFromAnother) {
    // Two at a time: neither may hold the other's life line, so both must end when their process is killed.
    const std::string script = "echo program $$; echo ready; exec sleep 1000";
    const pid_t child = fork();
    if (child == 0) {
        std::jthread first([&] { run(shell("exec sleep 1001"), {}, {}); });
        run(shell("exec sleep 1001"), {}, {});
        _exit(0);
    }
    std::vector<pid_t> programs;
    EXPECT_TRUE(within(20s, [&] {
        programs.clear();
        for (const TreeProcess & process : Tree(child).processes()) {
            if (process.name == "sleep") {
                programs.push_back(process.pid);
            }
        }
        return programs.size() == 2;
    }));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    EXPECT_TRUE(within(5s, [&] { return std::none_of(programs.begin(), programs.end(), alive); }));
}

TEST(Run, DoesNotWaitForWhoKeepsThePipeOpen) {
    Record record;
    const auto begin = Clock::now();
    const ProcessEnd end = run(shell("sleep 1000 & echo done"), record.watch(), {});
    EXPECT_EQ(record.output, "done\n");
    EXPECT_FALSE(end.stopped);
    EXPECT_LT(Clock::now() - begin, 500s);
}

TEST(Run, CountsTheWholeTreesUse) {
    // The program sleeps until a daemon, which then outlives it, has spun for 0.3 s.
    const ProcessEnd end =
        run(shell(R"(pipe=$(mktemp -u); mkfifo $pipe
            (setsid sh -c 'while read -r line < /proc/$$/stat; do
                               set -- $line; [ $((${14} + ${15})) -lt 30 ] || break
                           done; echo spent > $0; exec sleep 1000' $pipe &)
            read word < $pipe; rm $pipe; [ $word = spent ])"),
            {},
            {},
            60s);
    EXPECT_EQ(end.exit_status, 0);
    EXPECT_GE(end.use.user_seconds + end.use.system_seconds, 0.3);
    EXPECT_LT(end.use.user_seconds + end.use.system_seconds, 1000);
}

TEST(Run, BoundsAFlood) {
    std::size_t bytes = 0;
    int calls = 0;
    Watch watch;
    watch.on_output = [&](std::string_view piece, Clock::time_point) { bytes += piece.size(); };
    watch.go_on = [&](Clock::time_point, const Tree &) {
        ++calls;
        return true;
    };
    const ProcessEnd end = run(shell("head -c 100000000 /dev/zero"), watch, {});
    EXPECT_EQ(end.exit_status, 0);
    EXPECT_EQ(bytes, 100000000U);
    EXPECT_GE(calls, 90) << "a megabyte at most between two looks";

    watch.go_on = [&](Clock::time_point, const Tree &) { return bytes < 200000000U; };
    EXPECT_TRUE(run(shell("exec cat /dev/zero"), watch, {}).stopped);
}

TEST(TreeProcesses, TellSpinningFromIdle) {
    Record record;
    std::vector<TreeProcess> seen;
    record.go_on = [&](const Tree & tree) {
        seen = tree.processes();
        return std::none_of(seen.begin(), seen.end(), [](const TreeProcess & p) { return p.cpu_seconds >= 0.2; });
    };
    run(shell("sleep 1000 & while :; do :; done"), record.watch(), {});
    ASSERT_EQ(seen.size(), 2U);
    EXPECT_EQ(seen.front().name, "sh");
    EXPECT_GE(seen.front().cpu_seconds, 0.2);
    EXPECT_EQ(seen.back().name, "sleep");
    EXPECT_LT(seen.back().cpu_seconds, 0.1);
}

TEST(Capture, ReturnsOutputAndStatus) {
    const Captured captured = capture(shell("echo out; echo err >&2; exit 3"));
    EXPECT_EQ(captured.output, "out\nerr\n");
    EXPECT_EQ(captured.end.exit_status, 3);
}

TEST(Capture, RefusesTooMuchAndTooLong) {
    EXPECT_EQ(capture(shell("printf 12345"), {}, 60s, 5).output, "12345");
    EXPECT_THROW(capture(shell("printf 123456"), {}, 60s, 5), SystemError);
    EXPECT_THROW(capture(shell("cat /dev/zero"), {}, 60s), SystemError);
    EXPECT_THROW(capture(shell("exec sleep 1000"), {}, 1s), SystemError);
    std::stop_source source;
    source.request_stop();
    EXPECT_THROW(capture(shell("true"), source.get_token()), Cancelled);
}

TEST(FindProgram, KnowsWhatIsThere) {
    EXPECT_TRUE(find_program("sh").value().is_absolute());
    EXPECT_EQ(find_program("/bin/sh"), "/bin/sh");
    EXPECT_EQ(find_program("/bin/no-such-program"), std::nullopt);
    EXPECT_EQ(find_program("no-such-program"), std::nullopt);
    EXPECT_EQ(find_program(""), std::nullopt);
}

}  // namespace
}  // namespace bootbudget::common
