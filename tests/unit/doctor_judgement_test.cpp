// SPDX-License-Identifier: GPL-2.0-or-later
#include "doctor/judgement.hpp"

#include "boot/icount.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <array>

namespace bootbudget::doctor {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr std::uint64_t GIB = std::uint64_t{1} << 30U;

/// A machine on which nothing is missing.
Machine healthy() {
    Machine machine;
    machine.arch = "x86_64";
    machine.distribution = {Family::DEBIAN, "Debian GNU/Linux 12 (bookworm)"};
    for (const char * name :
         {"libguestfs-test-tool",
          "supermin",
          "depmod",
          "rpmbuild",
          "gcc",
          "ld",
          "make",
          "flex",
          "bison",
          "bc",
          "perl",
          "cpio",
          "tar",
          "xz",
          "zstd",
          "openssl",
          "ccache",
          "qemu-system-x86_64"}) {
        machine.programs[name] = {std::string("/usr/bin/") + name, "1.2.3"};
    }
    machine.qemu = "qemu-system-x86_64";
    machine.has_tcg = true;
    machine.counter.counting = boot::Counting{"/usr/lib/bootbudget/x.so", "/usr/bin/qemu-system-x86_64", 1, 1, false};
    machine.appliance = "/usr/lib/x86_64-linux-gnu/guestfs/supermin.d";
    machine.depmod_compressions = {"XZ", "ZSTD"};
    machine.host_kernels = {{"/boot/vmlinuz-1", false}, {"/boot/vmlinuz-2", true}};
    machine.module_directories = {"6.1.0"};
    machine.headers = {{"libelf.h", true}, {"openssl/evp.h", true}};
    machine.work = {"/var/tmp", true, true, true, true, 20 * GIB};
    machine.available_memory = 4 * GIB;
    machine.account = "nobody";
    return machine;
}

Examination find(const Machine & machine, const std::string & task, const std::string & what) {
    for (const Examination & examination : judge(machine)) {
        if (examination.task == task && examination.what == what) {
            return examination;
        }
    }
    ADD_FAILURE() << "no examination of " << what << " for " << task;
    return {};
}

TEST(DoctorJudgement, NothingIsMissingOnAHealthyMachine) {
    const auto examinations = judge(healthy());
    for (const Examination & examination : examinations) {
        EXPECT_EQ(examination.health, Health::OK) << examination.what << ": " << examination.found;
        EXPECT_THAT(examination.remedy, IsEmpty()) << examination.what;
        EXPECT_THAT(examination.found, Not(IsEmpty())) << examination.what;
    }
    EXPECT_EQ(exit_status(examinations), 0);
    EXPECT_THAT(find(healthy(), "check", "qemu-system-x86_64").found, HasSubstr("KVM is never used"));
}

TEST(DoctorJudgement, AnEmptyMachineLacksEverythingWithARemedyEach) {
    Machine machine;
    machine.arch = "x86_64";
    machine.distribution.family = Family::FEDORA;
    machine.work.path = "/nowhere";
    machine.account_mistake = "There is no account \"x\".";
    int missing = 0;
    const auto examinations = judge(machine);
    for (const Examination & examination : examinations) {
        EXPECT_NE(examination.health, Health::OK) << examination.what;
        EXPECT_THAT(examination.remedy, Not(IsEmpty())) << examination.what;
        missing += examination.health == Health::MISSING ? 1 : 0;
    }
    EXPECT_GE(missing, 20);
    EXPECT_EQ(exit_status(examinations), 3);
}

TEST(DoctorJudgement, EveryMissingProgramIsNamedWithItsPackage) {
    const std::vector<std::array<std::string, 4>> table = {
        {"check",
         "libguestfs-test-tool",
         "apt-get install libguestfs-tools",
         "dnf install /usr/bin/libguestfs-test-tool"},
        {"check", "supermin", "apt-get install supermin", "dnf install /usr/bin/supermin"},
        {"check", "depmod", "apt-get install kmod", "dnf install kmod"},
        {"build", "rpmbuild", "apt-get install rpm", "dnf install rpm-build"},
        {"build", "gcc", "apt-get install gcc", "dnf install gcc"},
        {"build", "xz", "apt-get install xz-utils", "dnf install xz"},
        {"build", "perl", "apt-get install perl", "dnf install perl-interpreter"}};
    for (const auto & [task, name, debian, fedora] : table) {
        Machine machine = healthy();
        machine.programs.erase(name);
        EXPECT_EQ(find(machine, task, name).health, Health::MISSING) << name;
        EXPECT_EQ(find(machine, task, name).remedy, debian);
        machine.distribution.family = Family::FEDORA;
        EXPECT_EQ(find(machine, task, name).remedy, fedora);
        EXPECT_EQ(exit_status(judge(machine)), task == "check" ? 3 : 0) << name;
        machine.distribution.family = Family::OTHER;
        EXPECT_THAT(find(machine, task, name).remedy, AllOf(HasSubstr(debian), HasSubstr(fedora)));
    }
}

TEST(DoctorJudgement, EmulatorOfEachArchitecture) {
    const std::vector<std::array<std::string, 3>> table = {
        {"x86_64", "qemu-system-x86_64", "qemu-system-x86"},
        {"aarch64", "qemu-system-aarch64", "qemu-system-arm"},
        {"ppc64le", "qemu-system-ppc64", "qemu-system-ppc"},
        {"s390x", "qemu-system-s390x", "qemu-system-misc"}};
    for (const auto & [arch, name, package] : table) {
        Machine machine = healthy();
        machine.arch = arch;
        machine.qemu.clear();
        EXPECT_EQ(find(machine, "check", name).health, Health::MISSING);
        EXPECT_EQ(find(machine, "check", name).remedy, "apt-get install " + package);
    }
    Machine machine = healthy();
    machine.has_tcg = false;
    EXPECT_EQ(find(machine, "check", "qemu-system-x86_64").health, Health::MISSING);
    EXPECT_THAT(find(machine, "check", "qemu-system-x86_64").found, HasSubstr("has no TCG"));
}

TEST(DoctorJudgement, CountingIsAWarningAtMostAndSaysWhatMendsIt) {
    const std::string what = "counting guest instructions";
    Machine machine = healthy();
    EXPECT_EQ(
        find(machine, "check", what).found,
        "QEMU plugin API 1, counts at the kernel's own functions, elsewhere as lines arrive, -icount shift=" +
            std::to_string(boot::ICOUNT_SHIFT) + ",sleep=on");
    machine.counter.counting.reset();
    machine.counter.unavailable = "the reason";
    const std::vector<std::pair<boot::CounterObstacle, std::string>> table = {
        {boot::CounterObstacle::NO_COUNTER, "dnf install bootbudget-qemu-plugin"},
        {boot::CounterObstacle::NO_PLUGINS, "--enable-plugins"},
        {boot::CounterObstacle::UNKNOWN_API, "update bootbudget"},
        {boot::CounterObstacle::NO_QEMU, "dnf install qemu-system-x86-core"}};
    machine.distribution.family = Family::FEDORA;
    for (const auto & [obstacle, remedy] : table) {
        machine.counter.obstacle = obstacle;
        const auto examination = find(machine, "check", what);
        EXPECT_EQ(examination.health, Health::WARNING);
        EXPECT_THAT(examination.found, HasSubstr("unavailable: the reason"));
        EXPECT_THAT(examination.remedy, HasSubstr(remedy));
    }
    EXPECT_EQ(exit_status(judge(machine)), 0);
}

TEST(DoctorJudgement, UnreadableHostKernelIsOnlyAWarning) {
    Machine machine = healthy();
    machine.host_kernels = {{"/boot/vmlinuz-1", false}};
    EXPECT_EQ(find(machine, "check", "host kernel").health, Health::WARNING);
    EXPECT_EQ(find(machine, "check", "host kernel").remedy, "chmod a+r /boot/vmlinuz-1");
    machine.host_kernels.clear();
    EXPECT_EQ(find(machine, "check", "host kernel").health, Health::WARNING);
    EXPECT_EQ(exit_status(judge(machine)), 0);
    machine.module_directories.clear();
    EXPECT_EQ(find(machine, "check", "/lib/modules").health, Health::MISSING);
    EXPECT_EQ(find(machine, "check", "/lib/modules").remedy, "apt-get install linux-image-amd64");
}

TEST(DoctorJudgement, HostKernelsAreNotJudgedForAnAccountThatIsNone) {
    Machine machine = healthy();
    machine.account_mistake = "There is no account \"x\".";
    machine.host_kernels = {{"/boot/vmlinuz-1", false}};
    for (const Examination & examination : judge(machine)) {
        EXPECT_NE(examination.what, "host kernel") << examination.found;
    }
    EXPECT_EQ(exit_status(judge(machine)), 3);
}

TEST(DoctorJudgement, WorkDirectoryThatIsNotThere) {
    Machine machine = healthy();
    machine.work = {"/nope", false, false, false, true, 0, false};
    EXPECT_EQ(find(machine, "check", "work directory").health, Health::MISSING);
    EXPECT_EQ(find(machine, "check", "work directory").found, "/nope does not exist");
    EXPECT_EQ(find(machine, "check", "work directory").remedy, "mkdir -p /nope, or choose another with --work-dir");
    machine.work.path = "/it's here";
    EXPECT_EQ(
        find(machine, "check", "work directory").remedy,
        R"(mkdir -p '/it'\''s here', or choose another with --work-dir)");
    machine.work.is_file = true;
    EXPECT_EQ(find(machine, "check", "work directory").found, "/it's here is not a directory");
    EXPECT_EQ(find(machine, "check", "work directory").remedy, "choose another with --work-dir");
}

TEST(DoctorJudgement, CompressionsOfDepmod) {
    Machine machine = healthy();
    machine.depmod_compressions = {"XZ"};
    EXPECT_EQ(find(machine, "check", "depmod's compressions").health, Health::WARNING);
    machine.depmod_compressions = {"ZSTD", "ZLIB"};
    EXPECT_EQ(find(machine, "check", "depmod's compressions").health, Health::MISSING);
    EXPECT_THAT(find(machine, "check", "depmod's compressions").found, HasSubstr("XZ is needed"));
}

TEST(DoctorJudgement, SpaceMemoryAndTheWorkDirectory) {
    Machine machine = healthy();
    machine.work.free_bytes = 2 * GIB - 1;
    EXPECT_EQ(find(machine, "check", "free space").health, Health::WARNING);
    machine.work.free_bytes = GIB - 1;
    EXPECT_EQ(find(machine, "check", "free space").health, Health::MISSING);
    machine.work.free_bytes = 2 * GIB;
    EXPECT_EQ(find(machine, "check", "free space").health, Health::OK);
    EXPECT_EQ(find(machine, "build", "free space").health, Health::WARNING);

    machine = healthy();
    machine.available_memory = 2 * GIB - 1;
    EXPECT_EQ(find(machine, "check", "memory").health, Health::WARNING);

    machine = healthy();
    machine.work.executable = false;
    EXPECT_EQ(find(machine, "build", "work directory").health, Health::WARNING);
    machine.work.writable = false;
    EXPECT_EQ(find(machine, "check", "work directory").health, Health::MISSING);
    machine.work.exists = false;
    EXPECT_EQ(find(machine, "check", "work directory").remedy, "mkdir -p /var/tmp, or choose another with --work-dir");
}

TEST(DoctorJudgement, AccountThatCannotBeUsed) {
    Machine machine = healthy();
    machine.work.reachable = false;
    EXPECT_EQ(find(machine, "check", "account for the boots").health, Health::MISSING);
    EXPECT_THAT(find(machine, "check", "account for the boots").found, HasSubstr("nobody cannot enter /var/tmp"));
    machine.account_mistake = "There is no account \"x\".";
    EXPECT_EQ(find(machine, "check", "account for the boots").found, machine.account_mistake);
}

TEST(DoctorJudgement, HeadersAreNotKnownWithoutACompiler) {
    Machine machine = healthy();
    machine.headers["libelf.h"] = false;
    EXPECT_EQ(find(machine, "build", "libelf's headers").remedy, "apt-get install libelf-dev");
    machine.headers.clear();
    EXPECT_EQ(find(machine, "build", "OpenSSL's headers").health, Health::MISSING);
    EXPECT_THAT(find(machine, "build", "OpenSSL's headers").found, HasSubstr("without gcc"));
}

TEST(DoctorText, MarksRemediesAndConclusionsLineUp) {
    const std::vector<Examination> examinations = {
        {"check", "supermin", Health::OK, "5.2.2", ""},
        {"check", "memory", Health::WARNING, "1 GiB", "free some"},
        {"build", "gcc", Health::MISSING, "not \x1b found", "apt-get install gcc"}};
    EXPECT_EQ(
        to_text(examinations, false),
        "check\n"
        "  ✓ supermin  5.2.2\n"
        "  ! memory    1 GiB\n"
        "              → free some\n"
        "\n"
        "build\n"
        "  ✗ gcc       not \\x1B found\n"
        "              → apt-get install gcc\n"
        "\n"
        "bootbudget check can run here, 1 warning.\n"
        "bootbudget build cannot run here: 1 thing is missing.\n");
    EXPECT_THAT(to_text(examinations, true), HasSubstr("\033[31m✗\033[0m gcc"));
    EXPECT_THAT(to_text(examinations, false), Not(HasSubstr("\033")));
    EXPECT_EQ(exit_status(examinations), 0);  // it is about check
}

TEST(DoctorText, JsonHasTheSame) {
    const auto document =
        nlohmann::json::parse(to_json({{"check", "gcc", Health::MISSING, "not found \xff", "apt-get install gcc"}}));
    EXPECT_EQ(document.at("schema"), "bootbudget-doctor/1");
    EXPECT_EQ(document.at("exit_status"), 3);
    EXPECT_EQ(document.at("examinations").at(0).at("health"), "missing");
    EXPECT_EQ(document.at("examinations").at(0).at("remedy"), "apt-get install gcc");
}

}  // namespace
}  // namespace bootbudget::doctor
