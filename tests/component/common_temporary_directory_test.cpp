// SPDX-License-Identifier: GPL-2.0-or-later
// Who may remove a temporary directory, and when: real owners, killed at bad moments.
#include "common/temporary_directory.hpp"

#include <bootbudget/error.hpp>

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

namespace bootbudget::common {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

class Temporary : public testing::Test {
protected:
    Temporary() {
        std::string name = (fs::temp_directory_path() / "common temporärXXXXXX").string();
        base_ = mkdtemp(name.data()) == nullptr ? "" : name;
    }
    ~Temporary() override { remove_tree(base_); }

    /// An owner in another process, and its directory.
    std::pair<pid_t, fs::path> start_owner(const char * mode) const {
        int ends[2];
        EXPECT_EQ(pipe(ends), 0);
        const pid_t child = fork();
        if (child == 0) {
            dup2(ends[1], 1);
            close(ends[0]);
            close(ends[1]);
            execl(BOOTBUDGET_TEMPORARY_DIRECTORY_CHILD, "owner", base_.c_str(), mode, nullptr);
            _exit(127);
        }
        close(ends[1]);
        std::string line;
        for (char c = 0; read(ends[0], &c, 1) == 1 && c != '\n';) {
            line += c;
        }
        close(ends[0]);
        return {child, line};
    }

    bool is_empty() const { return fs::is_empty(base_); }

    static void end(pid_t child) {
        kill(child, SIGKILL);
        waitpid(child, nullptr, 0);
    }

    template <typename Condition>
    static bool within(std::chrono::seconds limit, const Condition & condition) {
        const auto deadline = std::chrono::steady_clock::now() + limit;
        while (!condition()) {
            if (std::chrono::steady_clock::now() > deadline) {
                return false;
            }
            std::this_thread::sleep_for(10ms);
        }
        return true;
    }

