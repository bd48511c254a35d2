// SPDX-License-Identifier: GPL-2.0-or-later
// What users get wrong, seen from outside: a sentence on standard error that names the thing and the next step, the designed exit status, nothing booted,
// nothing left.
#include "support/command_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

namespace bootbudget::test {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;

const fs::path KERNELS = fs::path(BOOTBUDGET_FIXTURES) / "kernels";
const fs::path DISTRO = fs::path(BOOTBUDGET_FIXTURES) / "distro";
const char * const DEMO = BOOTBUDGET_SOURCE_DIR "/policies/demo.yaml";

class BadInput : public testing::Test {
protected:
    BadInput() { fs::create_directory(work_); }

    Finished check(
        const std::string & where,
        const std::vector<std::string> & prefix = {},
        const std::string & command = BOOTBUDGET_COMMAND) {
        const auto finished = run_command(
            scratch_,
            {"check", where, "-p", policy_, "-o", (scratch_.path() / "out").string(), "--work-dir", work_.string()},
            prefix,
            command);
        EXPECT_FALSE(fs::exists(scratch_.path() / "out"));
        EXPECT_THAT(finished.out, IsEmpty());
        return finished;
    }

    void link_all(const fs::path & from) {
        fs::create_directories(scratch_.path() / "rpms");
        for (const auto & entry : fs::recursive_directory_iterator(from)) {
            if (entry.path().extension() == ".rpm") {
                fs::create_symlink(entry.path(), scratch_.path() / "rpms" / entry.path().filename());
            }
        }
    }

    Scratch scratch_;
    fs::path work_ = scratch_.path() / "work";
    std::string policy_ = DEMO;
};

TEST_F(BadInput, NoSuchDirectory) {
    const auto run = check("/nonexistent/rpms");
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.err, HasSubstr("/nonexistent/rpms"));
}

TEST_F(BadInput, NoPackages) {
    fs::create_directory(scratch_.path() / "empty");
    const auto run = check((scratch_.path() / "empty").string());
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.err, HasSubstr((scratch_.path() / "empty").string()));
}

TEST_F(BadInput, TwoBuilds) {
    link_all(KERNELS);
    link_all(DISTRO);
    const auto run = check((scratch_.path() / "rpms").string());
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.err, AllOf(HasSubstr("2 builds"), HasSubstr("kernel-6.1.192-1")));
}

TEST_F(BadInput, PackageCutInHalf) {
    link_all(KERNELS);
    fs::path victim;
    for (const auto & entry : fs::directory_iterator(scratch_.path() / "rpms")) {
        if (entry.path().filename().string().rfind("kernel-core-", 0) == 0) {
            victim = entry.path();
        }
    }
    ASSERT_FALSE(victim.empty());
    const auto whole = slurp(victim);
    fs::remove(victim);
    scratch_.write("rpms/" + victim.filename().string(), whole.substr(0, whole.size() / 2));
    const auto run = check((scratch_.path() / "rpms").string());
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.err, HasSubstr(victim.filename().string()));
    EXPECT_THAT(names_in(work_), IsEmpty());
}

TEST_F(BadInput, ImageThatIsNoKernel) {
    const auto modules = scratch_.path() / "tree" / "lib" / "modules" / "6.1.0-1.x86_64";
    fs::create_directories(modules);
    scratch_.write("tree/lib/modules/6.1.0-1.x86_64/vmlinuz", "#!/bin/sh\necho not a kernel\n");
    scratch_.write("tree/lib/modules/6.1.0-1.x86_64/config", "CONFIG_64BIT=y\n");
    const auto run = check("tree:" + (scratch_.path() / "tree").string());
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.err, AllOf(HasSubstr("vmlinuz"), HasSubstr("kernel")));
}

TEST_F(BadInput, TenMistakesAtOnce) {
    policy_ = scratch_
                  .write("ten.yaml", R"(schema: bootbudget-policy/1
boot: {timeout: 10, stall: never, memory: 12parsecs}
sampling: {warmup: -1, runs: {min: 5, max: 3}, confidence: 200%}
variants:
  - {name: debug, kind: slow, flavour: base}
  - {name: debug, kind: debug}
budgets:
  - {name: a, variant: nobody, metric: launch, limit: 60s, on_exceed: fail}
  - {name: b, variant: debug, metric: speed, limit: 60s, on_exceed: explode}
colour: blue
)")
                  .string();
    const auto run = check(KERNELS.string());
    EXPECT_EQ(run.status, 2);
    EXPECT_GE(std::count(run.err.begin(), run.err.end(), '\n'), 10) << run.err;
    EXPECT_THAT(run.err, AllOf(HasSubstr("ten.yaml:2:"), HasSubstr("ten.yaml:3:"), HasSubstr("ten.yaml:10:")));
    const auto alone = run_command(scratch_, {"policy", "check", policy_});
    EXPECT_EQ(alone.status, 2);
    EXPECT_GE(std::count(alone.out.begin(), alone.out.end(), '\n'), 10) << alone.out;
}

