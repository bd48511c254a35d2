// SPDX-License-Identifier: GPL-2.0-or-later
// The text and the JUnit XML of representative reports, as they are to look: tests/data/reports/. After an intended change, run this test with
// BOOTBUDGET_UPDATE_GOLDEN=1 in the environment and read the difference before committing it.
#include "report/writers.hpp"
#include "unit/report_examples.hpp"

#include <gmock/gmock.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace bootbudget::report {

namespace {

void compare(const std::string & name, const std::string & text) {
    const std::string path = std::string(BOOTBUDGET_TEST_DATA "/reports/") + name;
    if (std::getenv("BOOTBUDGET_UPDATE_GOLDEN") != nullptr) {
        std::ofstream(path) << text;
        GTEST_SKIP() << path << " was written, not compared";
    }
    std::ifstream file(path);
    std::ostringstream golden;
    golden << file.rdbuf();
    EXPECT_EQ(golden.str(), text) << path;
}

class Golden : public testing::TestWithParam<examples::Example> {};

TEST_P(Golden, Text) {
    compare(GetParam().name + ".txt", to_text(GetParam().report, TextStyle{}));
}

TEST_P(Golden, Junit) {
    compare(GetParam().name + ".junit.xml", to_junit(GetParam().report));
}

TEST_P(Golden, Json) {
    compare(GetParam().name + ".json", to_json(GetParam().report));
}

INSTANTIATE_TEST_SUITE_P(Reports, Golden, testing::ValuesIn(examples::all()), [](const auto & example) {
    std::string name = example.param.name;
    std::replace(name.begin(), name.end(), '-', '_');
    return name;
});

TEST(GoldenPlan, Text) {
    compare("plan.txt", to_text(examples::plan(), TextStyle{}));
}

TEST(GoldenPlan, Json) {
    compare("plan.json", to_json(examples::plan()));
}

TEST(GoldenText, NarrowAndAscii) {
    TextStyle style;
    style.unicode = false;
    style.width = 80;
    compare("debug-warns.narrow.txt", to_text(examples::debug_warns(), style));
}

}  // namespace

}  // namespace bootbudget::report
