// SPDX-License-Identifier: GPL-2.0-or-later
#include "common/cpu_group.hpp"

#include <gmock/gmock.h>

namespace bootbudget::common {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(CpuUse, OfBothVersions) {
    EXPECT_EQ(parse_cpu_use("usage_usec 1234567\nuser_usec 1000000\nsystem_usec 234567\n"), 1234567000);
    EXPECT_EQ(parse_cpu_use("1234567890\n"), 1234567890);
    EXPECT_EQ(parse_cpu_use("0"), 0);
}

TEST(CpuUse, DamagedTextIsNone) {
    for (const std::string text :
         {"",
          "\n",
          "usage_usec",
          "usage_usec \n",
          "usage_usec x",
          "usage_usec -1",
          "-5\n",
          "12a\n",
          " 12\n",
          "user_usec 5\n",
          "99999999999999999999\n",
          "usage_usec 9223372036854775807\n"}) {
        EXPECT_EQ(parse_cpu_use(text), -1) << text;
    }
}

constexpr const char * UNIFIED = "30 22 0:26 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate\n";
constexpr const char * HYBRID =
    "31 23 0:28 / /sys/fs/cgroup rw - tmpfs tmpfs rw,mode=755\n"
    "33 31 0:30 / /sys/fs/cgroup/cpu,cpuacct rw shared:11 - cgroup cgroup rw,cpu,cpuacct\n"
    "35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n"
    "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";

TEST(CpuGroupParents, OfAUnifiedHierarchy) {
    EXPECT_THAT(
        cpu_group_parents(UNIFIED, "0::/user.slice/user-1000.slice/user@1000.service/app.slice/a b.scope\n"),
        ElementsAre(
            CpuGroupParent{"/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice/a b.scope", true}));
    EXPECT_THAT(cpu_group_parents(UNIFIED, "0::/\n"), ElementsAre(CpuGroupParent{"/sys/fs/cgroup", true}));
}

TEST(CpuGroupParents, OfAHybridOneWithTheUnifiedFirst) {
    EXPECT_THAT(
        cpu_group_parents(HYBRID, "8:memory:/x\n2:cpu,cpuacct:/job\n1:name=systemd:/\n0::/job\n"),
        ElementsAre(
            CpuGroupParent{"/sys/fs/cgroup/unified/job", true},
            CpuGroupParent{"/sys/fs/cgroup/cpu,cpuacct/job", false}));
}

TEST(CpuGroupParents, AMountOfAPartOfTheHierarchy) {
    const std::string part = "30 22 0:26 /docker/1 /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n";
    EXPECT_THAT(
        cpu_group_parents(part, "0::/docker/1/inner\n"), ElementsAre(CpuGroupParent{"/sys/fs/cgroup/inner", true}));
    EXPECT_THAT(cpu_group_parents(part, "0::/docker/1\n"), ElementsAre(CpuGroupParent{"/sys/fs/cgroup", true}));
    EXPECT_THAT(cpu_group_parents(part, "0::/docker/10\n"), IsEmpty());
    EXPECT_THAT(cpu_group_parents(UNIFIED, "0::/../../outside\n"), IsEmpty());
}

TEST(CpuGroupParents, EscapesInMountPoints) {
    EXPECT_THAT(
        cpu_group_parents("30 22 0:26 / /a\\040b rw - cgroup2 none rw\n", "0::/\n"),
        ElementsAre(CpuGroupParent{"/a b", true}));
    EXPECT_THAT(
        cpu_group_parents("30 22 0:26 / /a\\9 rw - cgroup2 none rw\n", "0::/\n"),
        ElementsAre(CpuGroupParent{"/a\\9", true}));
}

TEST(CpuGroupParents, DamagedTextsHaveNone) {
    for (const std::string mountinfo :
         {"", "\n\n", "30", "30 22 0:26 / /x rw - cgroup2", "30 22 0:26 / /x rw cgroup2"}) {
        for (const std::string cgroup : {"", "0", "0:", "0::", "0::x", "::/", "\n"}) {
            EXPECT_THAT(cpu_group_parents(mountinfo, cgroup), IsEmpty()) << mountinfo << " | " << cgroup;
        }
        cpu_group_parents(mountinfo, "0::/x\n");
    }
    EXPECT_THAT(cpu_group_parents(UNIFIED, ""), IsEmpty());
    EXPECT_THAT(cpu_group_parents("", "0::/\n"), IsEmpty());
}

}  // namespace
}  // namespace bootbudget::common
