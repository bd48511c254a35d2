// SPDX-License-Identifier: GPL-2.0-or-later
// The logs here are what the named programs print; the component tests make fresh ones with the installed tools.
#include "variants/engine.hpp"
#include "variants/failure.hpp"

#include <gmock/gmock.h>

namespace bootbudget::variants {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

TEST(VariantsFailure, CompilerErrorAmongParallelJobs) {
    const std::string log =
        "Executing(%build): /bin/sh -e /var/tmp/rpm-tmp.JAoPYu\n"
        "+ make -j2 bzImage\n"
        "  CC      kernel/fork.o\n"
        "  CC      kernel/exec_domain.o\n"
        "kernel/fork.c: In function ‘copy_process’:\n"
        "kernel/fork.c:2031:22: error: ‘undeclared_thing’ undeclared (first use in this function)\n"
        " 2031 |         return undeclared_thing;\n"
        "      |                ^~~~~~~~~~~~~~~~\n"
        "kernel/fork.c:2031:22: note: each undeclared identifier is reported only once for each function it appears "
        "in\n"
        "  CC      mm/filemap.o\n"
        "  AR      arch/x86/lib/built-in.a\n"
        "make[3]: *** [scripts/Makefile.build:250: kernel/fork.o] Error 1\n"
        "  CC      mm/mempool.o\n"
        "make[2]: *** [scripts/Makefile.build:500: kernel] Error 2\n"
        "make[2]: *** Waiting for unfinished jobs....\n"
        "make[1]: *** [/tmp/linux/Makefile:2012: .] Error 2\n"
        "make: *** [Makefile:238: __sub-make] Error 2\n"
        "error: Bad exit status from /var/tmp/rpm-tmp.JAoPYu (%build)\n"
        "\n"
        "RPM build errors:\n"
        "    Bad exit status from /var/tmp/rpm-tmp.JAoPYu (%build)\n";
    EXPECT_THAT(
        failure_lines(log),
        ElementsAre(
            "kernel/fork.c:2031:22: error: ‘undeclared_thing’ undeclared (first use in this function)",
            "make[3]: *** [scripts/Makefile.build:250: kernel/fork.o] Error 1",
            "error: Bad exit status from /var/tmp/rpm-tmp.JAoPYu (%build)"));
}

TEST(VariantsFailure, TwoWritersInOneLine) {
    EXPECT_THAT(
        failure_lines(
            "  CC      lib/string.o  CC  lib/ctype.olib/a.c:3:1: error: expected ‘;’ before ‘}’ token\nmore\n"),
        ElementsAre(HasSubstr("lib/a.c:3:1: error: expected")));
}

TEST(VariantsFailure, LinkerModpostAssemblerAndMake) {
    const std::string log =
        "ld: kernel/fork.o: in function `copy_process':\n"
        "fork.c:(.text+0x1a3): undefined reference to `missing_function'\n"
        "ld.lld: error: undefined symbol: other_function\n"
        "ERROR: modpost: \"nowhere\" [drivers/scsi/virtio_scsi.ko] undefined!\n"
        "arch/x86/entry/entry_64.S:12: Error: no such instruction: `foo bar'\n"
        "make[1]: *** No rule to make target 'absent.o', needed by 'built-in.a'.  Stop.\n"
        "***\n"
        "*** Configuration file \".config\" not found!\n";
    EXPECT_THAT(
        failure_lines(log),
        ElementsAre(
            "fork.c:(.text+0x1a3): undefined reference to `missing_function'",
            "ld.lld: error: undefined symbol: other_function",
            "ERROR: modpost: \"nowhere\" [drivers/scsi/virtio_scsi.ko] undefined!",
            "arch/x86/entry/entry_64.S:12: Error: no such instruction: `foo bar'",
            "make[1]: *** No rule to make target 'absent.o', needed by 'built-in.a'.  Stop.",
            "*** Configuration file \".config\" not found!"));
}

TEST(VariantsFailure, RpmErrorsWithTheirLists) {
    EXPECT_THAT(
        failure_lines("error: Failed build dependencies:\n\tgcc >= 20 is needed by tiny-1-1.x86_64\n\tfoo is needed by "
                      "tiny-1-1.x86_64\n"),
        ElementsAre(
            "error: Failed build dependencies:",
            "gcc >= 20 is needed by tiny-1-1.x86_64",
            "foo is needed by tiny-1-1.x86_64"));
    EXPECT_THAT(
        failure_lines("error: Installed (but unpackaged) file(s) found:\n   /usr/lib/x\n\n\nRPM build errors:\n"
                      "    Installed (but unpackaged) file(s) found:\n   /usr/lib/x\n"),
        ElementsAre("error: Installed (but unpackaged) file(s) found:", "/usr/lib/x"));
}

TEST(VariantsFailure, ErrorsThatAreShownAgainByASpecCountOnce) {
    EXPECT_THAT(
        failure_lines("a.c:1:2: error: first\nok\n1234:a.c:1:2: error: first\n"), ElementsAre("a.c:1:2: error: first"));
}

TEST(VariantsFailure, CommandLinesAndTracesAreNoErrors) {
    const std::string log =
        "+ echo 'error: not one'\n"
        "gcc -Werror -Wno-error=format -c lib/error.o\n"
        "  CC      fs/error.o\n"
        "cp: cannot stat 'vmlinux': No such file or directory\n"
        "error: Bad exit status from /var/tmp/rpm-tmp.x (%install)\n";
    const auto lines = failure_lines(log);
    EXPECT_THAT(lines, Contains("cp: cannot stat 'vmlinux': No such file or directory"));
    EXPECT_EQ(lines.back(), "error: Bad exit status from /var/tmp/rpm-tmp.x (%install)");
}

TEST(VariantsFailure, HarmlessMissingFilesGiveWayToTheRealError) {
    EXPECT_THAT(
        failure_lines("find: 'x': No such file or directory\nb.c:1:1: error: real\n"),
        ElementsAre("b.c:1:1: error: real"));
}

TEST(VariantsFailure, WithoutAnyKnownFormTheLastLinesAreShown) {
    const auto lines = failure_lines(
        "one\n+ run-it\nit went wrong somehow\nerror: Bad exit status from /x (%check)\n\nRPM build errors:\n    Bad "
        "exit status from /x (%check)\n");
    EXPECT_THAT(
        lines, ElementsAre("one", "+ run-it", "it went wrong somehow", "error: Bad exit status from /x (%check)"));
    EXPECT_THAT(failure_lines(""), IsEmpty());
}

TEST(VariantsFailure, FirstErrorsAndTheEndFitIntoTheLimit) {
    std::string log;
    for (int i = 0; i < 1000; ++i) {
        log += "f.c:" + std::to_string(i) + ": error: number " + std::to_string(i) + "\n";
    }
    log += "make: *** [Makefile:1: f.o] Error 1\nerror: Bad exit status from /x (%build)\n";
    const auto lines = failure_lines(log, 5);
    EXPECT_THAT(
        lines,
        ElementsAre(
            "f.c:0: error: number 0",
            "f.c:1: error: number 1",
            "f.c:2: error: number 2",
            "make: *** [Makefile:1: f.o] Error 1",
            "error: Bad exit status from /x (%build)"));
    EXPECT_THAT(failure_lines(log, 1), ElementsAre("f.c:0: error: number 0"));
    EXPECT_THAT(failure_lines(log, 0), IsEmpty());
}

TEST(VariantsFailure, HostileBytesAndLengths) {
    const auto lines = failure_lines(
        "a.c:1: error: \x1b[31m\xff\n" + std::string(1U << 20U, 'x') + ": error: " + std::string(1U << 20U, 'y'));
    ASSERT_THAT(lines, SizeIs(2));
    EXPECT_THAT(lines[0], Not(HasSubstr("\x1b")));
    EXPECT_LT(lines[1].size(), 500U);
}

TEST(VariantsFailure, KnowsWhatTheCallerCanMend) {
    Failure failure;
    failure.add("/tmp/ccX.s: No space left on device");
    EXPECT_TRUE(failure.is_out_of_space());
    EXPECT_FALSE(failure.lacks_dependencies());
    failure.add("error: Failed build dependencies:");
    EXPECT_TRUE(failure.lacks_dependencies());
}

}  // namespace
}  // namespace bootbudget::variants
