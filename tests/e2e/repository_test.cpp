// SPDX-License-Identifier: GPL-2.0-or-later
// From a repository to the guest's prompt: an index by the real createrepo_c, libsolv's choice, a download, an unpacked tree, boots.
#include "support/command_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace bootbudget::test {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;

const fs::path KERNELS = fs::path(BOOTBUDGET_FIXTURES) / "kernels";

const char * const POLICY = R"(schema: bootbudget-policy/1
boot: {timeout: 10m, stall: 3m}
sampling: {warmup: 0, runs: {min: 2, max: 2}}
variants:
  - {name: nodebug, kind: nodebug, flavour: base, required: true}
budgets:
  - {name: total, variant: nodebug, metric: total, limit: 10m, on_exceed: warn}
)";

TEST(Repository, AKernelIsChosenFetchedAndBooted) {
    if (std::system("createrepo_c --version > /dev/null 2>&1") != 0) {
        GTEST_SKIP() << "createrepo_c is missing: install the package \"createrepo-c\" or \"createrepo_c\"";
    }
    const Scratch scratch;
    const auto repository = scratch.path() / "repo";
    const auto work = scratch.path() / "work";
    fs::create_directory(repository);
    fs::create_directory(work);
    for (const auto & entry : fs::recursive_directory_iterator(KERNELS)) {
        if (entry.path().extension() == ".rpm") {
            fs::create_symlink(entry.path(), repository / entry.path().filename());
        }
    }
    ASSERT_EQ(run_program({"createrepo_c", "-q", repository.string()}), 0);
    const auto policy = scratch.write("policy.yaml", POLICY);
    const auto cache = scratch.path() / "cache";
    const auto where = "file://" + repository.string();

    const auto planned = run_command(
        scratch,
        {"check",
         where,
         "--policy",
         policy.string(),
         "--cache",
         cache.string(),
         "--work-dir",
         work.string(),
         "--dry-run"});
    ASSERT_EQ(planned.status, 0) << planned.err;
    EXPECT_THAT(planned.out, HasSubstr("packages  " + where));
    EXPECT_THAT(planned.out, HasSubstr("kernel-debug-core-"));

    const auto output = scratch.path() / "out";
    const auto run = run_command(
        scratch,
        {"check",
         where,
         "--policy",
         policy.string(),
         "--cache",
         cache.string(),
         "--output",
         output.string(),
         "--work-dir",
         work.string()});
    ASSERT_EQ(run.status, 0) << run.err << run.out;
    const auto report = json::parse(slurp(output / "report.json"));
    EXPECT_EQ(report.at("builds").at(0).at("where"), where);
    EXPECT_THAT(report.at("builds").at(0).at("nvr").get<std::string>(), HasSubstr("kernel-"));
    for (const auto & variant : report.at("variants")) {
        if (variant.at("name") == "nodebug") {
            ASSERT_EQ(variant.at("samples").size(), 2U);
            EXPECT_EQ(variant.at("samples").at(0).at("outcome"), "ok");
            EXPECT_EQ(variant.at("samples").at(0).at("guest_release"), variant.at("release"));
        } else {
            EXPECT_THAT(variant.at("samples"), IsEmpty());
        }
    }
    for (const auto & package : report.at("builds").at(0).at("packages")) {
        EXPECT_EQ(package.at("sha256").get<std::string>().size(), 64U);
    }
    EXPECT_THAT(names_in(work), IsEmpty());
}

}  // namespace
}  // namespace bootbudget::test
