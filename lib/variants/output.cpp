// SPDX-License-Identifier: GPL-2.0-or-later
// Nobody ever sees half an output: it is one rename(2), or, over an earlier output, one exchange of two names. And nobody loses a file: what is replaced must
// consist of nothing but what its own manifest lists.
#include "variants/output.hpp"

#include "variants/manifest.hpp"

#include <bootbudget/error.hpp>

#include <fmt/format.h>

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>
#include <set>
#include <system_error>

namespace bootbudget::variants {

namespace fs = std::filesystem;

namespace {

/// Throws UserError unless the directory may be replaced.
void require_replaceable(const fs::path & directory) {
    std::error_code error;
    if (!fs::is_directory(directory, error)) {
        throw UserError(
            fmt::format("The output \"{}\" exists and is no directory. Choose another name.", directory.string()));
    }
    std::set<std::string> present;
    for (const fs::directory_entry & entry : fs::directory_iterator(directory, error)) {
        present.insert(entry.path().filename().native());
    }
    if (error) {
        throw SystemError(fmt::format("cannot read the directory \"{}\"", directory.string()), error.value());
    }
    if (present.empty()) {
        return;
    }
    const std::set<std::string> own = files_by_manifest(directory);
    if (own.empty()) {
        throw UserError(fmt::format(
            "The output directory \"{}\" has other files in it and is no earlier output of a build. Choose another "
            "name or empty it.",
            directory.string()));
    }
    for (const std::string & name : present) {
        if (!own.contains(name)) {
            throw UserError(fmt::format(
                "The output directory \"{}\" is an earlier build to which \"{}\" was added, so it is not replaced. "
                "Move it away or choose "
                "another name.",
                directory.string(),
                name));
        }
    }
}

}  // namespace

Output::Output(const fs::path & final_path) {
    std::error_code error;
    final_ = fs::weakly_canonical(fs::absolute(final_path), error);
    if (error || final_path.empty()) {
        throw UserError(fmt::format("\"{}\" cannot be an output directory. Choose another name.", final_path.string()));
    }
    if (!final_.has_filename()) {
        final_ = final_.parent_path();  // "DIR/"
    }
    const fs::path parent = final_.parent_path();
    if (!fs::is_directory(parent, error)) {
        throw UserError(
            fmt::format("The directory \"{}\" for the output does not exist. Create it first.", parent.string()));
    }
    if (fs::exists(fs::symlink_status(final_, error))) {
        require_replaceable(final_);
    }
    if (::access(parent.c_str(), W_OK | X_OK) != 0) {
        throw SystemError(fmt::format("cannot write the output into the directory \"{}\"", parent.string()), errno);
    }
    common::remove_stale(parent);
    holder_ = std::make_unique<common::TemporaryDirectory>(parent);
    content_ = holder_->path() / "output";
    fs::create_directory(content_, error);
    if (error) {
        throw SystemError(fmt::format("cannot create the directory \"{}\"", content_.string()), error.value());
    }
}

fs::path Output::failed_log() const {
    return fs::path(final_.native() + ".failed.log");
}

fs::path Output::keep_failed_log(const std::string & file) {
    std::error_code error;
    fs::rename(content_ / file, failed_log(), error);
    if (error) {
        throw SystemError(fmt::format("cannot keep the log as \"{}\"", failed_log().string()), error.value());
    }
    return failed_log();
}

void Output::commit() {
    // The exchange fails where there is nothing to exchange with, and on the few file systems that cannot do it.
    if (::renameat2(AT_FDCWD, content_.c_str(), AT_FDCWD, final_.c_str(), RENAME_EXCHANGE) != 0) {
        std::error_code error;
        fs::rename(content_, final_, error);  // over nothing or an empty directory
        if (error == std::errc::directory_not_empty || error == std::errc::file_exists) {
            fs::rename(final_, holder_->path() / "replaced", error);
            if (!error) {
                fs::rename(content_, final_, error);
                std::error_code ignored;
                if (error) {
                    fs::rename(holder_->path() / "replaced", final_, ignored);
                }
            }
        }
        if (error) {
            throw SystemError(fmt::format("cannot give the output its name \"{}\"", final_.string()), error.value());
        }
    }
    std::error_code error;
    if (fs::is_regular_file(fs::symlink_status(failed_log(), error))) {
        fs::remove(failed_log(), error);
    }
}

}  // namespace bootbudget::variants
