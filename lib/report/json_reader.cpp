// SPDX-License-Identifier: GPL-2.0-or-later
// A report document becomes values again. Every step into the document goes through a Place, which knows its JSON pointer (RFC 6901), so
// each complaint names the file and the field; fields that nobody asks for are never looked at. The text may come from
// anywhere: its size and nesting are bounded before anything is built from it.
#include "report/place.hpp"
#include "report/writers.hpp"

namespace bootbudget::report {

namespace {

constexpr std::size_t MAX_BYTES = std::size_t{64} << 20U;
constexpr int MAX_DEPTH = 64;

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
    if (const auto counter = place.find("counter")) {
        result.counter = counter->text_or_empty();
    }
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
    if (const auto busy = place.find("busy")) {
        result.busy = busy->text_or_empty();
    }
    if (const auto outliers = place.find("outliers")) {
        result.outliers = outliers->text_map();
    }
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
    const auto build = place.find("build");  // earlier versions did not write it
    return {
        finding(place),
        place.at("variant").text_or_empty(),
        place.at("release").text(),
        place.at("sample").integer(),
        place.at("consequence").word_of({"fail", "warn", "note"}),
        place.at("count").integer(),
        build ? role(*build) : BuildRole::SUBJECT};
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
    if (const auto sampling = top.find("sampling")) {
        report.sampling = {sampling->at("seed").digits(), sampling->at("jobs").integer()};
    }
    report.variants = top.at("variants").list(variant);
    report.budgets = top.at("budgets").list(budget);
    report.findings = top.at("findings").list(reported_finding);
    report.notes = top.at("notes").texts();
    return report;
}

}  // namespace bootbudget::report