    fs::path base_;
};

TEST_F(Temporary, IsPrivateAndGoesWithItsOwner) {
    fs::path path;
    {
        const TemporaryDirectory directory(base_);
        path = directory.path();
        EXPECT_EQ(path.parent_path(), base_);
        EXPECT_THAT(path.filename().string(), testing::StartsWith("bootbudget-"));
        struct stat status {};
        ASSERT_EQ(stat(path.c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 07777U, geteuid() == 0 ? 0711U : 0700U);
        std::ofstream(path / "file") << "x";
        fs::create_directories(path / "a/b");
    }
    EXPECT_FALSE(fs::exists(path));
    EXPECT_TRUE(is_empty());
}

TEST_F(Temporary, MovesWithItsOwner) {
    TemporaryDirectory first(base_);
    const fs::path path = first.path();
    {
        const TemporaryDirectory second(std::move(first));
        EXPECT_EQ(second.path(), path);
        EXPECT_EQ(remove_stale(base_), 0);
    }
    EXPECT_TRUE(is_empty());
}

TEST_F(Temporary, IsKeptForGood) {
    fs::path kept;
    {
        TemporaryDirectory directory(base_);
        std::ofstream(directory.path() / "console.log") << "x";
        kept = directory.keep();
    }
    fs::last_write_time(kept, fs::file_time_type::clock::now() - 48h);
    EXPECT_EQ(remove_stale(base_), 0);
    EXPECT_TRUE(fs::exists(kept / "console.log"));
    EXPECT_FALSE(fs::exists(kept / ".lock"));
}

TEST_F(Temporary, NamesTheBaseThatIsOfNoUse) {
    try {
        const TemporaryDirectory directory(base_ / "missing");
        FAIL() << "nothing was thrown";
    } catch (const SystemError & error) {
        EXPECT_EQ(error.error_number(), ENOENT);
        EXPECT_THAT(error.what(), testing::HasSubstr((base_ / "missing").string()));
        EXPECT_THAT(error.what(), testing::HasSubstr("--work-dir"));
    }
    std::ofstream(base_ / "file") << "x";
    EXPECT_THROW(TemporaryDirectory(base_ / "file"), SystemError);
}

TEST_F(Temporary, StaysWhileItsOwnerLives) {
    const auto [child, path] = start_owner("own");
    EXPECT_EQ(remove_stale(base_), 0);
    EXPECT_TRUE(fs::exists(path));
    end(child);
    EXPECT_EQ(remove_stale(base_), 1);
    EXPECT_TRUE(is_empty());
}

TEST_F(Temporary, StaysUntilTheSupervisorHasEnded) {
    const auto [child, path] = start_owner("run");
    const auto program_runs = [&] {
        for (const fs::directory_entry & entry : fs::directory_iterator("/proc")) {
            std::ifstream file(entry.path() / "cmdline", std::ios::binary);
            std::string line;
            std::getline(file, line);
            if (line.starts_with("/bin/sh") && line.find(base_.string()) != std::string::npos) {
                return true;
            }
        }
        return false;
    };
    ASSERT_TRUE(within(10s, program_runs));
    end(child);
    // From here on only the supervisor holds the lock, until the program, deaf to SIGTERM, is killed.
    ASSERT_TRUE(within(20s, [&] { return remove_stale(base_) == 1; }));
    EXPECT_FALSE(program_runs()) << "it lost the directory in which it worked";
    EXPECT_TRUE(is_empty());
}

TEST_F(Temporary, IsNotTakenAwayWhileItIsMade) {
    const pid_t sweeper = fork();
    if (sweeper == 0) {
        execl(BOOTBUDGET_TEMPORARY_DIRECTORY_CHILD, "sweeper", base_.c_str(), "sweep", nullptr);
        _exit(127);
    }
    const pid_t maker = fork();
    if (maker == 0) {
        execl(BOOTBUDGET_TEMPORARY_DIRECTORY_CHILD, "maker", base_.c_str(), "make", "2000", nullptr);
        _exit(127);
    }
    int status = -1;
    waitpid(maker, &status, 0);
    end(sweeper);
    EXPECT_EQ(status, 0);
    EXPECT_TRUE(is_empty());
}

TEST_F(Temporary, LeavesWhatIsNotItsOwn) {
    const auto old = fs::file_time_type::clock::now() - 48h;
    fs::create_directory(base_ / "elsewhere");
    std::ofstream(base_ / "elsewhere/.lock") << "";
    fs::create_directory_symlink("elsewhere", base_ / "bootbudget-link");
    std::ofstream(base_ / "bootbudget-file") << "x";
    fs::create_directory(base_ / "bootbudget-young");
    fs::create_directory(base_ / "bootbudget-full");
    std::ofstream(base_ / "bootbudget-full/result") << "x";
    fs::last_write_time(base_ / "bootbudget-full", old);
    fs::create_directory(base_ / "bootbudget-linked-lock");
    fs::create_symlink("../elsewhere/.lock", base_ / "bootbudget-linked-lock/.lock");
    EXPECT_EQ(remove_stale(base_), 0);

    fs::create_directory(base_ / "bootbudget-empty");
    std::ofstream(base_ / "bootbudget-empty/.lock.new") << "";
    fs::last_write_time(base_ / "bootbudget-empty", old);
    EXPECT_EQ(remove_stale(base_), 1);
    EXPECT_FALSE(fs::exists(base_ / "bootbudget-empty"));
    EXPECT_EQ(remove_stale(base_ / "missing"), 0);
}

TEST_F(Temporary, OfAnotherAccountStays) {
    if (geteuid() != 0) {
        GTEST_SKIP() << "not root: only root can make a directory of somebody else's";
    }
    fs::create_directory(base_ / "bootbudget-other");
    std::ofstream(base_ / "bootbudget-other/.lock") << "";
    ASSERT_EQ(chown((base_ / "bootbudget-other").c_str(), 65534, 65534), 0);
    EXPECT_EQ(remove_stale(base_), 0);
    EXPECT_TRUE(fs::exists(base_ / "bootbudget-other"));
}

/// As an ordinary user: root passes over modes.
TEST_F(Temporary, IsRemovedWhateverTheModes) {
    fs::create_directories(base_ / "tree/closed/inner/deep");
    std::ofstream(base_ / "tree/closed/inner/file") << "x";
    fs::create_directory(base_ / "outside");
    std::ofstream(base_ / "outside/file") << "x";
    fs::permissions(base_ / "outside", fs::perms(0555));
    fs::create_directory_symlink(base_ / "outside", base_ / "tree/closed/link");
    const pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0) {
            const uid_t nobody = 65534;
            for (const fs::path & path :
                 {base_,
                  base_ / "tree",
                  base_ / "tree/closed",
                  base_ / "tree/closed/inner",
                  base_ / "tree/closed/inner/deep",
                  base_ / "outside"}) {
                if (chown(path.c_str(), nobody, nobody) != 0) {
                    _exit(2);
                }
            }
            if (setresuid(nobody, nobody, nobody) != 0) {
                _exit(3);
            }
        }
        chmod((base_ / "tree/closed/inner/deep").c_str(), 0);
        chmod((base_ / "tree/closed/inner").c_str(), 0500);
        chmod((base_ / "tree/closed").c_str(), 0);
        chmod((base_ / "tree").c_str(), 0500);
        _exit(remove_tree(base_ / "tree") ? 0 : 1);
    }
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
    EXPECT_FALSE(fs::exists(base_ / "tree"));
    EXPECT_TRUE(fs::exists(base_ / "outside/file"));
    struct stat outside {};
    ASSERT_EQ(stat((base_ / "outside").c_str(), &outside), 0);
    EXPECT_EQ(outside.st_mode & 07777U, 0555U) << "links are not followed";
}

TEST_F(Temporary, RemovesALinkAndNotItsTarget) {
    fs::create_directory(base_ / "target");
    fs::create_directory_symlink("target", base_ / "link");
    EXPECT_TRUE(remove_tree(base_ / "link"));
    EXPECT_TRUE(fs::exists(base_ / "target"));
    EXPECT_TRUE(remove_tree(base_ / "missing"));
}

}  // namespace
}  // namespace bootbudget::common
