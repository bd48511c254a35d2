// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/writers.hpp"
#include "unit/report_examples.hpp"

#include <gmock/gmock.h>

#include <limits>
#include <nlohmann/json.hpp>

namespace bootbudget::report {

namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;

std::string message_of(const std::string & text) {
    try {
        from_json(text, "some/report.json");
    } catch (const UserError & error) {
        return error.what();
    }
    return "no error";
}

TEST(ReportJson, RoundTripKeepsEveryExample) {
    for (const examples::Example & example : examples::all()) {
        const std::string text = to_json(example.report);
        EXPECT_EQ(to_json(from_json(text, example.name)), text) << example.name;
    }
    const std::string everything = to_json(examples::with_everything());
    EXPECT_EQ(to_json(from_json(everything, "everything")), everything);
}

TEST(ReportJson, RoundTripIsNotAnEmptyOne) {
    const Report read = from_json(to_json(examples::with_everything()), "x");
    ASSERT_EQ(read.variants.size(), 1U);
    ASSERT_EQ(read.variants[0].samples.size(), 1U);
    const Sample & sample = read.variants[0].samples[0];
    EXPECT_EQ(sample.last_lines, std::vector<std::string>{"the last line"});
    EXPECT_EQ(sample.metrics.at("launch"), (Quantity{33.5, Unit::SECONDS}));
    EXPECT_EQ(sample.phases.at(2).phase, Phase::KERNEL);
    EXPECT_EQ(sample.cut_off_seconds, 12.5);
    EXPECT_EQ(read.variants[0].summary.at("memory").unit, Unit::BYTES);
    EXPECT_EQ(read.budgets.at(1).limit, (Quantity{2.5, Unit::RATIO}));
    EXPECT_EQ(read.budgets.at(1).waived->until, "2027-02-01");
    EXPECT_EQ(read.environment.variables.at("LIBGUESTFS_BACKEND"), "direct");
    EXPECT_EQ(read.environment.counter, "a plugin");
    EXPECT_EQ(read.sampling.seed, 18446744073709551615U);  // no double holds it
    EXPECT_EQ(read.sampling.jobs, 2);
    EXPECT_EQ(sample.busy, "41 % CPU pressure");
    EXPECT_EQ(sample.outliers.at("launch"), "CPU pressure");
    EXPECT_EQ(sample.phases.at(2).instructions, 1.5e9);
    EXPECT_EQ(from_json(to_json(examples::against()), "x").variants.at(2).build, BuildRole::AGAINST);
}

TEST(ReportJson, UnitsAndNamesAreThoseOfTheFormat) {
    const json document = json::parse(to_json(examples::debug_warns()));
    EXPECT_EQ(document["schema"], "bootbudget-report/1");
    EXPECT_EQ(document["tool"]["name"], "bootbudget");
    EXPECT_EQ(document["verdict"], "warn");
    const json & sample = document["variants"][0]["samples"][1];
    EXPECT_EQ(sample["metrics"]["launch"], json::parse(R"({"value": 32.5, "unit": "s"})"));
    EXPECT_EQ(sample["metrics"]["memory"]["unit"], "B");
    EXPECT_EQ(sample["mode"], "timed");
    EXPECT_EQ(sample["outcome"], "ok");
    EXPECT_EQ(sample["cut_off_seconds"], nullptr);
    EXPECT_EQ(document["budgets"][1]["limit"], json::parse(R"({"value": 2.5, "unit": "x"})"));
    EXPECT_EQ(document["budgets"][0]["baseline"], nullptr);
    EXPECT_EQ(document["budgets"][0]["waived"], nullptr);
    EXPECT_EQ(document["variants"][0]["summary"]["launch"]["interval"].size(), 2U);
    EXPECT_EQ(document["findings"][0]["kind"], "lockdep_report");
}

TEST(ReportJson, KeysComeInTheDocumentedOrder) {
    const auto document = nlohmann::ordered_json::parse(to_json(examples::all_pass()));
    std::vector<std::string> keys;
    for (const auto & [key, value] : document.items()) {
        keys.push_back(key);
    }
    EXPECT_THAT(
        keys,
        testing::ElementsAre(
            "schema",
            "tool",
            "started",
            "finished",
            "verdict",
            "exit_status",
            "builds",
            "policy",
            "environment",
            "sampling",
            "variants",
            "budgets",
            "findings",
            "notes"));
}

TEST(ReportJson, NumbersThatAreNotFiniteBecomeNull) {
    Report report = examples::all_pass();
    report.variants[0].summary["launch"].mean = std::numeric_limits<double>::quiet_NaN();
    report.variants[0].summary["launch"].interval_high = std::numeric_limits<double>::infinity();
    report.budgets[0].estimate = -std::numeric_limits<double>::infinity();
    report.budgets[0].interval_low = report.budgets[0].interval_high = std::nan("");
    const std::string text = to_json(report);
    const json document = json::parse(text);
    EXPECT_TRUE(document["variants"][0]["summary"]["launch"]["mean"].is_null());
    EXPECT_TRUE(document["variants"][0]["summary"]["launch"]["interval"][1].is_null());
    EXPECT_TRUE(document["budgets"][0]["estimate"].is_null());
    EXPECT_TRUE(document["budgets"][0]["interval"].is_null());
    EXPECT_EQ(to_json(from_json(text, "x")), text);
}

TEST(ReportJson, BytesThatAreNoUtf8BecomeUtf8) {
    Report report = examples::all_pass();
    report.notes = {"caf\xe9 \xc3\xa9 \x01", std::string("nul\0byte", 8)};
    report.environment.host["k\xff"] = "\xf0\x9f";
    const std::string text = to_json(report);
    const json document = json::parse(text);  // would throw for invalid UTF-8
    EXPECT_EQ(document["notes"][0], "caf\xef\xbf\xbd \xc3\xa9 \x01");
    EXPECT_EQ(document["notes"][1], std::string("nul\0byte", 8));
    EXPECT_EQ(document["environment"]["host"]["k\xef\xbf\xbd"], "\xef\xbf\xbd");
    EXPECT_EQ(to_json(from_json(text, "x")), text);
}

TEST(ReportJson, UnknownFieldsAreIgnored) {
    const std::string text = to_json(examples::all_pass());
    json document = json::parse(text);
    document["from_the_future"] = {1, 2, 3};
    document["variants"][0]["samples"][0]["temperature"] = "warm";
    EXPECT_EQ(to_json(from_json(document.dump(), "x")), text);
}

TEST(ReportJson, ReportsOfVersionsThatKnewLessAreRead) {
    json document = json::parse(to_json(examples::against()));
    document.erase("sampling");
    document["environment"].erase("counter");
    for (json & variant : document["variants"]) {
        for (json & sample : variant["samples"]) {
            sample.erase("busy");
            sample.erase("outliers");
        }
    }
    const Report read = from_json(document.dump(), "x");
    EXPECT_EQ(read.sampling.jobs, 1);
    EXPECT_TRUE(read.environment.counter.empty());
    EXPECT_TRUE(read.variants[0].samples[3].busy.empty());
    EXPECT_TRUE(read.variants[0].samples[3].outliers.empty());
}

TEST(ReportJson, MistakesNameFileAndField) {
    json document = json::parse(to_json(examples::debug_warns()));
    const auto with = [&document](const std::string & pointer, const json & value) {
        json changed = document;
        changed[json::json_pointer(pointer)] = value;
        return message_of(changed.dump());
    };
    EXPECT_THAT(
        with("/variants/1/samples/2/outcome", "fine"),
        AllOf(
            HasSubstr("some/report.json"), HasSubstr("/variants/1/samples/2/outcome is \"fine\""), HasSubstr("panic")));
    EXPECT_THAT(with("/budgets/0/limit/value", "60"), HasSubstr("/budgets/0/limit/value is not a number"));
    EXPECT_THAT(with("/exit_status", -1), HasSubstr("/exit_status is not a whole number"));
    EXPECT_THAT(with("/exit_status", 1.5), HasSubstr("/exit_status is not a whole number"));
    EXPECT_THAT(with("/exit_status", 18446744073709551615U), HasSubstr("/exit_status is not a whole number"));
    EXPECT_THAT(with("/variants/0/summary/a~1b", 1), HasSubstr("/variants/0/summary/a~1b is not an object"));
    for (const char * const seed : {"", "1x", "-1", " 1", "18446744073709551616"}) {
        EXPECT_THAT(with("/sampling/seed", seed), HasSubstr("/sampling/seed is not a whole number of 64 bits"));
    }
    EXPECT_THAT(with("/notes", nullptr), HasSubstr("/notes is not a list"));
    EXPECT_THAT(with("/schema", "bootbudget-report/2"), HasSubstr("reads only \"bootbudget-report/1\""));
    document.erase("verdict");
    EXPECT_THAT(message_of(document.dump()), HasSubstr("the document has no field \"verdict\""));
}

TEST(ReportJson, WhatIsNoReportIsRefused) {
    EXPECT_THAT(message_of(""), AllOf(HasSubstr("some/report.json"), HasSubstr("is not JSON")));
    EXPECT_THAT(message_of("{\"schema\": \x01\xff}"), HasSubstr("is not JSON"));
    EXPECT_THAT(message_of("[]"), HasSubstr("the document is not an object"));
    EXPECT_THAT(message_of("{}"), HasSubstr("has no field \"schema\""));
    EXPECT_THAT(message_of(std::string(100000, '[')), HasSubstr("nested deeper than 64"));
    EXPECT_THAT(message_of(std::string((64U << 20U) + 1, ' ')), HasSubstr("at most 67108864"));
    const std::string text = to_json(examples::all_pass());
    for (std::size_t size = 0; size + 1 < text.size(); size += 97) {
        EXPECT_NE(message_of(text.substr(0, size)), "no error") << size;
    }
}

TEST(ReportJson, NestingUpToTheBoundIsRead) {
    json document = json::parse(to_json(examples::all_pass()));
    document["x"] = json::parse(std::string(62, '[') + std::string(62, ']'));
    EXPECT_EQ(message_of(document.dump()), "no error");
    document["x"] = json::parse(std::string(70, '[') + std::string(70, ']'));
    EXPECT_THAT(message_of(document.dump()), HasSubstr("nested deeper"));
}

}  // namespace

}  // namespace bootbudget::report
