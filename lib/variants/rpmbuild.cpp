// SPDX-License-Identifier: GPL-2.0-or-later
// Only binary packages are built (-bb): the source is at hand already, and who wants a source package of it does not want a kernel first.
#include "variants/rpmbuild.hpp"

#include <bootbudget/error.hpp>

#include <fmt/format.h>

#include <cerrno>

namespace bootbudget::variants {

namespace {

common::Command in_workspace(std::vector<std::string> argv, const Workspace & workspace) {
    common::Command command;
    command.argv = std::move(argv);
    command.environment = workspace.environment();
    command.working_directory = workspace.top();
    command.account = common::current_account();
    return command;
}

}  // namespace

std::string rpmbuild_version(const Workspace & workspace, std::stop_token stop) {
    constexpr std::string_view PREFIX = "RPM version ";
    try {
        const common::Captured captured = common::capture(in_workspace({"rpmbuild", "--version"}, workspace), stop);
        const std::string line = captured.output.substr(0, captured.output.find('\n'));
        return line.starts_with(PREFIX) ? line.substr(PREFIX.size()) : line;
    } catch (const SystemError & error) {
        if (error.error_number() != ENOENT) {
            throw;
        }
        throw SystemError(
            "rpmbuild is not installed: install it with \"dnf install rpm-build\" (Debian: \"apt-get install rpm\").");
    }
}

common::ProcessEnd run_rpmbuild(
    const StagedSource & staged,
    const Switches & switches,
    bool check_dependencies,
    const Workspace & workspace,
    BuildLog & log,
    BuildProgress & progress,
    std::stop_token stop) {
    std::vector<std::string> argv = {"rpmbuild", "-bb"};
    if (!check_dependencies) {
        argv.emplace_back("--nodeps");
    }
    for (const std::vector<std::string> & more : {workspace.macro_arguments(), to_arguments(switches)}) {
        argv.insert(argv.end(), more.begin(), more.end());
    }
    argv.push_back(staged.spec.native());
    common::Watch watch;
    watch.on_output = [&log](std::string_view bytes, common::Clock::time_point) { log.write(bytes); };
    watch.go_on = [&progress](common::Clock::time_point, const common::Tree &) {
        progress.tick();
        return true;
    };
    const common::ProcessEnd end = common::run(in_workspace(std::move(argv), workspace), watch, stop);
    if (end.cancelled) {
        throw Cancelled("The build was cancelled.");
    }
    log.finish();
    return end;
}

}  // namespace bootbudget::variants
