// SPDX-License-Identifier: GPL-2.0-or-later
// bootbudget policy check: every mistake of a policy file, before it matters. bootbudget policy suggest: a policy from what was measured.
#include "policy/policy.hpp"
#include "policy/suggest.hpp"
#include "report/writers.hpp"

#include "common/file.hpp"
#include "common/units.hpp"
#include "subcommand.hpp"
#include "usage.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <memory>

namespace bootbudget::cli {

namespace {

std::string to_json(const policy::Loaded & loaded) {
    auto mistakes = nlohmann::ordered_json::array();
    for (const auto & mistake : loaded.mistakes) {
        mistakes.push_back(
            {{"file", mistake.file}, {"line", mistake.line}, {"column", mistake.column}, {"text", mistake.text}});
    }
    return nlohmann::ordered_json{
               {"schema", "bootbudget-policy-check/1"}, {"ok", loaded.policy.has_value()}, {"mistakes", mistakes}}
               .dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
           "\n";
}

/// "25%" → 0.25; any percentage up to 1000 %, 0 too: one that asks for no margin at all is odd, but no mistake.
double parse_margin(const std::string & word) {
    constexpr double MOST = 10;
    const bool percent = !word.empty() && word.back() == '%';
    // A percentage has the form of a ratio, but for its sign.
    const auto number = percent ? common::parse_quantity(word.substr(0, word.size() - 1) + "x") : std::nullopt;
    if (!number || number->value > MOST * 100) {
        throw UserError(fmt::format("--margin is \"{}\"; expected a percentage from 0% to 1000%, such as 25%.", word));
    }
    return number->value / 100;
}

void add_suggest(CLI::App & policy) {
    struct Options {
        std::string file;
        double margin = 0.25;
    };
    auto options = std::make_shared<Options>();
    auto * suggest = policy.add_subcommand("suggest", "Propose a policy from the boots of an earlier check");
    suggest->add_option("REPORT", options->file, "report.json, or the directory that holds it")->required();
    suggest
        ->add_option_function<std::string>(
            "--margin",
            [options](const std::string & word) { options->margin = parse_margin(word); },
            "How far above what was measured the limits lie (default: 25%)")
        ->type_name("PERCENT");
    suggest->footer(
        std::string("Examples:\n"
                    "  bootbudget policy suggest bootbudget-report > policy.yaml\n"
                    "  bootbudget policy suggest report.json --margin 10%\n\n"
                    "The policy goes to standard output, each limit with its reason as a comment.\n"
                    "Exit status: 0; 2 if there is no such report or no limit can be taken from it, 3 if reading "
                    "failed.") +
        COMMON_OPTIONS);
    suggest->callback([options] {
        const auto file = find_report(options->file);
        const auto report = report::from_json(common::read_file(file, MAX_REPORT_BYTES), file.string());
        print(policy::suggest(report, options->margin, file.string()));
    });
}

}  // namespace

void add_policy(CLI::App & app, Surroundings & surroundings) {
    struct Options {
        std::string file;
        bool json = false;
    };
    auto options = std::make_shared<Options>();
    auto * command = app.add_subcommand("policy", "Work with policy files");
    command->require_subcommand(1);
    auto * check = command->add_subcommand("check", "Read a policy and list all of its mistakes");
    check->add_option("POLICY", options->file, "Policy file, or the name of a ready policy")->required();
    check->add_flag("--json", options->json, "Print as JSON");
    command->footer(
        "Examples:\n"
        "  bootbudget policy check policy.yaml      every mistake of a policy, with its line\n"
        "  bootbudget policy suggest report.json    a policy with limits from what was measured" +
        COMMON_OPTIONS);
    check->footer(
        std::string("Example:\n"
                    "  bootbudget policy check policy.yaml\n\n"
                    "Exit status: 0 if the policy can be used, else 2.") +
        COMMON_OPTIONS);
    add_suggest(*command);
    check->callback([options, &surroundings] {
        const auto file = find_policy(options->file);
        const auto loaded = policy::load(file);
        surroundings.exit_status = loaded.policy ? 0 : 2;
        if (options->json) {
            print(to_json(loaded));
            return;
        }
        if (loaded.policy) {
            print(fmt::format(
                "{}: {} variants, {} budgets: no mistakes.\n",
                file,
                loaded.policy->variants.size(),
                loaded.policy->budgets.size()));
            return;
        }
        std::string text;
        for (const auto & mistake : loaded.mistakes) {
            text += fmt::format("{}:{}:{}: {}\n", mistake.file, mistake.line, mistake.column, mistake.text);
        }
        print(text + fmt::format("{} mistake{}.\n", loaded.mistakes.size(), loaded.mistakes.size() == 1 ? "" : "s"));
    });
}

}  // namespace bootbudget::cli
