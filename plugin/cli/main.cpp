// SPDX-License-Identifier: GPL-2.0-or-later
// The command: reads its arguments, calls the library, shows the result. Every error ends here, as one sentence on standard error and an exit status.
#include "interruption.hpp"
#include "subcommand.hpp"
#include "usage.hpp"

#include <fmt/format.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <sysexits.h>
#include <bootbudget/error.hpp>

#include <clocale>
#include <cstdio>
#include <filesystem>
#include <memory>

namespace bootbudget::cli {

namespace {

void complain(const std::string & sentence) {
    std::fputs(fmt::format("bootbudget: {}\n", sentence).c_str(), stderr);
}

void start_logging(bool verbose) {
    auto logger = spdlog::stderr_logger_mt("bootbudget");
    logger->set_pattern("bootbudget: %l: %v");
    logger->set_level(verbose ? spdlog::level::debug : spdlog::level::warn);
    spdlog::set_default_logger(std::move(logger));
}

/// Parses, and so runs the subcommand that is named; help and version are results like others, a full disk behind them too.
void parse(CLI::App & app, int argc, char ** argv) {
    try {
        app.parse(argc, argv);
    } catch (const CLI::CallForHelp &) {
        print(app.help());
    } catch (const CLI::CallForVersion & version) {
        print(fmt::format("{}\n", version.what()));
    } catch (const CLI::ParseError & error) {
        throw UserError(usage_mistake(app, error));
    }
}

int run(int argc, char ** argv) {
    std::setlocale(LC_CTYPE, "");
    const Interruption interruption;
    Surroundings surroundings;
    surroundings.stop = interruption.token();
    bool verbose = false;

    CLI::App app(
        "Boots freshly built kernel packages under software emulation and says whether each variant keeps its time "
        "budget.",
        "bootbudget");
    app.set_version_flag("--version", "bootbudget " BOOTBUDGET_VERSION);
    app.require_subcommand(1);
    app.fallthrough();
    app.add_flag("-q,--quiet", surroundings.quiet, "No progress, only warnings and the result");
    app.add_flag("-v,--verbose", verbose, "Say what is being done, on standard error");
    app.add_option_function<std::string>(
           "--color",
           [&surroundings](const std::string & word) { surroundings.colour = parse_colour_wish(word); },
           "Whether results have colours; auto: on a terminal, unless NO_COLOR is set")
        ->type_name("auto|always|never");
    app.parse_complete_callback([&verbose] { start_logging(verbose); });
    app.footer(
        "Examples:\n"
        "  bootbudget doctor                        does this machine have what it takes?\n"
        "  bootbudget build kernel.spec -o RPMS     build the variants\n"
        "  bootbudget check RPMS -p policy.yaml     boot, judge, report\n\n"
        "bootbudget COMMAND --help says more about each command.");
    add_check(app, surroundings);
    add_build(app, surroundings);
    add_report(app, surroundings);
    add_policy(app, surroundings);
    add_doctor(app, surroundings);

    try {
        parse(app, argc, argv);
        return surroundings.exit_status;
    } catch (const Cancelled &) {
        complain(fmt::format("Stopped by signal {}; nothing was left behind.", interruption.signal()));
        return 128 + interruption.signal();
    } catch (const UserError & error) {
        complain(error.what());
        return 2;
    } catch (const SystemError & error) {
        complain(error.what());
        return 3;
    } catch (const std::filesystem::filesystem_error & error) {
        complain(fmt::format("Cannot work with \"{}\": {}.", error.path1().string(), error.code().message()));
        return 3;
    } catch (const std::exception & error) {
        complain(fmt::format(
            "This is a bug in bootbudget {}, please report it with what you did: {}",
            BOOTBUDGET_VERSION,
            error.what()));
        return EX_SOFTWARE;
    }
}

}  // namespace

}  // namespace bootbudget::cli

int main(int argc, char ** argv) {
    return bootbudget::cli::run(argc, argv);
}
