// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/writers.hpp"
#include "unit/report_examples.hpp"

#include <gmock/gmock.h>

#include <pugixml.hpp>

namespace bootbudget::report {

namespace {

using testing::HasSubstr;

/// A report as JUnit and back.
class Xml {
public:
    explicit Xml(const Report & report) : text_(to_junit(report)) {
        const pugi::xml_parse_result parsed = document_.load_string(text_.c_str());
        EXPECT_TRUE(parsed) << parsed.description();
    }

    pugi::xml_node suite() const { return document_.child("testsuites").child("testsuite"); }

    pugi::xml_node testcase(const std::string & class_name, const std::string & name) const {
        for (const pugi::xml_node node : suite().children("testcase")) {
            if (node.attribute("classname").value() == class_name && node.attribute("name").value() == name) {
                return node;
            }
        }
        ADD_FAILURE() << "no test case " << class_name << " " << name << " in\n" << text_;
        return {};
    }

    /// "failure", "error", "skipped" or "passed".
    std::string result(const std::string & class_name, const std::string & name) const {
        const pugi::xml_node node = testcase(class_name, name);
        for (const char * const kind : {"failure", "error", "skipped"}) {
            if (node.child(kind)) {
                return kind;
            }
        }
        return "passed";
    }

    int count(const char * kind) const { return suite().attribute(kind).as_int(-1); }
    const std::string & text() const { return text_; }

private:
    std::string text_;
    pugi::xml_document document_;
};

TEST(ReportJunit, EachVerdictHasItsElement) {
    const std::vector<std::pair<Verdict, std::string>> table{
        {Verdict::PASS, "passed"},
        {Verdict::WARN, "passed"},
        {Verdict::FAIL, "failure"},
        {Verdict::INCONCLUSIVE, "error"},
        {Verdict::ERROR, "error"},
        {Verdict::SKIPPED, "skipped"}};
    for (const auto & [verdict, element] : table) {
        Report report = examples::all_pass();
        report.budgets[0].verdict = verdict;
        report.verdict = verdict;
        EXPECT_EQ(Xml(report).result("bootbudget.debug", "debug-launch"), element);
    }
}

TEST(ReportJunit, AWarningIsPassedAndSaysSo) {
    const Xml xml(examples::debug_warns());
    EXPECT_EQ(xml.result("bootbudget.debug", "debug-slowdown"), "passed");
    const std::string output = xml.testcase("bootbudget.debug", "debug-slowdown").child("system-out").text().get();
    EXPECT_THAT(output, HasSubstr("warning: 2.91x is above 2.5x"));
    EXPECT_EQ(xml.count("failures"), 0);
    EXPECT_EQ(xml.count("errors"), 0);
    EXPECT_EQ(xml.count("tests"), 5);
    EXPECT_STREQ(xml.suite().attribute("time").value(), "252.000");
}

TEST(ReportJunit, AWaivedBudgetIsPassedAndSaysSo) {
    const Xml xml(examples::waived());
    EXPECT_EQ(xml.result("bootbudget.debug", "debug-launch"), "passed");
    const std::string output = xml.testcase("bootbudget.debug", "debug-launch").child("system-out").text().get();
    EXPECT_THAT(output, HasSubstr("waived until 2027-02-01: KASAN is being looked at"));
    EXPECT_THAT(output, HasSubstr("FAIL (waived)"));
}

TEST(ReportJunit, FindingsThatFailFailTheBoots) {
    const Xml xml(examples::debug_fails());
    EXPECT_EQ(xml.result("bootbudget.debug", "debug-launch"), "failure");
    EXPECT_EQ(xml.result("bootbudget.debug", "boots"), "failure");
    EXPECT_EQ(xml.result("bootbudget.nodebug", "boots"), "passed");
    EXPECT_EQ(xml.count("failures"), 2);
}

TEST(ReportJunit, ALaunchThatWasCutOffIsLeftToTheBudgets) {
    Report report = examples::debug_fails();
    report.findings.clear();
    const Xml xml(report);
    EXPECT_EQ(xml.result("bootbudget.debug", "boots"), "passed");
    EXPECT_THAT(
        xml.testcase("bootbudget.debug", "boots").child("system-out").text().get(), HasSubstr("launch_timeout"));
}

TEST(ReportJunit, APanicIsAnErrorWithTheEndOfTheConsole) {
    const Xml xml(examples::panics());
    EXPECT_EQ(xml.result("bootbudget.debug", "boots"), "error");
    EXPECT_THAT(
        xml.testcase("bootbudget.debug", "boots").child("system-out").text().get(),
        HasSubstr("| [    1.535486]  panic+0xf9/0x25d\n"));
    EXPECT_EQ(xml.count("errors"), 3);
}

TEST(ReportJunit, AKernelThatIsNotMeasuredIsSkipped) {
    const Xml xml(examples::without_peer());
    EXPECT_EQ(xml.result("bootbudget.6.1.192-1.x86_64+rt", "boots"), "skipped");
    EXPECT_EQ(xml.result("bootbudget.debug", "debug-slowdown"), "skipped");
    EXPECT_EQ(xml.count("skipped"), 2);
}

TEST(ReportJunit, TheBuildAgainstStandsBesideTheNumbers) {
    const Xml xml(examples::against());
    EXPECT_EQ(xml.result("bootbudget.debug", "no-regression"), "failure");
    EXPECT_EQ(xml.result("bootbudget.nodebug", "no-regression"), "passed");
    const std::string output = xml.testcase("bootbudget.debug", "boots").child("system-out").text().get();
    EXPECT_THAT(output, HasSubstr("instructions: 1.377 G ± 0.02 %, n = 2 (+5.8 % against 6.1.191-1.x86_64+debug)\n"));
    EXPECT_THAT(output, HasSubstr("the machine was busy (up to 41 % CPU pressure, in 2 of 3 boots)\n"));
    EXPECT_THAT(output, HasSubstr("outlier: launch of boot 3: 41 % CPU pressure while it ran\n"));
    EXPECT_EQ(xml.count("tests"), 6);  // four budgets and two kernels under test
    EXPECT_THAT(xml.text(), HasSubstr("<property name=\"seed\" value=\"11400714819323198485\" />"));
}

TEST(ReportJunit, IsNeverBetterThanTheReport) {
    Report report = examples::all_pass();
    report.verdict = Verdict::ERROR;
    report.notes = {"The required variant rt is missing."};
    const Xml xml(report);
    EXPECT_EQ(xml.result("bootbudget", "verdict"), "error");
    EXPECT_THAT(
        xml.testcase("bootbudget", "verdict").child("error").attribute("message").value(),
        HasSubstr("The required variant rt is missing."));
    EXPECT_EQ(xml.count("errors"), 1);
}

TEST(ReportJunit, HoldsNoCharacterThatXmlForbids) {
    Report report = examples::panics();
    std::string every;
    for (int c = 0; c < 256; ++c) {
        every += static_cast<char>(c);
    }
    every += "\xef\xbf\xbe\xef\xbf\xbf\xed\xa0\x80";  // U+FFFE, U+FFFF, a surrogate
    report.variants[0].name = every;
    report.variants[0].samples[1].detail = every;
    report.variants[0].samples[1].last_lines = {every};
    report.budgets[0].why = every;
    report.budgets[0].name = every;
    report.policy.file = every;
    const std::string text = Xml(report).text();
    for (const char c : text) {
        ASSERT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
    }
    EXPECT_EQ(text.find("&#0"), std::string::npos);
    EXPECT_EQ(text.find("&#x"), std::string::npos);
    EXPECT_EQ(text.find("\xef\xbf\xbe"), std::string::npos);
    EXPECT_THAT(text, HasSubstr("\\x1B"));
}

}  // namespace

}  // namespace bootbudget::report
