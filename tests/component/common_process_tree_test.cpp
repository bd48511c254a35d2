// SPDX-License-Identifier: GPL-2.0-or-later
// Process trees, ended in every way. Whether a process is gone is asked of the kernel, with a time limit and no fixed pauses.
#include "common/process.hpp"

#include <bootbudget/error.hpp>

#include "support/shell_run.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <thread>

namespace bootbudget::common {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

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

}  // namespace
}  // namespace bootbudget::common
