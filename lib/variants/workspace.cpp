// SPDX-License-Identifier: GPL-2.0-or-later
// rpmbuild takes its directories from macros and its scripts take them from rpmbuild, unquoted: one fit path for all of them is safer than any
// amount of quoting. (A symbolic link with a fit name does not help: make and the kernel's makefiles ask for the physical name.)
#include "variants/workspace.hpp"

#include "common/process.hpp"

#include <bootbudget/error.hpp>

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <system_error>

namespace bootbudget::variants {

namespace fs = std::filesystem;

namespace {

constexpr std::array<const char *, 6> DIRECTORIES = {"SPECS", "SOURCES", "BUILD", "BUILDROOT", "RPMS", "tmp"};

fs::path base_for(const fs::path & wanted, Progress & progress) {
    fs::path base = wanted;
    if (base.empty()) {
        const char * temporary = std::getenv("TMPDIR");
        base = temporary != nullptr && *temporary != '\0' ? temporary : "/var/tmp";
    }
    std::error_code error;
    fs::path physical = fs::canonical(base, error);
    if (error) {
        throw SystemError(
            fmt::format("cannot use \"{}\" as the work directory (choose another with --work-dir)", base.string()),
            error.value());
    }
    if (is_fit_for_rpmbuild(physical.native())) {
        return physical;
    }
    for (const char * other : {"/var/tmp", "/tmp"}) {
        if (fs::is_directory(other, error) && ::access(other, W_OK | X_OK) == 0) {
            progress.warn(fmt::format(
                "rpmbuild and the kernel's makefiles cannot work below \"{}\": its name has characters that they do "
                "not quote. The build "
                "is done in {} instead.",
                physical.string(),
                other));
            return other;
        }
    }
    throw UserError(fmt::format(
        "rpmbuild and the kernel's makefiles cannot work below \"{}\": its name has characters that they do not quote. "
        "Give a directory "
        "without spaces and quotes with --work-dir.",
        physical.string()));
}

}  // namespace

bool is_fit_for_rpmbuild(std::string_view path) {
    return std::ranges::all_of(path, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte >= 0x80U || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("/._-+@,=").find(c) != std::string_view::npos;
    });
}

Workspace::Workspace(const fs::path & base, int jobs, Progress & progress)
    : directory_(base_for(base, progress)), jobs_(jobs) {
    for (const char * name : DIRECTORIES) {
        std::error_code error;
        fs::create_directory(top() / name, error);
        if (error) {
            throw SystemError(
                fmt::format("cannot create the directory \"{}\"", (top() / name).string()), error.value());
        }
    }
}

std::vector<std::string> Workspace::macro_arguments() const {
    const std::string top = this->top().native();
    std::vector<std::string> arguments;
    const auto define = [&](std::string_view name, const std::string & value) {
        arguments.insert(arguments.end(), {"--define", fmt::format("{} {}", name, value)});
    };
    define("_topdir", top);
    define("_specdir", top + "/SPECS");
    define("_sourcedir", top + "/SOURCES");
    define("_builddir", top + "/BUILD");
    define("_buildrootdir", top + "/BUILDROOT");
    define("_rpmdir", top + "/RPMS");
    define("_srcrpmdir", top + "/SRPMS");
    define("_tmppath", top + "/tmp");
    define("_smp_build_ncpus", std::to_string(jobs_));
    define("_smp_mflags", fmt::format("-j{}", jobs_));
    return arguments;
}

std::map<std::string, std::string> Workspace::environment() const {
    std::map<std::string, std::string> environment = common::plain_environment();
    environment["HOME"] = top().native();
    for (char ** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view variable = *entry;
        const std::size_t equals = variable.find('=');
        if (equals == std::string_view::npos) {
            continue;
        }
        const std::string_view name = variable.substr(0, equals);
        // Compilers and caches may live anywhere, and where they live is the caller's to say; the rest would only make builds differ.
        if (name == "PATH" || name == "HOME" || name == "SOURCE_DATE_EPOCH" || name == "XDG_CACHE_HOME" ||
            name == "XDG_CONFIG_HOME" || name.starts_with("CCACHE_")) {
            environment[std::string(name)] = variable.substr(equals + 1);
        }
    }
    environment["TMPDIR"] = top().native() + "/tmp";
    environment["RPM_BUILD_NCPUS"] = std::to_string(jobs_);
    return environment;
}

void Workspace::clear_build() const {
    for (const char * name : {"BUILD", "BUILDROOT", "RPMS", "tmp"}) {
        common::remove_tree(top() / name);
        std::error_code error;
        fs::create_directory(top() / name, error);
        if (error) {
            throw SystemError(
                fmt::format("cannot create the directory \"{}\"", (top() / name).string()), error.value());
        }
    }
}

}  // namespace bootbudget::variants
