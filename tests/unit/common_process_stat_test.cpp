// SPDX-License-Identifier: GPL-2.0-or-later
// A process chooses its own name, so the line it appears in must be read with care.
#include "common/process_stat.hpp"

#include <gmock/gmock.h>

#include <string>

namespace bootbudget::common {
namespace {

std::string line(const std::string & name) {
    return "4711 (" + name +
           ") R 12 4711 99 34816 4711 4194304 100 0 0 0 250 31 0 0 20 0 5 0 123456 1000 10 18446744073709551615\n";
}

TEST(ParseProcessStat, ReadsTheFields) {
    ProcessStat stat;
    ASSERT_TRUE(parse_process_stat(line("qemu-system-x86"), stat));
    EXPECT_EQ(stat.pid, 4711);
    EXPECT_STREQ(stat.name.data(), "qemu-system-x86");
    EXPECT_EQ(stat.state, 'R');
    EXPECT_EQ(stat.parent, 12);
    EXPECT_EQ(stat.session, 99);
    EXPECT_EQ(stat.user_ticks, 250U);
    EXPECT_EQ(stat.system_ticks, 31U);
    EXPECT_EQ(stat.start_ticks, 123456U);
}

TEST(ParseProcessStat, IsNotFooledByNames) {
    for (const std::string name : {"a b", ") S 1 1 1", "((", "", "x) R 1\n", "(sd-pam)"}) {
        ProcessStat stat;
        ASSERT_TRUE(parse_process_stat(line(name), stat)) << name;
        EXPECT_STREQ(stat.name.data(), name.c_str());
        EXPECT_EQ(stat.parent, 12) << name;
    }
    ProcessStat stat;
    ASSERT_TRUE(parse_process_stat(line("much longer than the kernel allows"), stat));
    EXPECT_STREQ(stat.name.data(), "much longer tha");
}

TEST(ParseProcessStat, RefusesWhatIsCutOff) {
    const std::string whole = line("sh");
    const std::size_t enough = whole.find(" 1000 10");
    ProcessStat stat;
    for (std::size_t size = 0; size < enough - 5; ++size) {
        EXPECT_FALSE(parse_process_stat(whole.substr(0, size), stat)) << whole.substr(0, size);
    }
    EXPECT_FALSE(parse_process_stat("x (sh) R 12 4711 99", stat));
    EXPECT_FALSE(parse_process_stat(")(", stat));
}

TEST(ForEachProcess, FindsThisOne) {
    bool found = false;
    EXPECT_EQ(
        for_each_process([&](const ProcessStat & stat) {
            found = found || (stat.pid == getpid() && stat.parent == getppid() && stat.session == getsid(0));
        }),
        0);
    EXPECT_TRUE(found);
    EXPECT_EQ(for_each_number("/nonexistent", [](int) {}), ENOENT);
}

}  // namespace
}  // namespace bootbudget::common
