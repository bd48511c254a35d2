// SPDX-License-Identifier: GPL-2.0-or-later
// bootbudget report: an earlier check's report.json in another form.
#include "report/writers.hpp"

#include "common/file.hpp"
#include "subcommand.hpp"

#include <unistd.h>

#include <filesystem>
#include <memory>

namespace bootbudget::cli {

void add_report(CLI::App & app, Surroundings & surroundings) {
    struct Options {
        std::string file;
        std::string format = "text";
    };
    auto options = std::make_shared<Options>();
    auto * command = app.add_subcommand("report", "Show an earlier report again, as text or JUnit XML");
    command->add_option("REPORT", options->file, "report.json, or the directory that holds it")->required();
    command->add_option("-f,--format", options->format, "text, junit or json")
        ->check(CLI::IsMember({"text", "junit", "json"}))
        ->capture_default_str();
    command->footer(
        "Examples:\n"
        "  bootbudget report bootbudget-report\n"
        "  bootbudget report report.json --format junit > junit.xml\n\n"
        "The exit status is 0 whatever the verdict was.");
    command->callback([options, &surroundings] {
        std::filesystem::path file = options->file;
        if (std::filesystem::is_directory(file)) {
            file /= "report.json";
        }
        const auto read = report::from_json(common::read_file(file, std::size_t{64} << 20U), file.string());
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
