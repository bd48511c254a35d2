// SPDX-License-Identifier: GPL-2.0-or-later
// How a program starts and what it is given, seen from inside real programs; what is told of its end.
#include "common/process.hpp"

#include <bootbudget/error.hpp>

#include "support/as_ordinary_user.hpp"
#include "support/shell_run.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <sstream>

namespace bootbudget::common {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

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
    test::as_ordinary_user([] {
        Command command = shell("true");
        command.account = account_named("root");
        try {
            run(command, {}, {});
            FAIL() << "nothing was thrown";
        } catch (const SystemError & error) {
            EXPECT_EQ(error.error_number(), EPERM);
            EXPECT_THAT(error.what(), HasSubstr("root"));
        }
    });
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
    const int leaky = open("/etc/passwd", O_RDONLY);  // without O_CLOEXEC, on purpose
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
