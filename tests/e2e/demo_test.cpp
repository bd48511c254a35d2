// SPDX-License-Identifier: GPL-2.0-or-later
// The README's promise: both variants of the small kernel, built by the real rpmbuild, boot under the real libguestfs-test-tool and are judged by the demo's policy.
#include "support/command_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace bootbudget::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;

const fs::path KERNELS = fs::path(BOOTBUDGET_FIXTURES) / "kernels";
const fs::path DISTRO = fs::path(BOOTBUDGET_FIXTURES) / "distro";

json find(const json & list, const std::string & key, const std::string & value) {
    for (const auto & item : list) {
        if (item.at(key) == value) {
            return item;
        }
    }
    ADD_FAILURE() << "no item with " << key << " = " << value << " in " << list.dump(2);
    return {};
}

/// Links to those packages of the fixture that have `part` in their names (or do not, with `without`).
void link_packages(const fs::path & from, const fs::path & to, const std::string & part, bool without) {
    fs::create_directories(to);
    for (const auto & entry : fs::recursive_directory_iterator(from)) {
        const auto name = entry.path().filename().string();
        if (entry.path().extension() == ".rpm" && (name.find(part) == std::string::npos) == without) {
            fs::create_symlink(entry.path(), to / name);
        }
    }
}

/// Every file of a tree with its size, mode and time of change.
std::string listing(const fs::path & tree) {
    std::string text;
    for (const auto & entry : fs::recursive_directory_iterator(tree)) {
        text += entry.path().string() + " " + std::to_string(entry.last_write_time().time_since_epoch().count()) + "\n";
    }
    return text;
}

const char * const SHORT_POLICY = R"(schema: bootbudget-policy/1
boot: {timeout: 10m, stall: 3m}
sampling: {warmup: 0, runs: {min: 2, max: 2}, confidence: 90%}
variants:
  - {name: nodebug, kind: nodebug, flavour: base}
  - {name: debug, kind: debug, flavour: base}
budgets:
  - {name: launch, variant: nodebug, metric: launch, limit: 10m, on_exceed: fail}
  - {name: slowdown, variant: debug, metric: launch, baseline: {variant: nodebug}, limit: 100x, on_exceed: fail}
)";

TEST(Demo, BothVariantsAreBootedAndJudged) {
    const Scratch scratch;
    fs::create_directory(scratch.path() / "work");
    const auto output = scratch.path() / "out";
    const auto run = run_command(
        scratch,
        {"check",
         KERNELS.string(),
         "--policy",
         BOOTBUDGET_SOURCE_DIR "/policies/demo.yaml",
         "--output",
         output.string(),
         "--work-dir",
         (scratch.path() / "work").string()});
    ASSERT_EQ(run.status, 0) << run.err << run.out;
    const auto report = json::parse(slurp(output / "report.json"));
    EXPECT_EQ(report.at("schema"), "bootbudget-report/1");
    EXPECT_EQ(report.at("verdict"), "warn") << "the debug variant exceeds a budget that only warns\n" << run.out;
    EXPECT_EQ(report.at("environment").at("fingerprint").get<std::string>().size(), 64U);

    for (const std::string name : {"debug", "nodebug"}) {
        const auto variant = find(report.at("variants"), "name", name);
        EXPECT_EQ(variant.at("kind"), name);
        EXPECT_GE(variant.at("samples").size(), 4U) << "a warm-up and three measured boots";
        for (const auto & sample : variant.at("samples")) {
            EXPECT_EQ(sample.at("outcome"), "ok");
            EXPECT_EQ(sample.at("guest_release"), variant.at("release")) << "the guest's own word";
            const auto log = slurp(output / sample.at("log").get<std::string>());
            EXPECT_THAT(log, HasSubstr("insmod virtio_scsi.ko")) << "a module is on the path";
            EXPECT_THAT(log, HasSubstr("TEST FINISHED OK"));
            if (::geteuid() == 0) {
                EXPECT_THAT(log, testing::Not(HasSubstr("euid=0\n"))) << "started by root, booted as somebody else";
            }
            // The phases of a launch add up to it.
            double sum = 0;
            for (const auto & phase : sample.at("phases")) {
                const auto phase_name = phase.at("name").get<std::string>();
                if (phase_name == "firmware" || phase_name == "kernel" || phase_name == "initramfs" ||
                    phase_name == "userspace") {
                    sum += phase.at("seconds").get<double>();
                }
            }
            EXPECT_NEAR(sum, sample.at("metrics").at("launch").at("value").get<double>(), 0.01);
            EXPECT_LT(sum, sample.at("metrics").at("total").at("value").get<double>());
        }
    }
    const auto options = find(report.at("variants"), "name", "debug").at("config_differs");
    EXPECT_EQ(find(options, "option", "CONFIG_PROVE_LOCKING").at("value"), "y");
    EXPECT_THAT(run.out, HasSubstr("%)")) << "the ratio as people write it";
    EXPECT_THAT(slurp(output / "junit.xml"), HasSubstr("<testsuite"));
    EXPECT_EQ(
        run_program(
            {"python3",
             "-c",
             "import sys, xml.etree.ElementTree as t; t.parse(sys.argv[1])",
             (output / "junit.xml").string()}),
        0);
    EXPECT_THAT(names_in(scratch.path() / "work"), IsEmpty());
    EXPECT_THAT(processes_left_after(scratch.path(), 5), IsEmpty());

    const auto again = run_command(scratch, {"report", output.string(), "--format", "json"});
    EXPECT_EQ(again.status, 0);
    EXPECT_EQ(json::parse(again.out), report);
}

