// SPDX-License-Identifier: GPL-2.0-or-later
// Instructions as a user meets them: a policy that counts, a second build to compare with, and several counted boots at once.
#include "support/command_run.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <vector>

using bootbudget::test::run_command;
using bootbudget::test::Scratch;
using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;

namespace fs = std::filesystem;

namespace {

const fs::path KERNELS = fs::path(BOOTBUDGET_FIXTURES) / "kernels";

/// The packages of the kernel without debug options, as a build of its own.
fs::path nodebug_build(const Scratch & scratch, const std::string & name) {
    const auto directory = scratch.path() / name;
    fs::create_directory(directory);
    for (const auto & entry : fs::directory_iterator(KERNELS)) {
        const auto file = entry.path().filename().string();
        if (file.ends_with(".rpm") && file.find("debug") == std::string::npos) {
            fs::copy_file(entry.path(), directory / file);
        }
    }
    return directory;
}

std::string policy_with(const std::string & sampling, const std::string & budgets) {
    return "schema: bootbudget-policy/1\nsampling: {warmup: 0, counted: {min: 2, max: 4}" + sampling +
           "}\nvariants: [{name: nodebug, kind: nodebug, required: true}]\nbudgets:\n" + budgets;
}

std::vector<double> counts_of(const json & variant) {
    std::vector<double> counts;
    for (const auto & sample : variant.at("samples")) {
        EXPECT_EQ(sample.at("mode"), "counted") << "no budget is in seconds";
        EXPECT_EQ(sample.at("outcome"), "ok") << sample.at("detail");
        counts.push_back(sample.at("metrics").at("instructions").at("value").get<double>());
    }
    return counts;
}

double mean(const std::vector<double> & values) {
    double sum = 0;
    for (const double value : values) {
        sum += value;
    }
    return sum / static_cast<double>(values.size());
}

json find(const json & list, const std::string & key, const std::string & value) {
    const auto found = std::find_if(list.begin(), list.end(), [&](const json & item) { return item.at(key) == value; });
    return found == list.end() ? json() : *found;
}

}  // namespace

TEST(Counted, AgainstTheSameBuildNothingChangesAloneOrSideBySide) {
    const Scratch scratch;
    const auto now = nodebug_build(scratch, "new");
    const auto before = nodebug_build(scratch, "old");
    const auto budgets =
        "  - {name: size, variant: nodebug, metric: instructions, limit: 100G}\n"
        "  - {name: kernel-phase, variant: nodebug, metric: \"instructions:kernel\", limit: 1M}\n"
        "  - {name: no-regression, variant: \"*\", metric: instructions, baseline: {build: against}, limit: 1.03x}\n";
    std::vector<double> means;
    for (const std::string jobs : {"1", "2"}) {
        const auto output = scratch.path() / ("out-" + jobs);
        const auto run = run_command(
            scratch,
            {"check",
             now.string(),
             "--against",
             before.string(),
             "-p",
             scratch.write("policy.yaml", policy_with(", jobs: " + jobs, budgets)).string(),
             "-o",
             output.string(),
             "--work-dir",
             scratch.path().string(),
             "--json"});
        EXPECT_EQ(run.status, 1) << run.err << "\na kernel does not boot within a million instructions";
        const auto report = json::parse(run.out);
        EXPECT_EQ(find(report.at("budgets"), "name", "size").at("verdict"), "pass");
        const auto exceeded = find(report.at("budgets"), "name", "kernel-phase");
        EXPECT_EQ(exceeded.at("verdict"), "fail") << exceeded.at("why");
        const auto same = find(report.at("budgets"), "name", "no-regression");
        EXPECT_EQ(same.at("verdict"), "pass") << same.at("why");
        EXPECT_NEAR(same.at("estimate").get<double>(), 1.0, 0.01);
        ASSERT_EQ(report.at("variants").size(), 2U);
        EXPECT_EQ(find(report.at("variants"), "build", "against").at("name"), "nodebug");
        for (const auto & variant : report.at("variants")) {
            const auto counts = counts_of(variant);
            EXPECT_GE(counts.size(), 2U);
            means.push_back(mean(counts));
            const auto phases = variant.at("samples").at(0).at("phases");
            double sum = 0;
            for (const std::string phase : {"firmware", "kernel", "initramfs", "userspace"}) {
                sum += find(phases, "name", phase).at("instructions").get<double>();
            }
            EXPECT_NEAR(sum / counts.at(0), 1.0, 0.01) << "a launch is its phases";
        }
        EXPECT_THAT(report.at("environment").at("counter").get<std::string>(), HasSubstr("-icount"));
        EXPECT_EQ(report.at("sampling").at("jobs"), std::stoi(jobs));
    }
    // Two boots at once, on whatever is free of two processors, count what boots alone count.
    EXPECT_LT(*std::max_element(means.begin(), means.end()) / *std::min_element(means.begin(), means.end()), 1.01);
    EXPECT_THAT(bootbudget::test::processes_left_after(scratch.path(), 5), IsEmpty());
}

TEST(Counted, AQemuThatCannotCountIsAnErrorAndNoPass) {
    const Scratch scratch;
    const auto qemu = scratch.write(
        "qemu",
        "#!/bin/sh\nfor word; do [ \"$word\" != -plugin ] || { echo 'qemu: -plugin: invalid option' >&2; exit 1; }; "
        "done\n"
        "exec qemu-system-x86_64 \"$@\"\n");
    fs::permissions(qemu, fs::perms(0755));
    const auto budget_text = "  - {name: size, variant: nodebug, metric: instructions, limit: 100G}\n";
    const auto policy = scratch.write("policy.yaml", policy_with(", runs: {min: 2, max: 2}", budget_text));
    const auto run = run_command(
        scratch,
        {"check",
         nodebug_build(scratch, "new").string(),
         "-p",
         policy.string(),
         "-o",
         (scratch.path() / "out").string(),
         "--work-dir",
         scratch.path().string(),
         "--qemu",
         qemu.string(),
         "--json"});
    EXPECT_EQ(run.status, 3) << run.err;
    const auto report = json::parse(run.out);
    const auto budget = find(report.at("budgets"), "name", "size");
    EXPECT_EQ(budget.at("verdict"), "error");
    EXPECT_THAT(budget.at("why").get<std::string>(), HasSubstr("plugin"));
    EXPECT_THAT(report.at("environment").at("counter").get<std::string>(), HasSubstr("unavailable"));
    for (const auto & sample : report.at("variants").at(0).at("samples")) {
        EXPECT_EQ(sample.at("mode"), "timed") << "it is at least seen to boot";
        EXPECT_EQ(sample.at("outcome"), "ok");
    }
}
