// SPDX-License-Identifier: GPL-2.0-or-later
// Packages of two runs that share a name are compared by what they install (names, modes, file digests, link targets), asked from rpm(8), because the package
// files themselves always differ: they carry their build time.
#include "variants/built_packages.hpp"

#include "common/digest.hpp"
#include "common/process.hpp"

#include <bootbudget/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <system_error>

namespace bootbudget::variants {

namespace fs = std::filesystem;

namespace {

std::string contents_of(const fs::path & package, const Workspace & workspace, std::stop_token stop) {
    common::Command command;
    command.argv = {
        "rpm",
        "--query",
        "--nosignature",
        "--dbpath",
        (workspace.top() / "db").native(),
        "--queryformat",
        "[%{FILEMODES:octal} %{FILEDIGESTS} %{FILELINKTOS} %{FILENAMES}\\n]",
        "--package",
        package.native()};
    command.environment = workspace.environment();
    command.working_directory = workspace.top();
    command.account = common::current_account();
    const common::Captured rpm = common::capture(command, stop, std::chrono::seconds(300), std::size_t{256} << 20U);
    if (rpm.end.signal != 0 || rpm.end.exit_status != 0) {
        throw SystemError(fmt::format("rpm cannot read the package \"{}\" that was just built.", package.string()));
    }
    return rpm.output;
}

/// Whether a listing of contents_of() has the image or a module of a kernel.
bool holds_kernel(const std::string & contents) {
    return contents.find(" /lib/modules/") != std::string::npos ||
           contents.find(" /usr/lib/modules/") != std::string::npos ||
           contents.find(" /boot/vmlinuz") != std::string::npos;
}

/// Across file systems too: the work directory and the output need not share one.
void move_file(const fs::path & from, const fs::path & to) {
    std::error_code error;
    fs::rename(from, to, error);
    if (error == std::errc::cross_device_link) {
        fs::copy_file(from, to, error);
    }
    if (error) {
        throw SystemError(
            fmt::format("cannot put the package \"{}\" into the output", to.filename().string()), error.value());
    }
}

}  // namespace

std::vector<BuiltPackage> PackagePool::take(const std::string & variant, std::stop_token stop) {
    std::vector<fs::path> files;
    for (const fs::directory_entry & entry : fs::recursive_directory_iterator(workspace_.packages())) {
        if (entry.is_regular_file() && entry.path().extension() == ".rpm") {
            files.push_back(entry.path());
        }
    }
    std::ranges::sort(files, {}, [](const fs::path & file) { return file.filename(); });
    std::vector<BuiltPackage> packages;
    for (const fs::path & file : files) {
        BuiltPackage package{file.filename().native(), common::sha256_of_file(file), "", true};
        const fs::path destination = directory_ / package.file;
        const auto [owner, is_new] = owners_.emplace(package.file, variant);
        if (is_new) {
            move_file(file, destination);
        } else {
            // The pool's directory may have a name that rpm would expand, so the kept file is looked at through a link.
            const fs::path kept = workspace_.top() / "kept.rpm";
            std::error_code error;
            fs::remove(kept, error);
            fs::create_symlink(destination, kept, error);
            if (error) {
                throw SystemError(fmt::format("cannot link \"{}\"", kept.string()), error.value());
            }
            const std::string contents = contents_of(file, workspace_, stop);
            package.kept_from = owner->second;
            package.same_contents = contents == contents_of(kept, workspace_, stop);
            if (!package.same_contents && holds_kernel(contents)) {
                throw UserError(fmt::format(
                    "The variants \"{}\" and \"{}\" both build {}, with different kernels in it: only one of them can "
                    "be kept. Switch the "
                    "package off in one of them, or give one another release (define=baserelease=2).",
                    owner->second,
                    variant,
                    package.file));
            }
        }
        packages.push_back(std::move(package));
    }
    return packages;
}

}  // namespace bootbudget::variants
