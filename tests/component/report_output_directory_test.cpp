// SPDX-License-Identifier: GPL-2.0-or-later
// The output directory on real file systems, with real processes beside it.
#include "report/output_directory.hpp"

#include "report/replacement.hpp"
#include "report/writers.hpp"
#include "unit/report_examples.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <functional>
#include <set>
#include <sstream>

namespace bootbudget::report {

namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

std::string content(const fs::path & path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

void write(const fs::path & path, const std::string & text) {
    std::ofstream(path) << text;
}

class Output : public testing::Test {
protected:
    void SetUp() override {
        std::string name = (fs::temp_directory_path() / "bootbudget output ä XXXXXX").string();
        ASSERT_NE(::mkdtemp(name.data()), nullptr);
        base_ = name;
        out_ = base_ / "mein Bericht ü";
    }
    void TearDown() override { fs::remove_all(base_); }

    /// Names in `directory`.
    static std::set<std::string> names(const fs::path & directory) {
        std::set<std::string> result;
        for (const fs::directory_entry & entry : fs::directory_iterator(directory)) {
            result.insert(entry.path().filename().string());
        }
        return result;
    }

    template <typename Expected>
    static std::string message_of(const std::function<void()> & action) {
        try {
            action();
        } catch (const Expected & error) {
            return error.what();
        }
        return "nothing was thrown";
    }

    /// Runs `action` in a child that is killed where it stands afterwards.
    static void in_killed_child(const std::function<void()> & action) {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            action();
            ::raise(SIGKILL);
            ::_exit(1);
        }
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    }

    fs::path base_;
    fs::path out_;
};

TEST_F(Output, AppearsWholeUnderItsName) {
    {
        OutputDirectory output(out_);
        write(output.logs() / "debug-0.log", "console\n");
        EXPECT_FALSE(fs::exists(out_));
        EXPECT_TRUE(fs::is_directory(output.path()));
        EXPECT_EQ(output.path().parent_path(), base_);
        output.commit(examples::debug_warns());
        EXPECT_EQ(names(base_), std::set<std::string>{out_.filename().string()});
        EXPECT_EQ(output.path(), out_);
    }
    EXPECT_EQ(names(base_), std::set<std::string>{out_.filename().string()});
    EXPECT_EQ(names(out_), (std::set<std::string>{"report.json", "report.txt", "junit.xml", "logs"}));
    EXPECT_EQ(content(out_ / "report.json"), to_json(examples::debug_warns()));
    EXPECT_EQ(content(out_ / "report.txt"), to_text(examples::debug_warns(), TextStyle{}));
    EXPECT_EQ(content(out_ / "junit.xml"), to_junit(examples::debug_warns()));
    EXPECT_EQ(content(out_ / "logs" / "debug-0.log"), "console\n");
}

TEST_F(Output, IsReadableByOthersAsFarAsTheUmaskSays) {
    const mode_t before = ::umask(022);
    {
        OutputDirectory output(out_);
        output.commit(examples::all_pass());
    }
    ::umask(before);
    EXPECT_EQ(fs::status(out_).permissions(), fs::perms(0755));
    EXPECT_EQ(fs::status(out_ / "report.json").permissions(), fs::perms(0644));
    EXPECT_EQ(fs::status(out_ / "logs").permissions(), fs::perms(0755));
}

TEST_F(Output, LeavesNothingUnlessCommitted) {
    {
        OutputDirectory output(out_);
        write(output.logs() / "debug-0.log", "console\n");
    }
    EXPECT_EQ(names(base_), std::set<std::string>{});
}

TEST_F(Output, ReplacesAnEarlierReport) {
    OutputDirectory(out_).commit(examples::all_pass());
    write(out_ / "logs" / "old.log", "old\n");
    {
        OutputDirectory output(out_);
        EXPECT_EQ(content(out_ / "report.json"), to_json(examples::all_pass()));
        output.commit(examples::debug_fails());
    }
    EXPECT_EQ(names(base_), std::set<std::string>{out_.filename().string()});
    EXPECT_EQ(content(out_ / "report.json"), to_json(examples::debug_fails()));
    EXPECT_FALSE(fs::exists(out_ / "logs" / "old.log"));
}

TEST_F(Output, TakesAnEmptyDirectoryAndMakesParents) {
    fs::create_directory(out_);
    OutputDirectory(out_ / "").commit(examples::all_pass());
    EXPECT_TRUE(fs::exists(out_ / "report.json"));
    OutputDirectory(base_ / "a" / "b" / "c").commit(examples::all_pass());
    EXPECT_TRUE(fs::exists(base_ / "a" / "b" / "c" / "report.json"));
}

TEST_F(Output, FollowsALinkToADirectory) {
    fs::create_directory(out_);
    fs::create_directory_symlink(out_, base_ / "link");
    OutputDirectory(base_ / "link").commit(examples::all_pass());
    EXPECT_TRUE(fs::is_symlink(base_ / "link"));
    EXPECT_TRUE(fs::exists(out_ / "report.json"));
}

TEST_F(Output, RefusesWhatIsNoEarlierReport) {
    const auto refuse = [this] { return message_of<UserError>([this] { OutputDirectory output(out_); }); };
    write(out_, "a file");
    EXPECT_THAT(refuse(), AllOf(HasSubstr("mein Bericht ü"), HasSubstr("is not a directory")));
    fs::remove(out_);

    fs::create_directory(out_);
    write(out_ / "thesis.tex", "years of work");
    EXPECT_THAT(refuse(), AllOf(HasSubstr("thesis.tex"), HasSubstr("Choose another directory")));
    fs::remove(out_ / "thesis.tex");

    fs::create_directory(out_ / "logs");
    EXPECT_THAT(refuse(), HasSubstr("holds no report"));
    for (const char * const text : {"", "{}", "[1]", R"({"schema": 1})", R"({"schema": "tmt"})"}) {
        write(out_ / "report.json", text);
        EXPECT_THAT(refuse(), HasSubstr("holds no report")) << text;
    }
    write(out_ / "report.json", R"({"schema": "bootbudget-report/1"})");
    EXPECT_EQ(refuse(), "nothing was thrown");
    write(out_ / "notes.txt", "mine");
    EXPECT_THAT(refuse(), HasSubstr("notes.txt"));
    EXPECT_EQ(names(base_), std::set<std::string>{out_.filename().string()});
}

TEST_F(Output, RefusesPlacesThatCannotBeReplaced) {
    for (const char * const path : {"/", ".", "/proc", ""}) {
        EXPECT_NE(message_of<UserError>([path] { OutputDirectory output(path); }), "nothing was thrown") << path;
    }
    EXPECT_NE(message_of<SystemError>([] { OutputDirectory output("/proc/report"); }), "nothing was thrown");
}

TEST_F(Output, LeavesFilesAloneThatCameInTheMeantime) {
    {
        OutputDirectory output(out_);
        fs::create_directory(out_);
        write(out_ / "thesis.tex", "years of work");
        EXPECT_THAT(
            message_of<UserError>([&output] { output.commit(examples::all_pass()); }), HasSubstr("left as it is"));
    }
    EXPECT_EQ(content(out_ / "thesis.tex"), "years of work");
    EXPECT_EQ(names(base_), std::set<std::string>{out_.filename().string()});
}

TEST_F(Output, RemovesWhatAKilledCheckLeft) {
    in_killed_child([this] {
        OutputDirectory output(out_);
        write(output.logs() / "debug-0.log", "console\n");
        ::raise(SIGKILL);
    });
    EXPECT_EQ(names(base_).size(), 1U);
    OutputDirectory(out_).commit(examples::all_pass());
    EXPECT_EQ(names(base_), std::set<std::string>{out_.filename().string()});
}

TEST_F(Output, LeavesOthersThatAreStillWorking) {
    OutputDirectory first(out_);
    write(first.logs() / "debug-0.log", "console\n");
    {
        OutputDirectory second(out_);
        EXPECT_NE(second.path(), first.path());
        second.commit(examples::all_pass());
        EXPECT_EQ(content(first.logs() / "debug-0.log"), "console\n");
    }
    // Both finish; the later one stays.
    first.commit(examples::debug_warns());
    EXPECT_EQ(content(out_ / "report.json"), to_json(examples::debug_warns()));
    EXPECT_EQ(names(base_), std::set<std::string>{out_.filename().string()});
}

TEST_F(Output, RemovesOnlyItsOwnKindOfLeftovers) {
    fs::create_directories(base_ / "mein Bericht ü.partial-abc123" / "logs");
    fs::create_directories(base_ / "mein Bericht ü.stale-abc123");
    fs::create_directories(base_ / "mein Bericht ü.partial-notes");
    fs::create_directories(base_ / "mein Bericht ü.partial-abc123-kept");
    fs::create_directories(base_ / "other.partial-abc123");
    write(base_ / "mein Bericht ü.partial-fff123", "a file");
    fs::create_directory_symlink(base_ / "other.partial-abc123", base_ / "mein Bericht ü.partial-aaa111");
    { OutputDirectory output(out_); }
    EXPECT_EQ(
        names(base_),
        (std::set<std::string>{
            "mein Bericht ü.partial-notes",
            "mein Bericht ü.partial-abc123-kept",
            "other.partial-abc123",
            "mein Bericht ü.partial-fff123",
            "mein Bericht ü.partial-aaa111"}));
}

TEST_F(Output, ManyProcessesAtOnceEachSucceed) {
    std::vector<pid_t> children;
    for (int i = 0; i < 8; ++i) {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            int status = 0;
            try {
                for (int round = 0; round < 10; ++round) {
                    OutputDirectory output(out_);
                    write(output.logs() / "debug-0.log", "console\n");
                    output.commit(examples::all_pass());
                }
            } catch (const std::exception & error) {
                std::fprintf(stderr, "%s\n", error.what());
                status = 1;
            }
            ::_exit(status);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = -1;
        EXPECT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(content(out_ / "report.json"), to_json(examples::all_pass()));
    EXPECT_EQ(content(out_ / "logs" / "debug-0.log"), "console\n");
    EXPECT_EQ(names(base_), std::set<std::string>{out_.filename().string()});
}

TEST_F(Output, ChildrenDoNotInheritTheLock) {
    OutputDirectory output(out_);
    int inherited = 0;
    for (const fs::directory_entry & entry : fs::directory_iterator("/proc/self/fd")) {
        std::error_code error;
        if (fs::read_symlink(entry.path(), error).filename() == ".lock") {
            const int flags = ::fcntl(std::stoi(entry.path().filename().string()), F_GETFD);
            EXPECT_NE(flags & FD_CLOEXEC, 0);
            ++inherited;
        }
    }
    EXPECT_EQ(inherited, 1);
}

TEST_F(Output, AFullDiskReplacesNothing) {
    if (::geteuid() != 0) {
        GTEST_SKIP() << "not root: a small file system to fill up cannot be mounted";
    }
    const fs::path disk = base_ / "disk";
    fs::create_directory(disk);
    if (::mount("tmpfs", disk.c_str(), "tmpfs", 0, "size=256k") != 0) {
        GTEST_SKIP() << "mount(2) is not permitted here: a small file system to fill up cannot be mounted";
    }
    const fs::path out = disk / "report";
    Report large = examples::debug_warns();
    large.policy.text = std::string(1U << 20U, 'x');
    std::string message;
    OutputDirectory(out).commit(examples::all_pass());
    {
        OutputDirectory output(out);
        message = message_of<SystemError>([&] { output.commit(large); });
    }
    const std::set<std::string> left = names(disk);
    const std::string report = content(out / "report.json");
    EXPECT_EQ(::umount(disk.c_str()), 0);
    EXPECT_THAT(message, AllOf(HasSubstr("report.json"), HasSubstr("No space left on device")));
    EXPECT_EQ(left, std::set<std::string>{"report"});
    EXPECT_EQ(report, to_json(examples::all_pass()));
}

TEST_F(Output, AFileSizeLimitReplacesNothing) {
    OutputDirectory(out_).commit(examples::all_pass());
    Report large = examples::debug_warns();
    large.policy.text = std::string(1U << 20U, 'x');
    rlimit before{};
    ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
    rlimit small = before;
    small.rlim_cur = 256U << 10U;
    const auto handler = ::signal(SIGXFSZ, SIG_IGN);
    std::string message;
    {
        OutputDirectory output(out_);
        ::setrlimit(RLIMIT_FSIZE, &small);
        message = message_of<SystemError>([&] { output.commit(large); });
        ::setrlimit(RLIMIT_FSIZE, &before);
    }
    ::signal(SIGXFSZ, handler);
    EXPECT_THAT(message, AllOf(HasSubstr("report.json"), HasSubstr("File too large")));
    EXPECT_EQ(names(base_), std::set<std::string>{out_.filename().string()});
    EXPECT_EQ(content(out_ / "report.json"), to_json(examples::all_pass()));
}

TEST_F(Output, ReplacesWithoutASwapToo) {
    const fs::path fresh = base_ / "fresh";
    const auto make_fresh = [&fresh](const std::string & text) {
        fs::create_directory(fresh);
        write(fresh / "report.txt", text);
        write(fresh / "report.json", R"({"schema": "bootbudget-report/1"})");
    };
    for (const Swap swap : {Swap::NEVER, Swap::WHERE_SUPPORTED}) {
        fs::remove_all(out_);
        make_fresh("1");
        replace(fresh, out_, swap);
        EXPECT_EQ(content(out_ / "report.txt"), "1");
        EXPECT_FALSE(fs::exists(fresh));

        make_fresh("2");
        replace(fresh, out_, swap);
        EXPECT_EQ(content(out_ / "report.txt"), "2");
        EXPECT_EQ(content(fresh / "report.txt"), "1");
        EXPECT_EQ(names(base_), (std::set<std::string>{"fresh", out_.filename().string()}));

        write(out_ / "thesis.tex", "years of work");
        EXPECT_THROW(replace(fresh, out_, swap), UserError);
        EXPECT_EQ(content(out_ / "thesis.tex"), "years of work");
        EXPECT_EQ(content(fresh / "report.txt"), "1");
        fs::remove_all(fresh);
    }
}

}  // namespace

}  // namespace bootbudget::report
