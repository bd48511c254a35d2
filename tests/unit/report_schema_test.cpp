// SPDX-License-Identifier: GPL-2.0-or-later
// The JSON Schema, the reader and the documentation say the same about the format.
#include "report/writers.hpp"
#include "unit/report_examples.hpp"

#include <gmock/gmock.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#if __has_include(<valijson/validator.hpp>)
#define HAVE_VALIJSON 1
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>
#else
#define HAVE_VALIJSON 0
#endif

namespace bootbudget::report {

namespace {

using nlohmann::json;

std::string content(const std::string & path) {
    std::ifstream file(std::string(BOOTBUDGET_SOURCE_DIR "/docs/") + path);
    std::ostringstream text;
    text << file.rdbuf();
    EXPECT_FALSE(text.str().empty()) << path;
    return text.str();
}

json schema_document() {
    return json::parse(content("bootbudget-report-1.schema.json"));
}

/// Names of the properties of the schema, wherever they are.
void collect_properties(const json & schema, std::set<std::string> & names) {
    if (schema.is_object()) {
        for (const auto & [key, value] : schema.items()) {
            if (key == "properties") {
                for (const auto & [name, property] : value.items()) {
                    names.insert(name);
                }
            }
            collect_properties(value, names);
        }
    } else if (schema.is_array()) {
        for (const json & value : schema) {
            collect_properties(value, names);
        }
    }
}

void collect_enumerated(const json & schema, std::set<std::string> & words) {
    if (schema.is_object()) {
        for (const auto & [key, value] : schema.items()) {
            if (key == "enum") {
                for (const json & word : value) {
                    words.insert(word.get<std::string>());
                }
            }
            collect_enumerated(value, words);
        }
    } else if (schema.is_array()) {
        for (const json & value : schema) {
            collect_enumerated(value, words);
        }
    }
}

TEST(ReportSchema, EveryFieldIsDocumented) {
    const std::string page = content("report.md");
    std::set<std::string> names;
    collect_properties(schema_document(), names);
    EXPECT_GT(names.size(), 60U);
    for (const std::string & name : names) {
        EXPECT_NE(page.find("`" + name + "`"), std::string::npos) << "docs/report.md does not describe " << name;
    }
    std::set<std::string> words;
    collect_enumerated(schema_document(), words);
    EXPECT_TRUE(words.contains("systemd_or_udev_timeout"));
    for (const std::string & word : words) {
        EXPECT_NE(page.find("`" + word + "`"), std::string::npos) << "docs/report.md does not describe " << word;
    }
}

TEST(ReportSchema, EveryFieldWrittenIsInTheSchema) {
    std::set<std::string> known;
    collect_properties(schema_document(), known);
    // Keys of the free maps are names of metrics, of the host's properties and the like.
    const std::set<std::string> maps{"metrics", "summary", "noise", "outliers", "host", "variables"};
    const std::function<void(const json &, bool)> walk = [&](const json & value, bool free) {
        if (value.is_object()) {
            for (const auto & [key, member] : value.items()) {
                EXPECT_TRUE(free || known.contains(key)) << key << " is written but not in the schema";
                walk(member, maps.contains(key));
            }
        } else if (value.is_array()) {
            for (const json & member : value) {
                walk(member, false);
            }
        }
    };
    walk(json::parse(to_json(examples::with_everything())), false);
}

#if HAVE_VALIJSON

class Validator {
public:
    Validator() {
        const json document = schema_document();
        const valijson::adapters::NlohmannJsonAdapter adapter(document);
        valijson::SchemaParser().populateSchema(adapter, schema_);
    }

