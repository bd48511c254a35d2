// SPDX-License-Identifier: GPL-2.0-or-later
// JUnit XML as CI systems read it (the elements of the Ant JUnit reporter: testsuites, testsuite, testcase with failure, error, skipped,
// system-out). Each budget of each variant is a test case, and each kernel one more, "boots", for what no budget covers. Should the
// report be worse than all of these, a case "verdict" says so: a reader of this file alone must never see green for red.
#include "common/units.hpp"
#include "report/against.hpp"
#include "report/disturbance.hpp"
#include "report/measurements.hpp"
#include "report/time.hpp"
#include "report/writers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <pugixml.hpp>
#include <sstream>
#include <vector>

namespace bootbudget::report {

namespace {

constexpr std::size_t MAX_ATTRIBUTE = 1000;

/// Lines joined; XML 1.0 (2.2) has no place for most control characters, not even escaped, so each line is made printable.
std::string block(const std::vector<std::string> & lines) {
    std::string text;
    for (const std::string & line : lines) {
        text += common::printable(line) + "\n";
    }
    return text;
}

struct Case {
    std::string class_name;
    std::string name;
    double seconds = 0;
    Verdict verdict = Verdict::PASS;  ///< that the case shows: WARN is passed
    std::string message;              ///< one sentence; goes with anything but PASS
    std::vector<std::string> output;
};

std::vector<std::string> failed_boot(const Variant & variant, const Sample & sample) {
    std::vector<std::string> lines{fmt::format(
        "{} boot {}{}: {}. {}",
        variant.name,
        sample.index,
        sample.warmup ? " (warm-up)" : "",
        to_string(sample.outcome),
        sample.detail)};
    if (!sample.log.empty()) {
        lines.push_back("console log: " + sample.log);
    }
    for (const std::string & line : sample.last_lines) {
        lines.push_back("| " + line);
    }
    return lines;
}

Case budget_case(const BudgetResult & budget, const Words & words) {
    Case result;
    result.class_name = "bootbudget." + budget.variant;
    result.name = budget.name;
    result.verdict = budget.verdict;
    result.message = budget.why;
    result.output.push_back(
        budget.metric.empty()
            ? std::string(verdict_in_words(budget))
            : fmt::format("{} {}: {}", budget.metric, limit_in_words(budget, words), verdict_in_words(budget)));
    if (budget.estimate) {
        std::string measured = "measured " + common::format_quantity({*budget.estimate, budget.limit.unit});
        if (budget.interval_low && budget.interval_high) {
            measured += fmt::format(
                ", between {} and {}",
                common::format_quantity({*budget.interval_low, budget.limit.unit}),
                common::format_quantity({*budget.interval_high, budget.limit.unit}));
        }
        result.output.push_back(measured);
    }
    if (budget.waived) {
        // A waived budget keeps its verdict in the report, and only warns.
        result.verdict = Verdict::WARN;
        result.output.push_back(fmt::format("waived until {}: {}", budget.waived->until, budget.waived->reason));
    }
    return result;
}

/// A kernel's boots: an error if one after the warm-up ended badly, a failure if a finding's consequence is one. A launch that was cut off is
/// left to the budgets, which count it as exceeded.
Case boots_case(const Variant & variant, const Report & report) {
    Case result;
    result.class_name = "bootbudget." + (variant.name.empty() ? variant.release : variant.name);
    result.name = "boots";
    result.message = fmt::format("{} booted and was measured.", variant.release);
    if (variant.name.empty()) {
        result.verdict = Verdict::SKIPPED;
        result.message = fmt::format("{} is not measured. {}", variant.release, fmt::join(variant.why, " "));
        return result;
    }
    result.output.push_back(
        fmt::format("{}, {} kernel, {} flavour", variant.release, to_string(variant.kind), variant.flavour));
    const Variant * const against = namesake(variant, report);
    for (const auto & [metric, summary] : variant.summary) {
        result.output.push_back(
            fmt::format("{}: {}, n = {}", metric, mean_and_deviation(summary, Words(TextStyle{})), summary.n));
        if (against != nullptr && against->summary.contains(metric)) {
            const std::string distance = change(metric, summary, against->summary.at(metric));
            result.output.back() += distance.empty() ? "" : fmt::format(" ({} against {})", distance, against->release);
        }
    }
    if (const std::string around = disturbance(variant); !around.empty()) {
        result.output.push_back("the machine was " + around);
    }
    for (const Sample & sample : variant.samples) {
        if (const auto total = sample.metrics.find("total"); total != sample.metrics.end()) {
            result.seconds += total->second.value;
        }
        for (const auto & [metric, cause] : sample.outliers) {
            result.output.push_back(fmt::format("outlier: {} of boot {}: {}", metric, sample.index, cause));
        }
        if (sample.outcome == Outcome::OK) {
            continue;
        }
        const std::vector<std::string> story = failed_boot(variant, sample);
        result.output.insert(result.output.end(), story.begin(), story.end());
        if (!sample.warmup && sample.outcome != Outcome::LAUNCH_TIMEOUT && result.verdict != Verdict::ERROR) {
            result.verdict = Verdict::ERROR;
            result.message = story.front();
        }
    }
    for (const ReportedFinding & reported : report.findings) {
        if (reported.variant != variant.name || reported.release != variant.release ||
            reported.build != variant.build) {
            continue;
        }
        const std::string line = fmt::format(
            "{}: {} in {} boots, first: {}",
            reported.consequence,
            to_string(reported.finding.kind),
            reported.count,
            reported.finding.line);
        result.output.push_back(line);
        if (reported.consequence == "fail" && result.verdict != Verdict::FAIL) {
            result.verdict = Verdict::FAIL;
            result.message = line;
        } else if (reported.consequence == "warn") {
            result.verdict = worse(result.verdict, Verdict::WARN);
        }
    }
    return result;
}

/// How bad a case looks to a reader of the XML.
int gravity(Verdict verdict) {
    switch (verdict) {
        case Verdict::SKIPPED:
        case Verdict::PASS:
        case Verdict::WARN:
            return 0;
        case Verdict::INCONCLUSIVE:
        case Verdict::ERROR:
            return 1;
        case Verdict::FAIL:
            return 2;
    }
    return 2;
}

void add_case(pugi::xml_node suite, const Case & shown) {
    pugi::xml_node element = suite.append_child("testcase");
    element.append_attribute("classname") = common::printable(shown.class_name, MAX_ATTRIBUTE).c_str();
    element.append_attribute("name") = common::printable(shown.name, MAX_ATTRIBUTE).c_str();
    element.append_attribute("time") = fmt::format("{:.3f}", shown.seconds).c_str();
    const char * kind = nullptr;
    switch (shown.verdict) {
        case Verdict::PASS:
        case Verdict::WARN:
            break;
        case Verdict::SKIPPED:
            kind = "skipped";
            break;
        case Verdict::INCONCLUSIVE:
        case Verdict::ERROR:
            kind = "error";
            break;
        case Verdict::FAIL:
            kind = "failure";
            break;
    }
    std::vector<std::string> output = shown.output;
    if (kind != nullptr) {
        pugi::xml_node problem = element.append_child(kind);
        problem.append_attribute("message") = common::printable(shown.message, MAX_ATTRIBUTE).c_str();
        if (shown.verdict != Verdict::SKIPPED) {
            problem.append_attribute("type") = std::string(to_string(shown.verdict)).c_str();
        }
    } else if (shown.verdict == Verdict::WARN) {
        output.insert(output.begin(), "warning: " + shown.message);
    }
    if (!output.empty()) {
        element.append_child("system-out").text() = block(output).c_str();
    }
}

}  // namespace

std::string to_junit(const Report & report) {
    const Words words(TextStyle{});
    std::vector<Case> cases;
    Verdict worst = Verdict::SKIPPED;
    const auto add = [&](Case shown) {
        worst = gravity(shown.verdict) > gravity(worst) ? shown.verdict : worst;
        cases.push_back(std::move(shown));
    };
    for (const BudgetResult & budget : report.budgets) {
        add(budget_case(budget, words));
    }
    for (const Variant & variant : report.variants) {
        if (variant.build == BuildRole::SUBJECT) {
            add(boots_case(variant, report));
        }
    }
    if (gravity(report.verdict) > gravity(worst)) {
        std::string message = fmt::format("The whole check came to {}.", to_string(report.verdict));
        for (const std::string & note : report.notes) {
            message += " " + note;
        }
        add({"bootbudget", "verdict", 0, report.verdict, message, {}});
    }

    std::size_t failures = 0;
    std::size_t errors = 0;
    std::size_t skipped = 0;
    for (const Case & shown : cases) {
        failures += shown.verdict == Verdict::FAIL ? 1U : 0U;
        errors += gravity(shown.verdict) == 1 ? 1U : 0U;
        skipped += shown.verdict == Verdict::SKIPPED ? 1U : 0U;
    }

    pugi::xml_document document;
    pugi::xml_node declaration = document.append_child(pugi::node_declaration);
    declaration.append_attribute("version") = "1.0";
    declaration.append_attribute("encoding") = "UTF-8";
    const std::string time = fmt::format("{:.3f}", seconds_between(report.started, report.finished).value_or(0));
    pugi::xml_node suites = document.append_child("testsuites");
    pugi::xml_node suite = suites.append_child("testsuite");
    suite.append_attribute("name") = "bootbudget";
    suite.append_attribute("timestamp") = common::printable(report.started, 30).c_str();
    for (pugi::xml_node node : {suites, suite}) {
        node.append_attribute("tests") = fmt::format("{}", cases.size()).c_str();
        node.append_attribute("failures") = fmt::format("{}", failures).c_str();
        node.append_attribute("errors") = fmt::format("{}", errors).c_str();
        node.append_attribute("skipped") = fmt::format("{}", skipped).c_str();
        node.append_attribute("time") = time.c_str();
    }
    pugi::xml_node properties = suite.append_child("properties");
    const auto property = [&properties](const char * name, const std::string & value) {
        if (!value.empty()) {
            pugi::xml_node element = properties.append_child("property");
            element.append_attribute("name") = name;
            element.append_attribute("value") = common::printable(value, MAX_ATTRIBUTE).c_str();
        }
    };
    property("verdict", std::string(to_string(report.verdict)));
    property("bootbudget", report.tool_version);
    property("policy", report.policy.file);
    property("fingerprint", report.environment.fingerprint);
    property("counter", report.environment.counter);
    property("seed", report.sampling.seed == 0 ? "" : std::to_string(report.sampling.seed));
    for (const Build & build : report.builds) {
        property(build.role == BuildRole::SUBJECT ? "build" : "against", build.nvr.empty() ? build.where : build.nvr);
    }
    for (const Case & shown : cases) {
        add_case(suite, shown);
    }

    std::ostringstream stream;
    document.save(stream, "  ", pugi::format_indent, pugi::encoding_utf8);
    return stream.str();
}

}  // namespace bootbudget::report
