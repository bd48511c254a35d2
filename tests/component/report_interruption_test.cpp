// SPDX-License-Identifier: GPL-2.0-or-later
// A report directory is whole at every moment: a process that replaces it over and over is killed at random, and what is there afterwards is one
// complete report, the old one or the new one.
#include "common/file.hpp"
#include "report/output_directory.hpp"
#include "report/writers.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <random>
#include <string>
#include <thread>

namespace bootbudget::report {
namespace {

namespace fs = std::filesystem;

Report numbered(int number) {
    Report report;
    report.tool_version = "0";
    report.started = report.finished = "2026-11-30T12:00:00Z";
    report.notes.assign(
        2000, std::to_string(number));  // large enough to be caught half-written, were it written in place
    return report;
}

[[noreturn]] void replace_for_ever(const fs::path & output) {
    for (int i = 0;; ++i) {
        OutputDirectory directory(output);
        directory.commit(numbered(i));
    }
}

TEST(ReportInterruption, WhatIsThereIsWhole) {
    std::string name = (fs::temp_directory_path() / "bootbudget-test-XXXXXX").string();
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    const fs::path output = fs::path(name) / "out";
    {
        OutputDirectory first(output);
        first.commit(numbered(-1));
    }
    const auto seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> microseconds(100, 60000);
    int replaced = 0;
    for (int i = 0; i < 40; ++i) {
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            replace_for_ever(output);
        }
        std::this_thread::sleep_for(std::chrono::microseconds(microseconds(random)));
        ::kill(child, SIGKILL);
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        ASSERT_TRUE(WIFSIGNALED(status)) << "the child ended by itself";
        const auto json = common::read_file(output / "report.json", std::size_t{16} << 20U);
        const auto report = from_json(json, "report.json");
        EXPECT_EQ(report.notes.size(), 2000U);
        EXPECT_EQ(to_json(report), json);
        EXPECT_TRUE(fs::exists(output / "report.txt"));
        EXPECT_TRUE(fs::exists(output / "junit.xml"));
        EXPECT_TRUE(fs::is_directory(output / "logs"));
        replaced += report.notes.front() != "-1" ? 1 : 0;
    }
    EXPECT_GT(replaced, 0) << "no child was given the time to replace anything";
    fs::remove_all(name);
}

}  // namespace
}  // namespace bootbudget::report
