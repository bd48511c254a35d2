// SPDX-License-Identifier: GPL-2.0-or-later
#include "common/machine.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bootbudget::common {

namespace {

/// processors() in a child that may use the first `most` of the processors that this process may use.
int processors_of_child(const cpu_set_t & allowed, int most) {
    const pid_t child = ::fork();
    if (child == 0) {
        cpu_set_t fewer;
        CPU_ZERO(&fewer);
        for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&fewer) < most; ++cpu) {
            if (CPU_ISSET(cpu, &allowed)) {
                CPU_SET(cpu, &fewer);
            }
        }
        ::_exit(::sched_setaffinity(0, sizeof fewer, &fewer) == 0 ? processors() : 255);
    }
    int status = 0;
    return child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(CommonMachine, ProcessorsAreThoseOfTheAffinity) {
    cpu_set_t allowed;
    if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) {
        GTEST_SKIP() << "this machine has more processors than a cpu_set_t holds";
    }
    EXPECT_EQ(processors(), CPU_COUNT(&allowed));
    EXPECT_EQ(processors_of_child(allowed, 1), 1);
    if (CPU_COUNT(&allowed) > 1) {
        EXPECT_EQ(processors_of_child(allowed, CPU_COUNT(&allowed) - 1), CPU_COUNT(&allowed) - 1);
    }
}

TEST(CommonMachine, AvailableMemoryIsNoMoreThanThereIs) {
    const auto available = available_memory();
    ASSERT_TRUE(available);
    EXPECT_GT(*available, 0U);
    const auto pages = static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES));
    EXPECT_LT(*available, pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)));
}

}  // namespace

}  // namespace bootbudget::common
