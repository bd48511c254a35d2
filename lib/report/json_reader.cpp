// SPDX-License-Identifier: GPL-2.0-or-later
// A report document becomes values again. Every step into the document goes through a Place, which knows its JSON pointer (RFC 6901), so
// each complaint names the file and the field; fields that nobody asks for are never looked at. The text may come from
// anywhere: its size and nesting are bounded before anything is built from it.
#include "common/units.hpp"
#include "report/writers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <nlohmann/json.hpp>

namespace bootbudget::report {

namespace {

using Json = nlohmann::json;

constexpr std::size_t MAX_BYTES = std::size_t{64} << 20U;
constexpr int MAX_DEPTH = 64;

/// A value of the document, and where it is.
class Place {
public:
    Place(const Json & value, std::string pointer, const std::string & file)
        : value_(&value), pointer_(std::move(pointer)), file_(&file) {}

    [[noreturn]] void refuse(const std::string & what) const {
        throw UserError(fmt::format(
            "{}: {} {}; this is not a report that bootbudget wrote, or it was changed since.",
            *file_,
            pointer_.empty() ? "the document" : common::printable(pointer_, 200),
            what));
    }

    /// The member `key`, which must be there.
    Place at(const std::string & key) const {
        const auto member = object().find(key);
        if (member == value_->end()) {
            refuse(fmt::format("has no field \"{}\"", key));
        }
        return {*member, below(key), *file_};
    }

    bool is_null() const noexcept { return value_->is_null(); }

    std::string text() const {
        if (!value_->is_string()) {
            refuse("is not a string");
        }
        return value_->get<std::string>();
    }

    std::string text_or_empty() const { return is_null() ? std::string() : text(); }

    bool boolean() const {
        if (!value_->is_boolean()) {
            refuse("is not true or false");
        }
        return value_->get<bool>();
    }

    int integer() const {
        constexpr std::int64_t MAX = std::numeric_limits<int>::max();
        // Read as unsigned first: a number above 2^63 would otherwise come out negative.
        if (!value_->is_number_integer() || (value_->is_number_unsigned() && value_->get<std::uint64_t>() > MAX) ||
            value_->get<std::int64_t>() < 0) {
            refuse(fmt::format("is not a whole number from 0 to {}", MAX));
        }
        return value_->get<int>();
    }

    /// null stands for a number that was not finite.
    double number() const { return is_null() ? std::numeric_limits<double>::quiet_NaN() : finite(); }

    std::optional<double> number_or_nothing() const {
        return is_null() ? std::nullopt : std::optional<double>(finite());
    }

    /// One of `values`, by its name in the report.
    template <typename Value>
    Value one_of(std::initializer_list<Value> values) const {
        return one_of<Value>(values.begin(), values.end());
    }

    template <typename Value>
    Value one_of(const Value * begin, const Value * end) const {
        const std::string name = text();
        std::string known;
        for (const Value * value = begin; value != end; ++value) {
            if (to_string(*value) == name) {
                return *value;
            }
            known += fmt::format("{}{}", known.empty() ? "" : ", ", to_string(*value));
        }
        refuse(fmt::format("is \"{}\" and not one of: {}", common::printable(name, 100), known));
    }

    std::string word_of(std::initializer_list<std::string_view> words) const {
        std::string word = text();
        if (std::find(words.begin(), words.end(), word) == words.end()) {
            refuse(fmt::format("is \"{}\" and not one of: {}", common::printable(word, 100), fmt::join(words, ", ")));
        }
        return word;
    }

    template <typename Convert>
    auto list(Convert convert) const {
        if (!value_->is_array()) {
            refuse("is not a list");
        }
        std::vector<decltype(convert(*this))> items;
        items.reserve(value_->size());
        for (std::size_t i = 0; i < value_->size(); ++i) {
            items.push_back(convert(Place((*value_)[i], below(std::to_string(i)), *file_)));
        }
        return items;
    }

    std::vector<std::string> texts() const {
        return list([](const Place & place) { return place.text(); });
    }

    template <typename Convert>
    auto map(Convert convert) const {
        std::map<std::string, decltype(convert(*this))> items;
        for (const auto & [key, member] : object().items()) {
            items.emplace(key, convert(Place(member, below(key), *file_)));
        }
        return items;
    }

    std::map<std::string, std::string> text_map() const {
        return map([](const Place & place) { return place.text(); });
    }

