// SPDX-License-Identifier: GPL-2.0-or-later
// What the test tool is given, and what makes two environments one.
#include "boot/boot.hpp"
#include "boot/leftovers.hpp"
#include "boot/option.hpp"
#include "boot/test_tool.hpp"
#include "support/recorded_log.hpp"

#include <bootbudget/error.hpp>

#include <gmock/gmock.h>
#include <stdlib.h>

namespace bootbudget::boot {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using ::testing::Pair;

Bootable bootable() {
    Bootable bootable;
    bootable.tree.release = "6.17.4-300.fc43.x86_64+debug";
    bootable.tree.image = "/w/tree/lib/modules/6.17.4-300.fc43.x86_64+debug/vmlinuz";
    bootable.tree.modules = "/w/tree/lib/modules/6.17.4-300.fc43.x86_64+debug";
    bootable.cache = "/w/cache";
    bootable.temporary = "/w/tmp";
    bootable.home = "/w/home";
    return bootable;
}

TEST(BootEnvironment, NamesTheKernelThreeTimesAndForcesTcg) {
    EXPECT_THAT(
        boot_environment(bootable(), {}),
        IsSupersetOf({
            Pair("SUPERMIN_KERNEL", "/w/tree/lib/modules/6.17.4-300.fc43.x86_64+debug/vmlinuz"),
            Pair("SUPERMIN_KERNEL_VERSION", "6.17.4-300.fc43.x86_64+debug"),
            Pair("SUPERMIN_MODULES", "/w/tree/lib/modules/6.17.4-300.fc43.x86_64+debug"),
            Pair("LIBGUESTFS_BACKEND", "direct"),
            Pair("LIBGUESTFS_BACKEND_SETTINGS", "force_tcg"),
            Pair("LIBGUESTFS_CACHEDIR", "/w/cache"),
            Pair("LIBGUESTFS_TMPDIR", "/w/tmp"),
            Pair("TMPDIR", "/w/tmp"),
            Pair("XDG_RUNTIME_DIR", "/w/tmp"),
            Pair("HOME", "/w/home"),
            Pair("LIBGUESTFS_MEMSIZE", "1280"),
            Pair("LC_ALL", "C.UTF-8"),
        }));
}

TEST(BootEnvironment, TakesNothingFromTheCaller) {
    ::setenv("LIBGUESTFS_HV", "/evil", 1);
    ::setenv("LIBGUESTFS_APPEND", "evil", 1);
    ::setenv("LD_PRELOAD", "", 1);
    const auto environment = boot_environment(bootable(), {});
    for (const auto * name : {"LIBGUESTFS_HV", "LIBGUESTFS_APPEND"}) {
        EXPECT_FALSE(environment.contains(name)) << name;
        ::unsetenv(name);
    }
    EXPECT_FALSE(environment.contains("LD_PRELOAD"));
    ::unsetenv("LD_PRELOAD");
}

TEST(BootEnvironment, AGivenQemuIsTheOneThatRuns) {
    EXPECT_FALSE(boot_environment(bootable(), {}).contains("LIBGUESTFS_HV"));
    Settings settings;
    settings.qemu = "/opt/qemu/bin/qemu-system-x86_64";
    EXPECT_EQ(boot_environment(bootable(), settings).at("LIBGUESTFS_HV"), "/opt/qemu/bin/qemu-system-x86_64");
}

TEST(BootEnvironment, AppendsOnlyWhatIsAsked) {
    Settings settings;
    settings.append = "nokaslr";
    settings.memory_bytes = std::uint64_t{2} << 30U;
    const auto environment = boot_environment(bootable(), settings);
    EXPECT_EQ(environment.at("LIBGUESTFS_APPEND"), "nokaslr");
    EXPECT_EQ(environment.at("LIBGUESTFS_MEMSIZE"), "2048");
}

// With a longer base libguestfs's socket has no room in sun_path and the launch fails.
TEST(BootEnvironment, ALongDirectoryIsNotForSockets) {
    auto with_long_directory = bootable();
    with_long_directory.temporary = "/" + std::string(75, 'x');
    EXPECT_TRUE(boot_environment(with_long_directory, {}).contains("XDG_RUNTIME_DIR"));
    with_long_directory.temporary = "/" + std::string(76, 'x');
    EXPECT_FALSE(boot_environment(with_long_directory, {}).contains("XDG_RUNTIME_DIR"));
}

TEST(TestTool, IsNamedWithTheCommandThatInstallsIt) {
    try {
        find_test_tool("/nonexistent:/dev/null");
        FAIL();
    } catch (const SystemError & error) {
        EXPECT_THAT(error.what(), AllOf(HasSubstr("libguestfs-test-tool is not installed"), HasSubstr("apt install")));
    }
}

TEST(Leftovers, OnlyLibguestfsOwnDirectoryIsTakenForTheSockets) {
    EXPECT_EQ(
        socket_directory("q -chardev socket,path=/tmp/libguestfsZS7LXV/guestfsd.sock,id=channel0"),
        "/tmp/libguestfsZS7LXV");
    for (const auto * command :
         {"q -chardev socket,path=/tmp/guestfsd.sock",
          "q -chardev socket,path=/home/x/guestfsd.sock",
          "q -chardev socket,path=libguestfsZS7LXV/guestfsd.sock",
          "q -chardev socket,path=/tmp/libguestfs../../guestfsd.sock",
          "/guestfsd.sock socket,path=/tmp/libguestfsZS7LXV",
          "",
          "q"}) {
        EXPECT_EQ(socket_directory(command), "") << command;
    }
}

TEST(Option, WordsKeepQuotedBlanks) {
    EXPECT_THAT(words_of(" a  dyndbg=\"func x +p\" b"), ElementsAre("a", "dyndbg=\"func x +p\"", "b"));
    EXPECT_EQ(option_of("q -m 1280 -device a -device b", "-device"), "a b");
    EXPECT_EQ(option_of("q -m", "-m"), "");
}

class Fingerprint : public ::testing::Test {
protected:
    static Sample sample_from(const std::string & log) {
        const auto reading = read_console(test::timed(test::text_of(test::recorded_log(log))));
        Sample sample;
        sample.qemu_command = reading.qemu_command;
        sample.guest_command_line = reading.guest_command_line;
        return sample;
    }