TEST_F(BadInput, NoSpaceLeft) {
    if (::geteuid() != 0) {
        GTEST_SKIP() << "mounting a small file system needs root";
    }
    ASSERT_EQ(::mount("none", work_.c_str(), "tmpfs", 0, "size=4m"), 0);
    const auto run = check(KERNELS.string());
    const auto left = names_in(work_);
    EXPECT_EQ(::umount(work_.c_str()), 0);
    EXPECT_EQ(run.status, 3);
    EXPECT_THAT(run.err, AllOf(HasSubstr("No space left"), HasSubstr("--work-dir")));
    EXPECT_THAT(left, IsEmpty());
}

TEST_F(BadInput, WorkDirectoryNotWritable) {
    std::vector<std::string> as_nobody;
    if (::geteuid() == 0) {  // root writes everywhere, nobody does not
        as_nobody = {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"};
    } else {
        fs::permissions(work_, fs::perms(0555));
    }
    fs::permissions(scratch_.path(), fs::perms(0777));
    // Nobody may not be able to enter the build directory, below somebody's home.
    fs::copy_file(BOOTBUDGET_COMMAND, scratch_.path() / "bootbudget");
    policy_ = scratch_.write("policy.yaml", slurp(DEMO)).string();
    const auto run = check(KERNELS.string(), as_nobody, (scratch_.path() / "bootbudget").string());
    EXPECT_EQ(run.status, 3) << run.err;
    EXPECT_THAT(run.err, AllOf(HasSubstr(work_.string()), HasSubstr("--work-dir")));
}

TEST_F(BadInput, WorkDirectoryThatTheBootsCannotEnter) {
    if (::geteuid() != 0) {
        GTEST_SKIP() << "only root boots as somebody else";
    }
    fs::permissions(scratch_.path(), fs::perms(0700));
    const auto run = check(KERNELS.string());
    EXPECT_EQ(run.status, 3);
    EXPECT_THAT(run.err, AllOf(HasSubstr("nobody"), HasSubstr(work_.string()), HasSubstr("--work-dir")));
}

TEST_F(BadInput, IncompleteKernelIsAnErrorAlsoWhereItIsNotRequired) {
    link_all(KERNELS);
    std::vector<fs::path> left_out;
    for (const auto & entry : fs::directory_iterator(scratch_.path() / "rpms")) {
        const auto name = entry.path().filename().string();
        if (name.rfind("kernel-debug-core-", 0) != 0) {
            left_out.push_back(entry.path());
        }
    }
    for (const auto & path : left_out) {
        fs::remove(path);
    }
    const auto run = run_command(
        scratch_,
        {"check",
         (scratch_.path() / "rpms").string(),
         "-p",
         BOOTBUDGET_SOURCE_DIR "/policies/developer.yaml",
         "-o",
         (scratch_.path() / "out").string(),
         "--work-dir",
         work_.string()});
    EXPECT_EQ(run.status, 3) << run.err << run.out;
    EXPECT_THAT(run.out, AllOf(HasSubstr("debug kernel"), HasSubstr("kernel-debug-modules-core-uname-r")));
}

TEST_F(BadInput, WorkDirectoryWithAComma) {
    work_ = scratch_.path() / "a, b";
    fs::create_directory(work_);
    const auto run = check(KERNELS.string());
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.err, AllOf(HasSubstr("comma"), HasSubstr("--work-dir")));
}

TEST_F(BadInput, OutputThatIsSomethingElse) {
    fs::create_directory(scratch_.path() / "precious");
    scratch_.write("precious/letter", "dear");
    const auto run = run_command(
        scratch_,
        {"check",
         KERNELS.string(),
         "-p",
         DEMO,
         "-o",
         (scratch_.path() / "precious").string(),
         "--work-dir",
         work_.string()});
    EXPECT_EQ(run.status, 2);
    EXPECT_EQ(slurp(scratch_.path() / "precious" / "letter"), "dear");
}

TEST_F(BadInput, WrongUsage) {
    EXPECT_EQ(run_command(scratch_, {}).status, 2);
    EXPECT_EQ(run_command(scratch_, {"chekc"}).status, 2);
    EXPECT_EQ(run_command(scratch_, {"check"}).status, 2);
    EXPECT_EQ(run_command(scratch_, {"--help"}).status, 0);
    const auto unknown = run_command(scratch_, {"policy", "check", "no-such-policy"});
    EXPECT_EQ(unknown.status, 2);
    EXPECT_THAT(unknown.err, AllOf(HasSubstr("no-such-policy"), HasSubstr("demo")));
}

}  // namespace
}  // namespace bootbudget::test
