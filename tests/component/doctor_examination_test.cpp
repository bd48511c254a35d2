// SPDX-License-Identifier: GPL-2.0-or-later
// The real machine: whoever runs the component tests has installed what the project needs, so nothing may be reported missing.
#include "doctor/doctor.hpp"
#include "doctor/machine.hpp"

#include "common/temporary_directory.hpp"

#include <gmock/gmock.h>

#include <unistd.h>

namespace bootbudget::doctor {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

TEST(DoctorExamination, ThisMachineHasWhatItsProgramsSay) {
    const Machine machine = look("/var/tmp", "", {});
    ASSERT_THAT(machine.qemu, Not(IsEmpty())) << "QEMU is not installed";
    EXPECT_THAT(machine.programs.at(machine.qemu).version, HasSubstr("."));
    EXPECT_TRUE(machine.has_tcg);
    for (const auto & [name, program] : machine.programs) {
        EXPECT_THAT(program.version, Not(IsEmpty())) << name;
        EXPECT_EQ(::access(program.path.c_str(), X_OK), 0) << name;
    }
    EXPECT_TRUE(machine.depmod_compressions.contains("XZ"));
    EXPECT_THAT(machine.module_directories, Not(IsEmpty()));
    EXPECT_TRUE(machine.headers.at("libelf.h"));
    EXPECT_GT(machine.work.free_bytes, 0U);
    EXPECT_TRUE(machine.work.reachable);
    EXPECT_THAT(machine.account_mistake, IsEmpty());
}

TEST(DoctorExamination, NothingIsMissingHere) {
    const auto examinations = examine("/var/tmp", "", {});
    for (const Examination & examination : examinations) {
        EXPECT_NE(examination.health, Health::MISSING)
            << examination.task << ": " << examination.what << ": " << examination.found << "\n"
            << examination.remedy;
    }
    EXPECT_EQ(exit_status(examinations), 0);
    EXPECT_THAT(to_text(examinations, false), HasSubstr("bootbudget check can run here"));
}

TEST(DoctorExamination, WorkDirectoryThatTheBootsCannotReach) {
    if (::geteuid() != 0) {
        GTEST_SKIP() << "needs root: only then do the boots run as another account";
    }
    const common::TemporaryDirectory base(std::filesystem::temp_directory_path());
    const auto closed = base.path() / "closed";
    std::filesystem::create_directory(closed);
    std::filesystem::permissions(closed, std::filesystem::perms::owner_all);
    EXPECT_FALSE(look(closed, "", {}).work.reachable);
    std::filesystem::permissions(closed, std::filesystem::perms::owner_all | std::filesystem::perms::others_exec);
    EXPECT_TRUE(look(closed, "", {}).work.reachable);
}

TEST(DoctorExamination, WhatIsNotThereIsAResultAndNoException) {
    const Machine machine = look("/nowhere/at/all", "no-such-account", {});
    EXPECT_FALSE(machine.work.exists);
    EXPECT_THAT(machine.account_mistake, HasSubstr("no-such-account"));
    EXPECT_EQ(exit_status(examine("/nowhere/at/all", "no-such-account", {})), 3);
}

}  // namespace
}  // namespace bootbudget::doctor
