// SPDX-License-Identifier: GPL-2.0-or-later
#include "boot/boot.hpp"
#include "boot/counted_run.hpp"
#include "boot/counter_place.hpp"
#include "boot/firmware.hpp"
#include "boot/icount.hpp"
#include "boot/marks.hpp"
#include "common/shell_word.hpp"

#include <gmock/gmock.h>

namespace bootbudget::boot {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Counter, IsLookedForFromTheProgram) {
    const auto built = counter_candidates("/src/build/plugin/cli/bootbudget");
    EXPECT_THAT(built, Contains(std::filesystem::path("/src/build/plugin/qemu/bootbudget-counter.so")));
    const auto tested = counter_candidates("/src/build/tests/component/a_test");
    EXPECT_THAT(tested, Contains(std::filesystem::path("/src/build/plugin/qemu/bootbudget-counter.so")));
    const auto installed = counter_candidates("/opt/x/bin/bootbudget");
    EXPECT_THAT(installed, Contains(std::filesystem::path("/opt/x/lib64/bootbudget/bootbudget-counter.so")));
    EXPECT_THAT(installed, Contains(std::filesystem::path("/opt/x/lib/bootbudget/bootbudget-counter.so")));
    for (const auto & candidate : counter_candidates("")) {
        EXPECT_EQ(candidate.filename(), COUNTER_FILE);
    }
}

TEST(Counter, WordsNameEverythingAndDoubleCommas) {
    EXPECT_THAT(
        counting_words("/t/c.so", "/t/a,b/page", "/t/lines", 1342177280, ""),
        ElementsAre("-icount", icount_option(), "-plugin", "/t/c.so,page=/t/a,,b/page,ram=1342177280,lines=/t/lines"));
}

TEST(Counter, WordsNameTheMarksThereAre) {
    EXPECT_THAT(
        counting_words("/c.so", "/page", "/lines", 1, marks_argument({0xffffffff81000010, 0, 0, 0x20})),
        ElementsAre(
            "-icount",
            icount_option(),
            "-plugin",
            "/c.so,page=/page,ram=1,lines=/lines,marks=ffffffff81000010:0:0:20"));
    EXPECT_EQ(marks_argument({}), "");
}

TEST(Counter, MarksAreBoundariesIfTheyWerePassedInTheirOrder) {
    CounterPage page{};
    page.marks[0] = 100;
    page.marks[1] = 200;
    page.marks[3] = 400;
    const auto counts = marked_counts(page);
    EXPECT_EQ(counts.kernel_start, 100);
    EXPECT_EQ(counts.init_start, 200);
    EXPECT_EQ(counts.root_switch, std::nullopt) << "never passed, or not known";
    EXPECT_EQ(counts.up, 400);
    page.marks[1] = 500;
    EXPECT_EQ(marked_counts(page), BoundaryCounts()) << "these are another kernel's addresses";
}

TEST(Counter, TheCommandIsToldAsItRan) {
    const std::vector<std::string> words = {"-icount", "shift=0,sleep=on"};
    EXPECT_EQ(
        unwrapped("/t/counter/q -m 1280 -append \"a  b\"", "/usr/bin/q", words),
        "/usr/bin/q -m 1280 -append \"a  b\" -icount shift=0,sleep=on");
    EXPECT_EQ(unwrapped("\"/t x/q\" -m 1", "/usr/bin/q", {}), "/usr/bin/q -m 1");
    EXPECT_EQ(unwrapped("", "/usr/bin/q", words), "") << "QEMU was never started";
}

TEST(Counter, IsDescribed) {
    CounterSupport support;
    support.unavailable = "no QEMU is installed";
    EXPECT_EQ(describe(support), "unavailable: no QEMU is installed");
    support.counting = Counting{"/c.so", "/q", 1, 1, false};
    EXPECT_EQ(
        describe(support),
        "QEMU plugin API 1, counts at the kernel's own functions, elsewhere as lines arrive, -icount " +
            icount_option());
    support.counting = Counting{"/c.so", "/q", 7, 7, true};
    EXPECT_EQ(describe(support), "QEMU plugin API 7, exact counts at each console line, -icount " + icount_option());
}

TEST(ShellWord, IsQuotedOnlyWhereNeeded) {
    EXPECT_EQ(common::shell_word("/usr/bin/x,y=1"), "/usr/bin/x,y=1");
    EXPECT_EQ(common::shell_word("a b"), "'a b'");
    EXPECT_EQ(common::shell_word("it's"), R"('it'\''s')");
    EXPECT_EQ(common::shell_word("$(x)`y`\"\\\n"), "'$(x)`y`\"\\\n'");
    EXPECT_EQ(common::shell_word(""), "''");
}

TEST(Firmware, FilesInTheMonitorsList) {
    EXPECT_THAT(
        parse_roms("QEMU 7.2.22 monitor - type 'help' for more information\r\n"
                   "(qemu) i\x1b[K\x1b[Dinfo roms\x1b[K\r\n"
                   "fw=genroms/kvmvapic.bin size=0x002400 name=\"kvmvapic.bin\"\r\n"
                   "addr=00000000fffc0000 size=0x040000 mem=rom name=\"bios-256k.bin\"\r\n"
                   "/rom@etc/acpi/tables size=0x200000 name=\"etc/acpi/tables\"\r\n"
                   "(qemu) quit\r\n"),
        ElementsAre("bios-256k.bin", "kvmvapic.bin"));
    for (const std::string text : {"", "\n", " name=", " name=\"", " name=\"\"", " name=\"x", "name=\"x\""}) {
        EXPECT_THAT(parse_roms(text), IsEmpty()) << text;
    }
}

TEST(Firmware, DirectoriesAreAbsolute) {
    EXPECT_THAT(
        parse_directories("/usr/bin/../share/qemu\n/usr/bin/../share/seabios\r\nwarning: x\n\n"),
        ElementsAre("/usr/bin/../share/qemu", "/usr/bin/../share/seabios"));
}

}  // namespace
}  // namespace bootbudget::boot
