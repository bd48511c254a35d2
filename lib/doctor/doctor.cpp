// SPDX-License-Identifier: GPL-2.0-or-later
// Looking and judging are two steps: what is judged is a value, so every sick machine can be made up in a test. Here they are put together and shown.
#include "doctor/doctor.hpp"

#include "common/units.hpp"
#include "doctor/judgement.hpp"
#include "doctor/machine.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string_view>

namespace bootbudget::doctor {

namespace {

std::string_view to_string(Health health) {
    switch (health) {
        case Health::OK:
            return "ok";
        case Health::WARNING:
            return "warning";
        case Health::MISSING:
            return "missing";
    }
    return "?";
}

std::string mark(Health health, bool colour) {
    switch (health) {
        case Health::OK:
            return colour ? "\033[32m✓\033[0m" : "✓";
        case Health::WARNING:
            return colour ? "\033[33m!\033[0m" : "!";
        case Health::MISSING:
            return colour ? "\033[31m✗\033[0m" : "✗";
    }
    return "?";
}

/// One line that says how each task fares.
std::string conclusion(const std::vector<Examination> & examinations, const std::string & task) {
    const auto count = [&](Health health) {
        return std::ranges::count_if(
            examinations, [&](const Examination & e) { return e.task == task && e.health == health; });
    };
    const auto missing = count(Health::MISSING);
    const auto warnings = count(Health::WARNING);
    const std::string warned = warnings == 0 ? "" : fmt::format(", {} warning{}", warnings, warnings == 1 ? "" : "s");
    return missing == 0 ? fmt::format("bootbudget {} can run here{}.\n", task, warned)
                        : fmt::format(
                              "bootbudget {} cannot run here: {} thing{} missing{}.\n",
                              task,
                              missing,
                              missing == 1 ? " is" : "s are",
                              warned);
}

std::vector<std::string> tasks_of(const std::vector<Examination> & examinations) {
    std::vector<std::string> tasks;
    for (const Examination & examination : examinations) {
        if (std::ranges::find(tasks, examination.task) == tasks.end()) {
            tasks.push_back(examination.task);
        }
    }
    return tasks;
}

}  // namespace

std::vector<Examination> examine(
    const std::filesystem::path & work_directory, const std::string & user, std::stop_token stop) {
    return judge(look(work_directory, user, stop));
}

std::string to_text(const std::vector<Examination> & examinations, bool colour) {
    std::size_t width = 0;  // of the names, which are ASCII
    for (const Examination & examination : examinations) {
        width = std::max(width, examination.what.size());
    }
    std::string text;
    const std::vector<std::string> tasks = tasks_of(examinations);
    for (const std::string & task : tasks) {
        text += (text.empty() ? "" : "\n") + task + "\n";
        for (const Examination & examination : examinations) {
            if (examination.task != task) {
                continue;
            }
            text += fmt::format(
                "  {} {:<{}}  {}\n",
                mark(examination.health, colour),
                examination.what,
                width,
                common::printable(examination.found));
            if (!examination.remedy.empty()) {
                text += fmt::format("    {:<{}}  → {}\n", "", width, common::printable(examination.remedy));
            }
        }
    }
    text += "\n";
    for (const std::string & task : tasks) {
        text += conclusion(examinations, task);
    }
    return text;
}

std::string to_json(const std::vector<Examination> & examinations) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Examination & examination : examinations) {
        list.push_back(
            {{"task", examination.task},
             {"what", examination.what},
             {"health", to_string(examination.health)},
             {"found", common::printable(examination.found)},
             {"remedy", common::printable(examination.remedy)}});
    }
    const nlohmann::ordered_json document = {
        {"schema", "bootbudget-doctor/1"},
        {"tool", {{"name", "bootbudget"}, {"version", BOOTBUDGET_VERSION}}},
        {"exit_status", exit_status(examinations)},
        {"examinations", list}};
    return document.dump(2) + "\n";
}

int exit_status(const std::vector<Examination> & examinations) {
    const bool missing = std::ranges::any_of(
        examinations, [](const Examination & e) { return e.task == "check" && e.health == Health::MISSING; });
    return missing ? 3 : 0;
}

}  // namespace bootbudget::doctor
