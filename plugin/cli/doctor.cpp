// SPDX-License-Identifier: GPL-2.0-or-later
// bootbudget doctor: what this machine lacks.
#include "doctor/doctor.hpp"

#include "subcommand.hpp"
#include "usage.hpp"

#include <unistd.h>

#include <memory>

namespace bootbudget::cli {

void add_doctor(CLI::App & app, Surroundings & surroundings) {
    struct Options {
        std::string work_directory;
        std::string user;
        bool json = false;
    };
    auto options = std::make_shared<Options>();
    auto * command =
        app.add_subcommand("doctor", "Say what this machine has and lacks for each task, and how to mend it");
    command->add_option(
        "--work-dir", options->work_directory, "Where boot trees would be unpacked (default: $TMPDIR, else /var/tmp)");
    command->add_option("--user", options->user, "Account for the boots when started as root");
    command->add_flag("--json", options->json, "Print as JSON");
    command->footer(
        std::string("Examples:\n"
                    "  bootbudget doctor\n"
                    "  bootbudget doctor --json | jq '.examinations[] | select(.health != \"ok\")'\n\n"
                    "Exit status: 0 if `bootbudget check` can work here, else 3.") +
        COMMON_OPTIONS);
    command->callback([options, &surroundings] {
        const auto found = doctor::examine(options->work_directory, options->user, surroundings.stop);
        print(
            options->json ? doctor::to_json(found)
                          : doctor::to_text(found, style_for(STDOUT_FILENO, surroundings.colour).colour));
        surroundings.exit_status = doctor::exit_status(found);
    });
}

}  // namespace bootbudget::cli