    Environment environment;
};

TEST_F(Fingerprint, IsTheSameForAnotherKernelInTheSameEnvironment) {
    // another root UUID, another console line lost
    EXPECT_EQ(
        fingerprint(environment, sample_from("mini-6.1-nodebug.log"), "a"),
        fingerprint(environment, sample_from("mini-6.1-debug.log"), "a"));
    EXPECT_EQ(
        fingerprint(environment, sample_from("newer-1.60-mini-nodebug.log"), "a"),
        fingerprint(environment, sample_from("newer-1.60-mini-debug.log"), "a"));
    auto without_lpj = sample_from("mini-6.1-nodebug.log");
    const auto lpj = without_lpj.guest_command_line.find("lpj=10384552 ");
    ASSERT_NE(lpj, std::string::npos);
    without_lpj.guest_command_line.erase(lpj, 13);
    // without it the guest measures its processor itself, which takes instructions; which number it is does not matter
    EXPECT_NE(
        fingerprint(environment, without_lpj, "a"), fingerprint(environment, sample_from("mini-6.1-debug.log"), "a"));
    auto another_lpj = sample_from("mini-6.1-nodebug.log");
    another_lpj.guest_command_line.replace(lpj, 12, "lpj=77");
    EXPECT_EQ(
        fingerprint(environment, another_lpj, "a"), fingerprint(environment, sample_from("mini-6.1-debug.log"), "a"));
}

TEST_F(Fingerprint, IsTheSameForTimedAndCountedBoots) {
    const auto timed = sample_from("mini-6.1-nodebug.log");
    auto counted = timed;
    counted.qemu_command += " -icount shift=0,sleep=on -plugin /t/c.so,page=/t/page";
    EXPECT_EQ(fingerprint(environment, counted, "a"), fingerprint(environment, timed, "a"));
}

TEST_F(Fingerprint, DiffersWhereTheEnvironmentDoes) {
    const auto sample = sample_from("mini-6.1-nodebug.log");
    const auto base = fingerprint(environment, sample, "a");
    EXPECT_EQ(base.size(), 64U);
    EXPECT_NE(fingerprint(environment, sample, "b"), base);
    EXPECT_NE(fingerprint(environment, sample_from("newer-1.60-mini-nodebug.log"), "a"), base);

    auto other = environment;
    other.qemu = "QEMU emulator version 11.1.3";
    EXPECT_NE(fingerprint(other, sample, "a"), base);
    other = environment;
    other.libguestfs = "libguestfs-test-tool 1.60.0";
    EXPECT_NE(fingerprint(other, sample, "a"), base);
    other = environment;
    other.supermin = "supermin 5.3.5";
    EXPECT_NE(fingerprint(other, sample, "a"), base);
    other = environment;
    other.host["firmware"] = "another";
    EXPECT_NE(fingerprint(other, sample, "a"), base);
    other = environment;
    other.host["kernel"] = "6.18";  // the host's kernel moves seconds, not the guest
    EXPECT_EQ(fingerprint(other, sample, "a"), base);

    auto changed = sample;
    changed.guest_command_line += " audit=0";
    EXPECT_NE(fingerprint(environment, changed, "a"), base);
    changed = sample;
    changed.qemu_command.replace(changed.qemu_command.find("-m 1280"), 7, "-m 2048");
    EXPECT_NE(fingerprint(environment, changed, "a"), base);
}

}  // namespace
}  // namespace bootbudget::boot
