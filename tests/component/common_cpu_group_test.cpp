// SPDX-License-Identifier: GPL-2.0-or-later
// Control groups of the real kernel, in whichever hierarchies this machine has mounted. Where none can be made the tests have nothing to say, and say that.
#include "common/cpu_group.hpp"

#include "common/process.hpp"
#include "support/shell_run.hpp"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <set>
#include <thread>

namespace bootbudget::common {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using ::testing::IsEmpty;

constexpr double TICK = 0.01;  // sysconf(_SC_CLK_TCK) is 100 on every Linux

/// Spins for 0.3 s, once in a process that has left session and parent, and once in the program itself.
const std::string SPIN =
    R"(spin='while read -r line < /proc/$$/stat; do
                 set -- $line; [ $((${14} + ${15})) -lt 30 ] || break
             done'
       pipe=$(mktemp -u); mkfifo $pipe
       (setsid sh -c "$spin; echo spent > $pipe" &)
       eval "$spin"
       read -r word < $pipe; rm $pipe; [ $word = spent ])";

std::string text_of(const fs::path & path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<CpuGroupParent> parents() {
    return cpu_group_parents(text_of("/proc/self/mountinfo"), text_of("/proc/self/cgroup"));
}

/// Groups of ours, of whatever process.
std::set<std::string> groups() {
    std::set<std::string> found;
    for (const auto & parent : parents()) {
        std::error_code error;
        for (fs::directory_iterator entry(parent.directory, error), end; !error && entry != end;
             entry.increment(error)) {
            if (entry->path().filename().string().starts_with("bootbudget-")) {
                found.insert(entry->path().string());
            }
        }
    }
    return found;
}

std::set<std::string> groups_of(pid_t pid) {
    auto found = groups();
    std::erase_if(found, [&](const std::string & path) {
        return path.find("/bootbudget-" + std::to_string(pid) + "-") == std::string::npos;
    });
    return found;
}

class CpuGroups : public ::testing::Test {
protected:
    void SetUp() override {
        if (!CpuGroup::make()) {
            GTEST_SKIP()
                << "no control group can be made here: no cgroup file system is mounted, or it is read-only or "
                   "not delegated to this account";
        }
    }
};

TEST_F(CpuGroups, AgreeWithWait4OnAWholeTree) {
    auto command = shell(SPIN);
    command.cpu_group = true;
    const auto end = run(command, {}, {}, 60s);
    ASSERT_EQ(end.exit_status, 0);
    ASSERT_TRUE(end.use.group_seconds);
    const double waited = end.use.user_seconds + end.use.system_seconds;
    EXPECT_GE(waited, 0.6 - 2 * TICK);
    EXPECT_NEAR(*end.use.group_seconds, waited, 2 * TICK);
    EXPECT_EQ(end.use.cpu_seconds(), *end.use.group_seconds);
    EXPECT_THAT(groups_of(::getpid()), IsEmpty());
}

TEST_F(CpuGroups, WorkInEachHierarchy) {
    int tried = 0;
    for (const auto & parent : parents()) {
        auto group = CpuGroup::make_below(parent);
        if (!group) {
            continue;
        }
        ++tried;
        auto command = shell("echo $$ > \"$ENTRANCE\"\n" + SPIN);
        command.environment["ENTRANCE"] = group->entrance();
        const auto end = run(command, {}, {}, 60s);
        ASSERT_EQ(end.exit_status, 0) << group->entrance();
        const double counted = static_cast<double>(parse_cpu_use(text_of(group->use()))) * 1e-9;
        EXPECT_NEAR(counted, end.use.user_seconds + end.use.system_seconds, 3 * TICK) << group->directory();
        EXPECT_FALSE(end.use.group_seconds) << "nobody asked for a group of run()'s own";
    }
    EXPECT_GE(tried, 1);
    EXPECT_THAT(groups_of(::getpid()), IsEmpty());
}

TEST_F(CpuGroups, GoWithAProgramThatCannotBeStarted) {
    Command command;
    command.argv = {"/dev/null"};
    command.environment = plain_environment();
    command.cpu_group = true;
    EXPECT_ANY_THROW(run(command, {}, {}));
    EXPECT_THAT(groups_of(::getpid()), IsEmpty());
}

TEST_F(CpuGroups, GoWithAnOwnerThatWasKilled) {
    const pid_t child = ::fork();
    if (child == 0) {
        ::execl(BOOTBUDGET_PROCESS_CHILD, "process_child", "exec sleep 1000", nullptr);
        ::_exit(127);
    }
    const auto wait_until = [&](bool there) {
        for (int i = 0; i < 6000 && groups_of(child).empty() == there; ++i) {
            std::this_thread::sleep_for(10ms);
        }
        return groups_of(child).empty() != there;
    };
    EXPECT_TRUE(wait_until(true)) << "process_child makes a group";
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    EXPECT_TRUE(wait_until(false)) << "the supervisor removes it";
}

TEST_F(CpuGroups, OfTheDeadAreRemovedByTheNextOne) {
    const pid_t dead = ::fork();
    if (dead == 0) {
        ::_exit(0);
    }
    ::waitpid(dead, nullptr, 0);
    int tried = 0;
    for (const auto & parent : parents()) {
        const auto stale = parent.directory / ("bootbudget-" + std::to_string(dead) + "-7");
        const auto living = parent.directory / ("bootbudget-" + std::to_string(::getpid()) + "-living");
        if (::mkdir(stale.c_str(), 0755) != 0 || ::mkdir(living.c_str(), 0755) != 0) {
            continue;
        }
        ++tried;
        EXPECT_TRUE(CpuGroup::make_below(parent));
        EXPECT_FALSE(fs::exists(stale));
        EXPECT_TRUE(fs::exists(living)) << "its owner lives";
        ::rmdir(living.c_str());
    }
    EXPECT_GE(tried, 1);
}

TEST(CpuGroupsElsewhere, AreNoneAndNoError) {
    EXPECT_FALSE(CpuGroup::make_below({"/nonexistent", true}));
    EXPECT_FALSE(CpuGroup::make_below({"/proc", false}));
    const auto plain = fs::temp_directory_path() / ("no-group-" + std::to_string(::getpid()));
    fs::create_directory(plain);
    EXPECT_FALSE(CpuGroup::make_below({plain, true})) << "a directory like any other";
    EXPECT_TRUE(fs::is_empty(plain));
    fs::remove(plain);
}

}  // namespace
}  // namespace bootbudget::common
