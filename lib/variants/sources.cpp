// SPDX-License-Identifier: GPL-2.0-or-later
// A kernel's spec may choose its sources by looking into _sourcedir, include them while it is parsed, or read them without declaring them. So every file at hand
// is linked there first, links being cheap, and only then is the spec asked what it needs.
#include "variants/sources.hpp"

#include "common/digest.hpp"
#include "common/process.hpp"
#include "common/units.hpp"
#include "variants/failure.hpp"

#include <bootbudget/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <sstream>
#include <string_view>
#include <system_error>

namespace bootbudget::variants {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view SOURCE_MARK = "bootbudget-source ";
constexpr std::chrono::seconds RPM_TIMEOUT{300};

std::string indented(const std::vector<std::string> & lines) {
    std::string text;
    for (const std::string & line : lines) {
        text += "\n  " + line;
    }
    return text;
}

std::vector<std::string> lines_of(const std::string & text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

std::string why_failed(const std::string & output) {
    Failure failure;
    for (const std::string & line : lines_of(output)) {
        failure.add(line);
    }
    return indented(failure.lines(10));
}

common::Captured run_rpm(std::vector<std::string> argv, const Workspace & workspace, std::stop_token stop) {
    common::Command command;
    command.argv = std::move(argv);
    command.environment = workspace.environment();
    command.working_directory = workspace.top();
    command.account = common::current_account();
    return common::capture(command, stop, RPM_TIMEOUT);
}

void link_files(const fs::path & directory, const Workspace & workspace) {
    std::error_code error;
    fs::directory_iterator entries(directory, error);
    if (error) {
        throw UserError(fmt::format(
            "The source directory \"{}\" cannot be read ({}). Check --source-dir.",
            directory.string(),
            error.message()));
    }
    for (const fs::directory_entry & entry : entries) {
        if (!entry.is_regular_file(error)) {
            continue;
        }
        const fs::path link = workspace.sources() / entry.path().filename();
        if (fs::exists(fs::symlink_status(link, error))) {
            continue;  // an earlier directory has it
        }
        fs::create_symlink(entry.path(), link, error);
        if (error) {
            throw SystemError(
                fmt::format("cannot link \"{}\" to \"{}\"", link.string(), entry.path().string()), error.value());
        }
    }
}

void copy_spec(const fs::path & source, StagedSource & staged, const Workspace & workspace) {
    const std::string name = source.filename().native();
    staged.spec = workspace.specs() / (is_fit_for_rpmbuild(name) && !name.starts_with('-') ? name : "package.spec");
    std::error_code error;
    fs::copy_file(source, staged.spec, error);
    if (error) {
        throw UserError(fmt::format("The spec \"{}\" cannot be read: {}.", source.string(), error.message()));
    }
    staged.sha256 = common::sha256_of_file(staged.spec);
    const fs::path beside = fs::absolute(source).parent_path();
    staged.searched.push_back(beside);
    if (fs::is_directory(beside / "configs", error)) {
        staged.searched.push_back(beside / "configs");
    }
}

void unpack_source_package(
    const fs::path & source, StagedSource & staged, const Workspace & workspace, std::stop_token stop) {
    // rpm expands its arguments like a shell does, hence a plain name; and it must not touch the machine's own package database.
    const fs::path link = workspace.top() / "source.src.rpm";
    std::error_code error;
    fs::create_symlink(fs::absolute(source), link, error);
    if (error) {
        throw SystemError(fmt::format("cannot link \"{}\" to \"{}\"", link.string(), source.string()), error.value());
    }
    staged.sha256 = common::sha256_of_file(source);
    std::vector<std::string> argv = {
        "rpm", "--install", "--nosignature", "--dbpath", (workspace.top() / "db").native()};
    const std::vector<std::string> macros = workspace.macro_arguments();
    argv.insert(argv.end(), macros.begin(), macros.end());
    argv.push_back(link.native());
    const common::Captured rpm = run_rpm(std::move(argv), workspace, stop);
    if (rpm.end.signal != 0 || rpm.end.exit_status != 0) {
        throw UserError(fmt::format(
            "The source package \"{}\" cannot be unpacked; it may be damaged. rpm says:{}",
            source.string(),
            why_failed(rpm.output)));
    }
    for (const fs::directory_entry & entry : fs::directory_iterator(workspace.specs())) {
        if (entry.path().extension() == ".spec") {
            if (!staged.spec.empty()) {
                throw UserError(fmt::format(
                    "The source package \"{}\" has two specs, {} and {}; unpack it and build one of them.",
                    source.string(),
                    staged.spec.filename().string(),
                    entry.path().filename().string()));
            }
            staged.spec = entry.path();
        }
    }
    if (staged.spec.empty()) {
        throw UserError(fmt::format("\"{}\" has no spec in it: it is not a source package.", source.string()));
    }
    staged.searched.push_back(fs::absolute(source));
}

}  // namespace

StagedSource stage(
    const fs::path & source,
    const std::vector<fs::path> & source_directories,
    const Workspace & workspace,
    std::stop_token stop) {
    const std::string name = source.filename().native();
    const bool is_spec = source.extension() == ".spec";
    const bool is_package = name.ends_with(".src.rpm") || name.ends_with(".nosrc.rpm");
    std::error_code error;
    if (fs::is_directory(source, error)) {
        throw UserError(fmt::format(
            "\"{}\" is a directory; give the .spec or .src.rpm in it.", common::printable(source.native())));
    }
    if (!fs::is_regular_file(source, error)) {
        throw UserError(fmt::format(
            "There is no file \"{}\" to build. Give a .spec or a .src.rpm.", common::printable(source.native())));
    }
    if (!is_spec && !is_package) {
        throw UserError(
            fmt::format("\"{}\" cannot be built: give a .spec or a .src.rpm.", common::printable(source.native())));
    }
    StagedSource staged;
    staged.file = name;
    for (const fs::path & directory : source_directories) {
        if (!fs::is_directory(directory, error)) {
            throw UserError(
                fmt::format("The source directory \"{}\" is no directory. Check --source-dir.", directory.string()));
        }
    }
    if (is_spec) {
        copy_spec(source, staged, workspace);
    } else {
        unpack_source_package(source, staged, workspace, stop);
    }
    for (const fs::path & directory : source_directories) {
        staged.searched.push_back(fs::absolute(directory));
    }
    for (const fs::path & directory : staged.searched) {
        if (fs::is_directory(directory, error)) {
            link_files(directory, workspace);
        }
    }
    return staged;
}

std::set<std::string> sources_of(
    const StagedSource & staged, const Switches & switches, const Workspace & workspace, std::stop_token stop) {
    std::vector<std::string> argv = {
        "rpmspec",
        "--query",
        "--srpm",
        "--queryformat",
        fmt::format("[{0}%{{source}}\\n][{0}%{{patch}}\\n]", SOURCE_MARK)};
    for (const std::vector<std::string> & more : {workspace.macro_arguments(), to_arguments(switches)}) {
        argv.insert(argv.end(), more.begin(), more.end());
    }
    argv.push_back(staged.spec.native());
    const common::Captured rpmspec = run_rpm(std::move(argv), workspace, stop);
    if (rpmspec.end.signal != 0 || rpmspec.end.exit_status != 0) {
        throw UserError(fmt::format(
            "rpm cannot parse the spec of {} with {}:{}{}",
            staged.file,
            to_text(switches),
            why_failed(rpmspec.output),
            rpmspec.output.find(workspace.sources().native()) != std::string::npos
                ? "\nA source may be missing: give the directory that has it with --source-dir."
                : ""));
    }
    std::set<std::string> names;
    for (const std::string & line : lines_of(rpmspec.output)) {
        if (line.starts_with(SOURCE_MARK)) {
            names.insert(fs::path(line.substr(SOURCE_MARK.size())).filename().native());
        }
    }
    names.erase("(none)");  // what rpm prints for a spec without any
    names.erase("");
    return names;
}

void require_sources(const StagedSource & staged, const std::set<std::string> & names, const Workspace & workspace) {
    std::vector<std::string> missing;
    for (const std::string & name : names) {
        std::error_code error;
        if (!fs::exists(workspace.sources() / name, error)) {
            missing.push_back(common::printable(name));
        }
    }
    if (missing.empty()) {
        return;
    }
    std::vector<std::string> searched;
    for (const fs::path & directory : staged.searched) {
        searched.push_back(directory.string());
    }
    throw UserError(fmt::format(
        "{} needs {} that {} not found: {}. Looked in:{}\nGive the directory that has {} with --source-dir.",
        staged.file,
        missing.size() == 1 ? "a source" : "sources",
        missing.size() == 1 ? "was" : "were",
        fmt::join(missing, ", "),
        indented(searched),
        missing.size() == 1 ? "it" : "them"));
}

}  // namespace bootbudget::variants
