// SPDX-License-Identifier: GPL-2.0-or-later
// A report becomes "bootbudget-report/1": each struct of the public face is one function here, with its keys in the order in which
// docs/report.md describes them. What is not known is null, never an empty string, 0 or a left-out key, so that a reader need not
// guess; bytes that are no UTF-8 become U+FFFD when the document is printed.
#include "report/writers.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

namespace bootbudget::report {

namespace {

using Json = nlohmann::ordered_json;

/// JSON has no NaN and no infinity.
Json number(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json number(const std::optional<double> & value) {
    return value ? number(*value) : Json(nullptr);
}

Json text_or_null(const std::string & text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

Json interval(const std::optional<double> & low, const std::optional<double> & high) {
    Json bounds = Json::array({number(low), number(high)});
    return bounds[0].is_null() && bounds[1].is_null() ? Json(nullptr) : bounds;
}

Json quantity(const Quantity & quantity) {
    return Json{{"value", number(quantity.value)}, {"unit", to_string(quantity.unit)}};
}

/// A list whose items `convert` makes; an empty one is [] and not null.
template <typename Items, typename Convert>
Json list(const Items & items, Convert convert) {
    Json result = Json::array();
    for (const auto & item : items) {
        result.push_back(convert(item));
    }
    return result;
}

Json list(const std::vector<std::string> & items) {
    return list(items, [](const std::string & item) { return Json(item); });
}

/// An object with the map's names as keys; an empty one is {} and not null.
template <typename Value, typename Convert>
Json object(const std::map<std::string, Value> & map, Convert convert) {
    Json result = Json::object();
    for (const auto & [name, value] : map) {
        result[name] = convert(value);
    }
    return result;
}

Json object(const std::map<std::string, std::string> & map) {
    return object(map, [](const std::string & value) { return Json(value); });
}

Json build(const Build & build) {
    return Json{
        {"role", to_string(build.role)},
        {"where", build.where},
        {"nvr", text_or_null(build.nvr)},
        {"packages", list(build.packages, [](const PackageUse & package) {
             return Json{{"nevra", package.nevra}, {"sha256", package.sha256}, {"signature", package.signature}};
         })}};
}

Json environment(const Environment & environment) {
    return Json{
        {"fingerprint", text_or_null(environment.fingerprint)},
        {"arch", text_or_null(environment.arch)},
        {"qemu", text_or_null(environment.qemu)},
        {"libguestfs", text_or_null(environment.libguestfs)},
        {"supermin", text_or_null(environment.supermin)},
        {"qemu_command", text_or_null(environment.qemu_command)},
        {"guest_command_line", text_or_null(environment.guest_command_line)},
        {"counter", text_or_null(environment.counter)},
        {"host", object(environment.host)},
        {"variables", object(environment.variables)}};
}

Json phase(const PhaseTime & phase) {
    return Json{
        {"name", to_string(phase.phase)},
        {"seconds", number(phase.seconds)},
        {"guest_seconds", number(phase.guest_seconds)},
        {"instructions", number(phase.instructions)}};
}

Json finding(const Finding & finding) {
    return Json{{"kind", to_string(finding.kind)}, {"line", finding.line}, {"line_number", finding.line_number}};
}

Json sample(const Sample & sample) {
    return Json{
        {"index", sample.index},
        {"mode", to_string(sample.mode)},
        {"warmup", sample.warmup},
        {"valid", sample.valid},
        {"outcome", to_string(sample.outcome)},
        {"detail", text_or_null(sample.detail)},
        {"cut_off_seconds", sample.cut_off_seconds > 0 ? number(sample.cut_off_seconds) : Json(nullptr)},
        {"log", text_or_null(sample.log)},
        {"last_lines", list(sample.last_lines)},
        {"metrics", object(sample.metrics, quantity)},
        {"phases", list(sample.phases, phase)},
        {"noise", object(sample.noise, [](double value) { return number(value); })},
        {"busy", text_or_null(sample.busy)},
        {"outliers", object(sample.outliers)},
        {"findings", list(sample.findings, finding)},
        {"guest_release", text_or_null(sample.guest_release)},
        {"guest_command_line", text_or_null(sample.guest_command_line)},
        {"qemu_command", text_or_null(sample.qemu_command)}};
}

Json summary(const Summary & summary) {
    return Json{
        {"unit", to_string(summary.unit)},
        {"n", summary.n},
        {"mean", number(summary.mean)},
        {"sd", number(summary.sd)},
        {"min", number(summary.min)},
        {"median", number(summary.median)},
        {"interval", interval(summary.interval_low, summary.interval_high)}};
}

Json variant(const Variant & variant) {
    return Json{
        {"name", text_or_null(variant.name)},
        {"build", to_string(variant.build)},
        {"release", variant.release},
        {"arch", variant.arch},
        {"kind", to_string(variant.kind)},
        {"flavour", variant.flavour},
        {"why", list(variant.why)},
        {"not_booted", text_or_null(variant.not_booted)},
        {"peer", text_or_null(variant.peer)},
        {"config_differs",
         list(
             variant.config_differs,
             [](const ConfigDifference & difference) {
                 return Json{
                     {"option", difference.option},
                     {"value", difference.value},
                     {"against", difference.against},
                     {"decides_kind", difference.decides_kind}};
             })},
        {"variables", object(variant.variables)},
        {"samples", list(variant.samples, sample)},
        {"summary", object(variant.summary, summary)}};
}

Json budget(const BudgetResult & budget) {
    return Json{
        {"name", budget.name},
        {"variant", budget.variant},
        {"metric", text_or_null(budget.metric)},
        {"baseline", text_or_null(budget.baseline)},
        {"limit", budget.metric.empty() ? Json(nullptr) : quantity(budget.limit)},  // a requirement has none
        {"on_exceed", budget.on_exceed},
        {"estimate", number(budget.estimate)},
        {"interval", interval(budget.interval_low, budget.interval_high)},
        {"predicted", budget.predicted},
        {"verdict", to_string(budget.verdict)},
        {"why", budget.why},
        {"waived",
         budget.waived ? Json{{"until", budget.waived->until}, {"reason", budget.waived->reason}} : Json(nullptr)}};
}

Json reported_finding(const ReportedFinding & reported) {
    Json result = finding(reported.finding);
    result["variant"] = text_or_null(reported.variant);
    result["build"] = to_string(reported.build);
    result["release"] = reported.release;
    result["sample"] = reported.sample;
    result["consequence"] = reported.consequence;
    result["count"] = reported.count;
    return result;
}

Json planned_variant(const PlannedVariant & variant) {
    return Json{
        {"name", text_or_null(variant.name)},
        {"build", to_string(variant.build)},
        {"release", variant.release},
        {"arch", variant.arch},
        {"kind", to_string(variant.kind)},
        {"flavour", variant.flavour},
        {"packages", list(variant.packages)},
        {"why", list(variant.why)},
        {"not_booted", text_or_null(variant.not_booted)},
        {"warmup_boots", variant.warmup_boots},
        {"boots_min", variant.boots_min},
        {"boots_max", variant.boots_max},
        {"counted_min", variant.counted_min},
        {"counted_max", variant.counted_max}};
}

std::string print(const Json & document) {
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string to_json(const Report & report) {
    return print(Json{
        {"schema", "bootbudget-report/1"},
        {"tool", {{"name", "bootbudget"}, {"version", report.tool_version}}},
        {"started", report.started},
        {"finished", report.finished},
        {"verdict", to_string(report.verdict)},
        {"exit_status", report.exit_status},
        {"builds", list(report.builds, build)},
        {"policy",
         {{"file", report.policy.file},
          {"sha256", text_or_null(report.policy.sha256)},
          {"text", text_or_null(report.policy.text)}}},
        {"environment", environment(report.environment)},
        {"sampling", {{"seed", std::to_string(report.sampling.seed)}, {"jobs", report.sampling.jobs}}},
        {"variants", list(report.variants, variant)},
        {"budgets", list(report.budgets, budget)},
        {"findings", list(report.findings, reported_finding)},
        {"notes", list(report.notes)}});
}

std::string to_json(const Plan & plan) {
    return print(Json{
        {"schema", "bootbudget-plan/1"},
        {"where", plan.where},
        {"policy", plan.policy},
        {"variants", list(plan.variants, planned_variant)},
        {"counted_jobs", plan.counted_jobs},
        {"expected_seconds", Json::array({number(plan.expected_seconds_min), number(plan.expected_seconds_max)})},
        {"notes", list(plan.notes)}});
}

}  // namespace bootbudget::report
