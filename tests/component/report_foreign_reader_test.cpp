// SPDX-License-Identifier: GPL-2.0-or-later
// Parsers that are not ours read what we write: Python's expat and json.
#include "common/process.hpp"
#include "report/writers.hpp"
#include "unit/report_examples.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace bootbudget::report {

namespace {

namespace fs = std::filesystem;

/// Runs the Python program with the path of a file that holds `text`; its output and exit status.
std::pair<std::string, int> python(const std::string & program, const std::string & text) {
    std::string name = (fs::temp_directory_path() / "bootbudget-report-XXXXXX").string();
    const int file = ::mkstemp(name.data());
    EXPECT_GE(file, 0);
    ::close(file);
    std::ofstream(name) << text;
    common::Command command;
    command.argv = {"python3", "-c", program, name};
    command.environment = common::plain_environment();
    command.account = common::current_account();
    const common::Captured captured = common::capture(command);
    fs::remove(name);
    return {captured.output, captured.end.exit_status};
}

Report nasty() {
    Report report = examples::panics();
    std::string every;
    for (int c = 0; c < 256; ++c) {
        every += static_cast<char>(c);
    }
    every += "]]>&<\xef\xbf\xbe";
    report.variants[0].samples[1].last_lines = {every};
    report.variants[0].samples[1].detail = every;
    report.budgets[0].why = every;
    report.notes = {every};
    return report;
}

class ForeignReader : public testing::Test {
protected:
    void SetUp() override {
        if (!common::find_program("python3")) {
            GTEST_SKIP() << "python3 is missing: nobody else read the reports";
        }
    }
};

TEST_F(ForeignReader, ExpatReadsTheJunit) {
    const std::string program =
        "import sys, xml.etree.ElementTree as tree\n"
        "suite = tree.parse(sys.argv[1]).getroot().find('testsuite')\n"
        "cases = suite.findall('testcase')\n"
        "assert len(cases) == int(suite.get('tests')), 'count'\n"
        "for kind, attribute in (('failure', 'failures'), ('error', 'errors'), ('skipped', 'skipped')):\n"
        "    assert len(suite.findall('testcase/' + kind)) == int(suite.get(attribute)), kind\n"
        "print(len(cases))\n";
    for (const examples::Example & example : examples::all()) {
        const auto [output, status] = python(program, to_junit(example.report));
        EXPECT_EQ(status, 0) << example.name << ": " << output;
    }
    const auto [output, status] = python(program, to_junit(nasty()));
    EXPECT_EQ(status, 0) << output;
    EXPECT_EQ(output, "5\n");
    EXPECT_NE(python(program, "<testsuites><testsuite></testsuites>").second, 0);
}

TEST_F(ForeignReader, PythonReadsTheJson) {
    const std::string program =
        "import sys, json\n"
        "def refuse(name): raise ValueError(name)\n"
        "print(json.load(open(sys.argv[1], encoding='utf-8'), parse_constant=refuse)['schema'])\n";
    for (const Report & report : {nasty(), examples::all_pass(), Report{}}) {
        const auto [output, status] = python(program, to_json(report));
        EXPECT_EQ(status, 0) << output;
        EXPECT_EQ(output, "bootbudget-report/1\n");
    }
    EXPECT_NE(python(program, "{\"schema\": NaN}").second, 0);
}

}  // namespace

}  // namespace bootbudget::report