    /// Empty if valid, else the complaints.
    std::string complaints(const json & document) {
        valijson::Validator validator(valijson::Validator::kStrongTypes);
        valijson::ValidationResults results;
        const valijson::adapters::NlohmannJsonAdapter adapter(document);
        if (validator.validate(schema_, adapter, &results)) {
            return "";
        }
        std::string text;
        valijson::ValidationResults::Error error;
        while (results.popError(error)) {
            for (const std::string & step : error.context) {
                text += step;
            }
            text += ": " + error.description + "\n";
        }
        return text.empty() ? "refused" : text;
    }

private:
    valijson::Schema schema_;
};

bool reader_takes(const json & document) {
    try {
        from_json(document.dump(), "x");
        return true;
    } catch (const UserError &) {
        return false;
    }
}

/// Every place of the document as a JSON pointer.
std::vector<json::json_pointer> places(const json & document) {
    std::vector<json::json_pointer> result;
    const std::function<void(const json &, const json::json_pointer &)> walk = [&](const json & value,
                                                                                   const json::json_pointer & place) {
        if (!place.empty()) {
            result.push_back(place);
        }
        if (value.is_object()) {
            for (const auto & [key, member] : value.items()) {
                walk(member, place / key);
            }
        } else if (value.is_array()) {
            for (std::size_t i = 0; i < value.size(); ++i) {
                walk(value[i], place / i);
            }
        }
    };
    walk(document, json::json_pointer());
    return result;
}

TEST(ReportSchema, AcceptsEveryExample) {
    Validator validator;
    for (const examples::Example & example : examples::all()) {
        EXPECT_EQ(validator.complaints(json::parse(to_json(example.report))), "") << example.name;
    }
    EXPECT_EQ(validator.complaints(json::parse(to_json(examples::with_everything()))), "");
    EXPECT_EQ(validator.complaints(json::parse(to_json(Report{}))), "");
}

TEST(ReportSchema, AndReaderRefuseTheSameMissingFields) {
    Validator validator;
    const json whole = json::parse(to_json(examples::with_everything()));
    int refused = 0;
    for (const json::json_pointer & place : places(whole)) {
        json changed = whole;
        json & parent = changed[place.parent_pointer()];
        if (!parent.is_object()) {
            continue;
        }
        parent.erase(place.back());
        const std::string complaints = validator.complaints(changed);
        EXPECT_EQ(reader_takes(changed), complaints.empty()) << place.to_string() << "\n" << complaints;
        refused += complaints.empty() ? 0 : 1;
    }
    EXPECT_GT(refused, 80);
}

TEST(ReportSchema, AndReaderRefuseEveryWrongType) {
    Validator validator;
    const json whole = json::parse(to_json(examples::with_everything()));
    for (const json::json_pointer & place : places(whole)) {
        json changed = whole;
        json & value = changed[place];
        value = value.is_object() ? json("a string") : json{{"an", "object"}};
        EXPECT_NE(validator.complaints(changed), "") << place.to_string();
        EXPECT_FALSE(reader_takes(changed)) << place.to_string();
    }
}

TEST(ReportSchema, AndReaderTakeTheSameNulls) {
    Validator validator;
    const json whole = json::parse(to_json(examples::with_everything()));
    for (const json::json_pointer & place : places(whole)) {
        json changed = whole;
        changed[place] = nullptr;
        const std::string complaints = validator.complaints(changed);
        EXPECT_EQ(reader_takes(changed), complaints.empty()) << place.to_string() << "\n" << complaints;
    }
}

TEST(ReportSchema, AndReaderRefuseUnknownWords) {
    Validator validator;
    for (const char * const place :
         {"/schema",
          "/verdict",
          "/builds/0/role",
          "/variants/0/kind",
          "/variants/0/build",
          "/budgets/0/verdict",
          "/budgets/0/on_exceed",
          "/budgets/0/limit/unit",
          "/findings/0/kind",
          "/findings/0/consequence",
          "/variants/0/samples/0/mode",
          "/variants/0/samples/0/outcome",
          "/variants/0/samples/0/phases/0/name",
          "/variants/0/samples/0/findings/0/kind",
          "/sampling/seed",
          "/variants/0/summary/launch/unit"}) {
        json changed = json::parse(to_json(examples::with_everything()));
        changed.at(json::json_pointer(place)) = "no such word";
        EXPECT_NE(validator.complaints(changed), "") << place;
        EXPECT_FALSE(reader_takes(changed)) << place;
    }
}

#else

TEST(ReportSchema, Validates) {
    GTEST_SKIP()
        << "valijson is missing (libvalijson-dev, valijson-devel): documents were not checked against the schema";
}

#endif

}  // namespace

}  // namespace bootbudget::report
