// SPDX-License-Identifier: GPL-2.0-or-later
// Real rpmbuild on the small specs of tests/data/variants.
#include "variants/engine.hpp"

#include "common/process.hpp"
#include "common/temporary_directory.hpp"

#include <bootbudget/error.hpp>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <thread>

namespace bootbudget::variants {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

class Recorder : public Progress {
public:
    void step(const std::string & line) override { steps.push_back(line); }
    void advance(double done, double total, double) override {
        EXPECT_GE(done, last_done_);
        EXPECT_LE(done, total);
        last_done_ = done;
    }
    void warn(const std::string & line) override { warnings.push_back(line); }

    std::vector<std::string> steps;
    std::vector<std::string> warnings;

private:
    double last_done_ = 0;
};

std::string text_of(const fs::path & path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::vector<std::string> names_in(const fs::path & directory) {
    std::vector<std::string> names;
    for (const auto & entry : fs::directory_iterator(directory)) {
        names.push_back(entry.path().filename().native());
    }
    return names;
}

class VariantsEngine : public ::testing::Test {
protected:
    void SetUp() override {
        if (!common::find_program("rpmbuild") || !common::find_program("gcc") || !common::find_program("make")) {
            GTEST_SKIP() << "needs rpmbuild, gcc and make";
        }
        fs::create_directory(work());
    }

    fs::path work() const { return base_.path() / "work"; }

    BuildRequest request(const std::string & spec) const {
        BuildRequest request;
        request.source = fs::path(BOOTBUDGET_TEST_DATA) / "variants" / spec;
        request.output = base_.path() / "output";
        request.work_directory = work();
        request.check_dependencies = false;
        return request;
    }

    /// The message of the UserError that the build must end with.
    std::string refusal(const BuildRequest & request) {
        progress_ = {};
        try {
            build(request, progress_, {});
        } catch (const UserError & error) {
            EXPECT_THAT(names_in(work()), IsEmpty());
            return error.what();
        }
        return "built";
    }

    std::string failure_of(const std::string & fault) {
        BuildRequest broken = request("broken.spec");
        broken.variants = {{"all", {{}, {}, {{"fault", fault}}}}};
        return refusal(broken);
    }

    const common::TemporaryDirectory base_{fs::temp_directory_path()};
    Recorder progress_;
};

TEST_F(VariantsEngine, SpecsOwnDefaultsMakeOneRun) {
    const BuildResult result = build(request("tiny.spec"), progress_, {});
    ASSERT_THAT(result.variants, SizeIs(1));
    EXPECT_EQ(result.variants[0].name, "all");
    EXPECT_THAT(result.variants[0].packages, SizeIs(3));
    EXPECT_THAT(names_in(result.output), Contains(HasSubstr("tiny-debug-core-1.0-1.")));
    EXPECT_THAT(names_in(result.output), SizeIs(5));  // three packages, all.log, manifest.json
    EXPECT_THAT(progress_.warnings, IsEmpty());
    EXPECT_THAT(progress_.steps, Contains("all: %build"));
    EXPECT_THAT(names_in(base_.path()), UnorderedElementsAre(".lock", "work", "output"));
    EXPECT_THAT(names_in(work()), IsEmpty());
}

TEST_F(VariantsEngine, VariantsBySwitchesShareTheirMetaPackage) {
    BuildRequest two = request("tiny.spec");
    two.variants = {parse_variant("debug:with=dbgonly"), parse_variant("nodebug:without=debug")};
    two.jobs = 1;
    const BuildResult result = build(two, progress_, {});
    ASSERT_THAT(result.variants, SizeIs(2));
    EXPECT_THAT(result.variants[0].packages, ElementsAre(HasSubstr("tiny-1.0-1"), HasSubstr("tiny-debug-core-1.0-1")));
    EXPECT_THAT(result.variants[1].packages, ElementsAre(HasSubstr("tiny-core-1.0-1")));
    EXPECT_THAT(
        text_of(result.output / result.variants[0].log), AllOf(HasSubstr("jobs: -j1 1, "), HasSubstr("-DDEBUG")));
    EXPECT_THAT(text_of(result.output / result.variants[1].log), Not(HasSubstr("-DDEBUG")));

    const auto manifest = nlohmann::json::parse(text_of(result.output / "manifest.json"));
    EXPECT_EQ(manifest.at("schema"), "bootbudget-build/1");
    EXPECT_EQ(manifest.at("source").at("sha256"), result.source_sha256);
    EXPECT_EQ(manifest.at("source").at("sources").size(), 3U);
    EXPECT_EQ(manifest.at("rpmbuild"), result.rpmbuild);
    EXPECT_EQ(manifest.at("variants").at(1).at("also_built").at(0).at("kept_from"), "debug");
    EXPECT_EQ(manifest.at("variants").at(1).at("also_built").at(0).at("same_contents"), true);
}

TEST_F(VariantsEngine, TwoDifferentKernelsOfOneNameAreRefused) {
    BuildRequest two = request("tiny.spec");
    two.variants = {parse_variant("plain:without=debug"), parse_variant("debug:with=dbgonly,define=tiny_same=1")};
    EXPECT_THAT(
        refusal(two), AllOf(HasSubstr("\"plain\" and \"debug\""), HasSubstr("tiny-core-1.0-1"), HasSubstr("release")));
    EXPECT_FALSE(fs::exists(two.output));
}

TEST_F(VariantsEngine, CompilersOwnLineIsInTheError) {
    const std::string message = failure_of("compiler");
    EXPECT_THAT(
        message,
        AllOf(
            HasSubstr("bad.c:1:24: error: "),
            HasSubstr("undeclared_thing"),
            HasSubstr(": bad.o] Error 1"),
            HasSubstr("in %build"),
            HasSubstr("output.failed.log")));
    EXPECT_THAT(message, Not(HasSubstr("good_8")));
    EXPECT_THAT(text_of(base_.path() / "output.failed.log"), HasSubstr("CC      good_8.o"));
    EXPECT_FALSE(fs::exists(base_.path() / "output"));
    progress_ = {};
    build(request("tiny.spec"), progress_, {});
    EXPECT_FALSE(fs::exists(base_.path() / "output.failed.log"));  // told about an older try
}

TEST_F(VariantsEngine, OtherToolsAreQuotedToo) {
    EXPECT_THAT(failure_of("linker"), HasSubstr("undefined reference to `missing_function'"));
    EXPECT_THAT(failure_of("assembler"), HasSubstr("entry.s:1: Error: no such instruction: `nonsense"));
    EXPECT_THAT(failure_of("make"), HasSubstr("No rule to make target 'absent.o'"));
    EXPECT_THAT(failure_of("warning"), HasSubstr("error: ‘unused’ defined but not used"));
    EXPECT_THAT(failure_of("silent"), HasSubstr("something is wrong here"));
    EXPECT_THAT(failure_of("unpackaged"), HasSubstr("/usr/share/forgotten-file"));
}

TEST_F(VariantsEngine, ClangIsQuotedToo) {
    std::string program;
    for (const char * name : {"clang", "clang-14", "clang-19", "clang-21"}) {
        program = program.empty() && common::find_program(name) ? name : program;
    }
    if (program.empty()) {
        GTEST_SKIP() << "needs clang";
    }
    common::Command clang;
    clang.argv = {
        "sh",
        "-c",
        "printf 'int f(void) { return 1 }' > bad.c; $0 -c bad.c; "
        "echo 'int g(void); int main(void) { return g(); }' > l.c; $0 l.c",
        program};
    clang.environment = common::plain_environment();
    clang.environment["HOME"] = base_.path();
    clang.working_directory = base_.path();
    clang.account = common::current_account();
    EXPECT_THAT(
        failure_lines(common::capture(clang).output),
        AllOf(
            Contains(HasSubstr("bad.c:1:23: error: expected ';'")), Contains(HasSubstr("undefined reference to `g'"))));
}

TEST_F(VariantsEngine, MissingDependencyNamesTheWayOut) {
    BuildRequest broken = request("broken.spec");
    broken.variants = {parse_variant("all:define=fault=dependency")};
    broken.check_dependencies = true;
    EXPECT_THAT(refusal(broken), AllOf(HasSubstr("tiny-nowhere >= 3 is needed by"), HasSubstr("--nodeps")));
}

TEST_F(VariantsEngine, SpecThatBuildsNothing) {
    EXPECT_THAT(failure_of("nothing"), HasSubstr("builds nothing"));
}

TEST_F(VariantsEngine, MissingSourcesAreAllNamed) {
    BuildRequest alone = request("tiny.spec");
    const fs::path directory = base_.path() / "alone";
    fs::create_directory(directory);
    fs::copy_file(alone.source, directory / "tiny.spec");
    alone.source = directory / "tiny.spec";
    EXPECT_THAT(
        refusal(alone),
        AllOf(
            HasSubstr("tiny-data.txt, tiny.c, tiny.config"), HasSubstr(directory.native()), HasSubstr("--source-dir")));
    alone.source_directories = {
        fs::path(BOOTBUDGET_TEST_DATA) / "variants", fs::path(BOOTBUDGET_TEST_DATA) / "variants" / "configs"};
    EXPECT_THAT(build(alone, progress_, {}).variants, SizeIs(1));
    alone.source_directories = {directory / "absent"};
    EXPECT_THAT(refusal(alone), HasSubstr("absent\" is no directory"));
}

TEST_F(VariantsEngine, WhatIsNoSource) {
    BuildRequest wrong = request("absent.spec");
    EXPECT_THAT(refusal(wrong), HasSubstr("There is no file"));
    wrong.source = fs::path(BOOTBUDGET_TEST_DATA) / "variants" / "tiny.c";
    EXPECT_THAT(refusal(wrong), HasSubstr("give a .spec or a .src.rpm"));
    wrong.source = fs::path(BOOTBUDGET_TEST_DATA) / "variants";
    EXPECT_THAT(refusal(wrong), HasSubstr("variants\" is a directory; give the .spec or .src.rpm in it."));
    wrong.source = base_.path() / "not.spec";
    std::ofstream(wrong.source) << "hello\nworld\n";
    EXPECT_THAT(refusal(wrong), AllOf(HasSubstr("cannot parse the spec of not.spec"), HasSubstr("Unknown tag: hello")));
    wrong.source = base_.path() / "not.src.rpm";
    std::ofstream(wrong.source) << "hello\nworld\n";
    EXPECT_THAT(refusal(wrong), HasSubstr("cannot be unpacked"));
}

TEST_F(VariantsEngine, SourcePackageIsBuiltAndADamagedOneRefused) {
    common::Command command;
    const fs::path data = fs::path(BOOTBUDGET_TEST_DATA) / "variants";
    const fs::path sources = base_.path() / "sources";
    fs::create_directory(sources);
    for (const fs::path & file : {data / "tiny.c", data / "tiny-data.txt", data / "configs" / "tiny.config"}) {
        fs::copy_file(file, sources / file.filename());
    }
    command.argv = {
        "rpmbuild",
        "-bs",
        "--nodeps",
        "--define",
        "_topdir " + base_.path().native() + "/top",
        "--define",
        "_sourcedir " + sources.native(),
        (data / "tiny.spec").native()};
    command.environment = common::plain_environment();
    command.environment["HOME"] = base_.path();
    command.account = common::current_account();
    ASSERT_EQ(common::capture(command).end.exit_status, 0);

    BuildRequest package = request("tiny.spec");
    package.source = base_.path() / "a name [with] spaces.src.rpm";
    fs::copy_file(base_.path() / "top" / "SRPMS" / "tiny-1.0-1.src.rpm", package.source);
    package.variants = {parse_variant("nodebug:without=debug")};
    const BuildResult result = build(package, progress_, {});
    EXPECT_THAT(result.variants.at(0).packages, SizeIs(2));
    EXPECT_EQ(result.source, "a name [with] spaces.src.rpm");

    fs::resize_file(package.source, fs::file_size(package.source) / 2);
    EXPECT_THAT(refusal(package), AllOf(HasSubstr("cannot be unpacked"), HasSubstr("spaces.src.rpm")));
}

TEST_F(VariantsEngine, SpacesAndLettersInEveryPath) {
    const fs::path odd = base_.path() / "böse Wörter (1) %x";
    fs::create_directories(odd / "wörk");
    fs::create_directory(odd / "sources");
    BuildRequest spaced = request("tiny.spec");
    fs::copy(spaced.source.parent_path(), odd / "spec dir", fs::copy_options::recursive);
    fs::rename(odd / "spec dir" / "tiny.spec", odd / "spec dir" / "tiny é 1.spec");
    fs::rename(odd / "spec dir" / "tiny-data.txt", odd / "sources" / "tiny-data.txt");
    spaced.source = odd / "spec dir" / "tiny é 1.spec";
    spaced.source_directories = {odd / "sources"};
    spaced.output = odd / "out put/";
    spaced.variants = {parse_variant("a:with=dbgonly"), parse_variant("b:without=debug")};

    spaced.work_directory = odd / "wörk";
    const BuildResult result = build(spaced, progress_, {});
    EXPECT_EQ(result.output, fs::canonical(odd / "out put"));
    EXPECT_THAT(result.variants.at(1).packages, SizeIs(1));
    EXPECT_THAT(progress_.warnings, ElementsAre(HasSubstr("is done in /var/tmp instead")));

    fs::create_directory(base_.path() / "wörk");
    spaced.work_directory = base_.path() / "wörk";
    progress_ = {};
    build(spaced, progress_, {});
    EXPECT_THAT(progress_.warnings, IsEmpty());
    EXPECT_THAT(names_in(odd), Not(Contains(HasSubstr("bootbudget-"))));
}

TEST_F(VariantsEngine, EarlierOutputsAreReplacedAndNothingElseIs) {
    const BuildRequest again = request("tiny.spec");
    build(again, progress_, {});
    progress_ = {};
    build(again, progress_, {});
    std::ofstream(again.output / "mine.txt") << "precious";
    progress_ = {};
    EXPECT_THAT(refusal(again), AllOf(HasSubstr("mine.txt"), HasSubstr("not replaced")));
    EXPECT_EQ(text_of(again.output / "mine.txt"), "precious");

    BuildRequest other = again;
    other.output = base_.path() / "other";
    fs::create_directory(other.output);
    EXPECT_THAT(build(other, progress_, {}).variants, SizeIs(1));  // an empty one is fine
    other.output = work();
    std::ofstream(other.output / "file") << "x";
    other.work_directory = base_.path();
    EXPECT_THROW(build(other, progress_, {}), UserError);
    fs::remove(other.output / "file");
    other.output = base_.path() / "absent" / "output";
    EXPECT_THAT(refusal(other), HasSubstr("does not exist"));
    other.output = again.source;
    EXPECT_THAT(refusal(other), HasSubstr("is no directory"));
}

TEST_F(VariantsEngine, TooManyJobsAndUnknownSwitchesAreWarnedAbout) {
    BuildRequest odd = request("tiny.spec");
    odd.jobs = 100000;
    odd.variants = {parse_variant("all:with=dbgonyl")};
    build(odd, progress_, {});
    EXPECT_THAT(progress_.warnings, ElementsAre(HasSubstr("100000 jobs"), HasSubstr("\"dbgonyl\"")));
    odd.jobs = -1;
    EXPECT_THAT(refusal(odd), HasSubstr("-1 jobs"));
}

TEST_F(VariantsEngine, WorkIsKeptOnRequest) {
    BuildRequest kept = request("broken.spec");
    kept.keep_work = true;
    EXPECT_THROW(build(kept, progress_, {}), UserError);
    ASSERT_THAT(names_in(work()), SizeIs(1));
    EXPECT_TRUE(fs::exists(work() / names_in(work()).front() / "SPECS" / "broken.spec"));
    EXPECT_THAT(progress_.steps, Contains(HasSubstr("the work directory is kept: ")));
}

/// The processes that work below a directory or have it in their command line.
int processes_of(const fs::path & directory) {
    int count = 0;
    for (const auto & entry : fs::directory_iterator("/proc")) {
        const std::string name = entry.path().filename().native();
        if (name.find_first_not_of("0123456789") != std::string::npos || name == std::to_string(::getpid())) {
            continue;
        }
        std::error_code error;
        const fs::path cwd = fs::read_symlink(entry.path() / "cwd", error);
        count += (!error && cwd.native().starts_with(directory.native())) ||
                         text_of(entry.path() / "cmdline").find(directory.native()) != std::string::npos
                     ? 1
                     : 0;
    }
    return count;
}

TEST_F(VariantsEngine, CancelledInTheMiddleNothingStays) {
    BuildRequest slow = request("broken.spec");
    slow.variants = {parse_variant("all:define=fault=slow")};
    std::stop_source stop;

    class StopInBuild : public Recorder {
    public:
        StopInBuild(std::stop_source & source, fs::path work) : source_(source), work_(std::move(work)) {}
        void advance(double done, double total, double left) override {
            Recorder::advance(done, total, left);
            if (done > 0 && !source_.stop_requested() && ++ticks_ > 1) {
                EXPECT_GE(processes_of(work_), 2);  // the test can see what must go
                source_.request_stop();
            }
        }

    private:
        std::stop_source & source_;
        fs::path work_;
        int ticks_ = 0;
    } progress(stop, work());

    EXPECT_THROW(build(slow, progress, stop.get_token()), Cancelled);
    EXPECT_THAT(names_in(work()), IsEmpty());
    EXPECT_THAT(names_in(base_.path()), UnorderedElementsAre(".lock", "work"));
    for (int i = 0; i < 50 && processes_of(work()) > 0; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    EXPECT_EQ(processes_of(work()), 0);
}

}  // namespace
}  // namespace bootbudget::variants
