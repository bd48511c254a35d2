// SPDX-License-Identifier: GPL-2.0-or-later
// bootbudget report: an earlier check's report.json in another form.
#include "report/writers.hpp"

#include "common/file.hpp"
#include "subcommand.hpp"
#include "usage.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <bootbudget/error.hpp>

#include <memory>

namespace bootbudget::cli {

namespace {

std::string parse_format(const std::string & word) {
    if (word != "text" && word != "junit" && word != "json") {
        throw UserError(fmt::format("--format is \"{}\"; expected text, junit or json.", word));
    }
    return word;
}

}  // namespace

void add_report(CLI::App & app, Surroundings & surroundings) {
    struct Options {
        std::string file;
        std::string format = "text";
    };
    auto options = std::make_shared<Options>();
    auto * command = app.add_subcommand("report", "Show an earlier report again, as text or JUnit XML");
    command->add_option("REPORT", options->file, "report.json, or the directory that holds it")->required();
    command
        ->add_option_function<std::string>(
            "-f,--format",
            [options](const std::string & word) { options->format = parse_format(word); },
            "The form to show it in (default: text)")
        ->type_name("text|junit|json");
    command->add_flag_callback(
        "--json", [options] { options->format = "json"; }, "The same as --format json");
    command->footer(
        std::string("Examples:\n"
                    "  bootbudget report bootbudget-report\n"
                    "  bootbudget report report.json --format junit > junit.xml\n\n"
                    "Exit status: 0 whatever the verdict was; 2 if there is no such report or it cannot be read as "
                    "one, 3 if reading failed.") +
        COMMON_OPTIONS);
    command->callback([options, &surroundings] {
        const auto file = find_report(options->file);
        const auto read = report::from_json(common::read_file(file, MAX_REPORT_BYTES), file.string());
        if (options->format == "json") {
            print(report::to_json(read));
        } else if (options->format == "junit") {
            print(report::to_junit(read));
        } else {
            print(report::to_text(read, style_for(STDOUT_FILENO, surroundings.colour)));
        }
    });
}

}  // namespace bootbudget::cli