    /// [low, high], each a number or null; or null.
    void interval(std::optional<double> & low, std::optional<double> & high) const {
        if (is_null()) {
            return;
        }
        const auto bounds = list([](const Place & place) { return place.number_or_nothing(); });
        if (bounds.size() != 2) {
            refuse("is not null and not a list of two numbers");
        }
        low = bounds[0];
        high = bounds[1];
    }

private:
    const Json & object() const {
        if (!value_->is_object()) {
            refuse("is not an object");
        }
        return *value_;
    }

    double finite() const {
        if (!value_->is_number()) {
            refuse("is not a number");
        }
        return value_->get<double>();
    }

    std::string below(const std::string & key) const {
        std::string escaped;
        for (const char c : key) {
            escaped += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
        }
        return pointer_ + "/" + escaped;
    }

    const Json * value_;
    std::string pointer_;
    const std::string * file_;
};

Unit unit(const Place & place) {
    return place.one_of({Unit::SECONDS, Unit::BYTES, Unit::COUNT, Unit::RATIO});
}

Verdict verdict(const Place & place) {
    return place.one_of(
        {Verdict::SKIPPED, Verdict::PASS, Verdict::WARN, Verdict::INCONCLUSIVE, Verdict::ERROR, Verdict::FAIL});
}

BuildRole role(const Place & place) {
    return place.one_of({BuildRole::SUBJECT, BuildRole::AGAINST});
}

Quantity quantity(const Place & place) {
    return {place.at("value").number(), unit(place.at("unit"))};
}

PackageUse package(const Place & place) {
    return {place.at("nevra").text(), place.at("sha256").text(), place.at("signature").text()};
}

Build build(const Place & place) {
    return {
        role(place.at("role")),
        place.at("where").text(),
        place.at("nvr").text_or_empty(),
        place.at("packages").list(package)};
}

Environment environment(const Place & place) {
    Environment result;
    result.fingerprint = place.at("fingerprint").text_or_empty();
    result.arch = place.at("arch").text_or_empty();
    result.qemu = place.at("qemu").text_or_empty();
    result.libguestfs = place.at("libguestfs").text_or_empty();
    result.supermin = place.at("supermin").text_or_empty();
    result.qemu_command = place.at("qemu_command").text_or_empty();
    result.guest_command_line = place.at("guest_command_line").text_or_empty();
    result.host = place.at("host").text_map();
    result.variables = place.at("variables").text_map();
    return result;
}

PhaseTime phase(const Place & place) {
    return {
        place.at("name").one_of(std::begin(ALL_PHASES), std::end(ALL_PHASES)),
        place.at("seconds").number(),
        place.at("guest_seconds").number_or_nothing(),
        place.at("instructions").number_or_nothing()};
}

Finding finding(const Place & place) {
    return {
        place.at("kind").one_of(std::begin(ALL_FINDING_KINDS), std::end(ALL_FINDING_KINDS)),
        place.at("line").text(),
        place.at("line_number").integer()};
}

Outcome outcome(const Place & place) {
    return place.one_of(
        {Outcome::OK,
         Outcome::LAUNCH_TIMEOUT,
         Outcome::PANIC,
         Outcome::STALL,
         Outcome::NO_KERNEL_OUTPUT,
         Outcome::WRONG_KERNEL,
         Outcome::QEMU_FAILED,
         Outcome::APPLIANCE_FAILED,
         Outcome::TOOL_FAILED,
         Outcome::CANCELLED});
}

Sample sample(const Place & place) {
    Sample result;
    result.index = place.at("index").integer();
    result.mode = place.at("mode").one_of({Mode::TIMED, Mode::COUNTED});
    result.warmup = place.at("warmup").boolean();
    result.valid = place.at("valid").boolean();
    result.outcome = outcome(place.at("outcome"));
    result.detail = place.at("detail").text_or_empty();
    result.cut_off_seconds = place.at("cut_off_seconds").number_or_nothing().value_or(0);
    result.log = place.at("log").text_or_empty();
    result.last_lines = place.at("last_lines").texts();
    result.metrics = place.at("metrics").map(quantity);
    result.phases = place.at("phases").list(phase);
    result.noise = place.at("noise").map([](const Place & value) { return value.number(); });
    result.findings = place.at("findings").list(finding);
    result.guest_release = place.at("guest_release").text_or_empty();
    result.guest_command_line = place.at("guest_command_line").text_or_empty();
    result.qemu_command = place.at("qemu_command").text_or_empty();
    return result;
}

Summary summary(const Place & place) {
    Summary result;
    result.unit = unit(place.at("unit"));
    result.n = place.at("n").integer();
    result.mean = place.at("mean").number();
    result.sd = place.at("sd").number();
    result.min = place.at("min").number();
    result.median = place.at("median").number();
    place.at("interval").interval(result.interval_low, result.interval_high);
    return result;
}

ConfigDifference config_difference(const Place & place) {
    return {
        place.at("option").text(),
        place.at("value").text(),
        place.at("against").text(),
        place.at("decides_kind").boolean()};
}

Variant variant(const Place & place) {
    Variant result;
    result.name = place.at("name").text_or_empty();
    result.build = role(place.at("build"));
    result.release = place.at("release").text();
    result.arch = place.at("arch").text();
    result.kind = place.at("kind").one_of({Kind::NODEBUG, Kind::DEBUG, Kind::UNKNOWN});
    result.flavour = place.at("flavour").text();
    result.why = place.at("why").texts();
    result.not_booted = place.at("not_booted").text_or_empty();
    result.peer = place.at("peer").text_or_empty();
    result.config_differs = place.at("config_differs").list(config_difference);
    result.variables = place.at("variables").text_map();
    result.samples = place.at("samples").list(sample);
    result.summary = place.at("summary").map(summary);
    return result;
}

BudgetResult budget(const Place & place) {
    BudgetResult result;
    result.name = place.at("name").text();
    result.variant = place.at("variant").text();
    result.metric = place.at("metric").text_or_empty();
    result.baseline = place.at("baseline").text_or_empty();
    if (const Place limit = place.at("limit"); !limit.is_null()) {
        result.limit = quantity(limit);
    }
    result.on_exceed = place.at("on_exceed").word_of({"fail", "warn"});
    result.estimate = place.at("estimate").number_or_nothing();
    place.at("interval").interval(result.interval_low, result.interval_high);
    result.predicted = place.at("predicted").boolean();
    result.verdict = verdict(place.at("verdict"));
    result.why = place.at("why").text();
    if (const Place waived = place.at("waived"); !waived.is_null()) {
        result.waived = Waiver{waived.at("until").text(), waived.at("reason").text()};
    }
    return result;
}

ReportedFinding reported_finding(const Place & place) {
    return {
        finding(place),
        place.at("variant").text_or_empty(),
        place.at("release").text(),
        place.at("sample").integer(),
        place.at("consequence").word_of({"fail", "warn", "note"}),
        place.at("count").integer()};
}

Json parse(const std::string & text, const std::string & name) {
    if (text.size() > MAX_BYTES) {
        throw UserError(fmt::format(
            "{} has {} bytes, and a report has at most {}; is it the right file?", name, text.size(), MAX_BYTES));
    }
    const auto watch = [&name](int depth, Json::parse_event_t, Json &) {
        if (depth > MAX_DEPTH) {
            throw UserError(fmt::format(
                "{} is nested deeper than {} levels, which no report is; is it the right file?", name, MAX_DEPTH));
        }
        return true;
    };
    try {
        return Json::parse(text, watch);
    } catch (const Json::exception & error) {
        // The library's text holds its own error code and, for some inputs, raw bytes of them.
        const std::string what = error.what();
        const auto sentence = what.find("] ");
        throw UserError(fmt::format(
            "{} is not JSON: {}; give the report.json of a check.",
            name,
            common::printable(sentence == std::string::npos ? what : what.substr(sentence + 2), 300)));
    }
}

}  // namespace

Report from_json(const std::string & text, const std::string & name) {
    const Json document = parse(text, name);
    const Place top(document, "", name);
    if (const Place schema = top.at("schema"); schema.text() != "bootbudget-report/1") {
        throw UserError(fmt::format(
            "{}: /schema is \"{}\"; this version reads only \"bootbudget-report/1\".",
            name,
            common::printable(schema.text(), 100)));
    }
    Report report;
    // Who wrote it is of no consequence, but a report says so.
    static_cast<void>(top.at("tool").at("name").text());
    report.tool_version = top.at("tool").at("version").text();
    report.started = top.at("started").text();
    report.finished = top.at("finished").text();
    report.verdict = verdict(top.at("verdict"));
    report.exit_status = top.at("exit_status").integer();
    report.builds = top.at("builds").list(build);
    const Place policy = top.at("policy");
    report.policy = {policy.at("file").text(), policy.at("sha256").text_or_empty(), policy.at("text").text_or_empty()};
    report.environment = environment(top.at("environment"));
    report.variants = top.at("variants").list(variant);
    report.budgets = top.at("budgets").list(budget);
    report.findings = top.at("findings").list(reported_finding);
    report.notes = top.at("notes").texts();
    return report;
}

}  // namespace bootbudget::report
