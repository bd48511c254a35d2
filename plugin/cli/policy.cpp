// SPDX-License-Identifier: GPL-2.0-or-later
// bootbudget policy check: every mistake of a policy file, before it matters.
#include "policy/policy.hpp"

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
        "Example:\n"
        "  bootbudget policy check policy.yaml      every mistake of a policy, with its line" +
        COMMON_OPTIONS);
    check->footer(
        std::string("Example:\n"
                    "  bootbudget policy check policy.yaml\n\n"
                    "Exit status: 0 if the policy can be used, else 2.") +
        COMMON_OPTIONS);
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