TEST(Demo, DryRunBootsNothing) {
    const Scratch scratch;
    const auto output = scratch.path() / "out";
    const auto run = run_command(
        scratch,
        {"check",
         KERNELS.string(),
         "-p",
         "demo",
         "--dry-run",
         "--json",
         "-o",
         output.string(),
         "--work-dir",
         scratch.path().string()});
    ASSERT_EQ(run.status, 0) << run.err;
    const auto plan = json::parse(run.out);
    EXPECT_EQ(plan.at("variants").size(), 2U);
    EXPECT_EQ(find(plan.at("variants"), "name", "debug").at("packages").size(), 2U);
    EXPECT_FALSE(fs::exists(output));
}

TEST(Demo, TreeIsBootedAndLeftAlone) {
    const Scratch scratch;
    const auto tree = scratch.path() / "ein Baum – größer";
    fs::create_directory(tree);
    for (const auto & entry : fs::recursive_directory_iterator(KERNELS)) {
        if (entry.path().extension() == ".rpm" && entry.path().string().find("debug") == std::string::npos) {
            ASSERT_EQ(
                run_program(
                    {"sh",
                     "-c",
                     "rpm2cpio \"$1\" | cpio --quiet -idm -D \"$2\"",
                     "sh",
                     entry.path().string(),
                     tree.string()}),
                0);
        }
    }
    const auto before = listing(tree);
    const auto policy = scratch.write("kurze Prüfung.yaml", SHORT_POLICY);
    fs::create_directory(scratch.path() / "w");
    const auto run = run_command(
        scratch,
        {"check",
         "tree:" + tree.string(),
         "-p",
         policy.string(),
         "-o",
         (scratch.path() / "das Ergebnis").string(),
         "--work-dir",
         (scratch.path() / "w").string()});
    EXPECT_EQ(run.status, 0) << run.err << run.out;
    EXPECT_EQ(listing(tree), before);
    const auto report = json::parse(slurp(scratch.path() / "das Ergebnis" / "report.json"));
    EXPECT_EQ(find(report.at("budgets"), "name", "launch").at("verdict"), "pass");
    EXPECT_EQ(find(report.at("budgets"), "name", "slowdown").at("verdict"), "skipped") << "no debug variant";
}

TEST(Demo, RatioWithoutItsPeerIsSkippedAndNeverOne) {
    const Scratch scratch;
    link_packages(KERNELS, scratch.path() / "rpms", "debug", false);
    const auto policy = scratch.write("policy.yaml", SHORT_POLICY);
    const auto run = run_command(
        scratch,
        {"check", (scratch.path() / "rpms").string(), "-p", policy.string(), "-o", (scratch.path() / "out").string()});
    EXPECT_EQ(run.status, 0) << run.err << run.out;
    const auto report = json::parse(slurp(scratch.path() / "out" / "report.json"));
    const auto budget = find(report.at("budgets"), "name", "slowdown");
    EXPECT_EQ(budget.at("verdict"), "skipped");
    EXPECT_TRUE(budget.at("estimate").is_null());
    EXPECT_THAT(budget.at("why").get<std::string>(), HasSubstr("nodebug"));
}

TEST(Demo, MissingRequiredVariantIsAnError) {
    const Scratch scratch;
    auto text = std::string(SHORT_POLICY);
    text.replace(text.find("kind: debug,"), 12, "kind: debug, required: true,");
    link_packages(DISTRO, scratch.path() / "rpms", "debug", true);
    const auto policy = scratch.write("policy.yaml", text);
    const auto run = run_command(
        scratch,
        {"check", (scratch.path() / "rpms").string(), "-p", policy.string(), "-o", (scratch.path() / "out").string()});
    EXPECT_EQ(run.status, 3) << run.err << run.out;
    const auto report = json::parse(slurp(scratch.path() / "out" / "report.json"));
    EXPECT_EQ(report.at("verdict"), "error");
    EXPECT_EQ(find(report.at("budgets"), "name", "launch").at("verdict"), "pass")
        << "the distribution's kernel was measured";
}

TEST(Demo, OverBudgetFails) {
    const Scratch scratch;
    link_packages(KERNELS, scratch.path() / "rpms", "debug", true);
    auto text = std::string(SHORT_POLICY);
    // Not seconds: on a busy machine these may only be inconclusive.
    constexpr std::string_view LAUNCH = "metric: launch, limit: 10m";
    text.replace(text.find(LAUNCH), LAUNCH.size(), "metric: memory, limit: 16MiB");
    const auto policy = scratch.write("policy.yaml", text);
    const auto run = run_command(
        scratch,
        {"check", (scratch.path() / "rpms").string(), "-p", policy.string(), "-o", (scratch.path() / "out").string()});
    EXPECT_EQ(run.status, 1) << run.err << run.out;
}

}  // namespace
}  // namespace bootbudget::test
