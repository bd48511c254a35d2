// SPDX-License-Identifier: GPL-2.0-or-later
// rpmbuild tells its stages by lines of its own ("Executing(%build): /bin/sh -e …", "Processing files: …"); everything else in between belongs to the
// spec's scripts. Each chunk is written and flushed as it comes, so that the file can be followed while the build runs.
#include "variants/build_log.hpp"

#include <bootbudget/error.hpp>

#include <fmt/format.h>

#include <cerrno>

namespace bootbudget::variants {

namespace {

constexpr std::size_t LONGEST_LINE = 64U << 10U;

/// The stage that a line of rpmbuild begins; empty for any other line.
std::string stage_begun_by(std::string_view line) {
    constexpr std::string_view EXECUTING = "Executing(%";
    if (line.starts_with(EXECUTING)) {
        const std::size_t end = line.find("): ", EXECUTING.size());
        if (end == std::string_view::npos || end > EXECUTING.size() + 32) {
            return {};
        }
        const std::string name = "%" + std::string(line.substr(EXECUTING.size(), end - EXECUTING.size()));
        return name == "%clean" ? std::string() : name;
    }
    return line.starts_with("Processing files: ") ? "packages" : "";
}

}  // namespace

BuildLog::BuildLog(std::filesystem::path path, std::function<void(const std::string &)> on_stage)
    : path_(std::move(path)), on_stage_(std::move(on_stage)), file_(path_, std::ios::binary) {
    check_file();
}

void BuildLog::check_file() {
    if (!file_) {
        throw SystemError(fmt::format("cannot write the build log \"{}\"", path_.string()), errno != 0 ? errno : EIO);
    }
}

void BuildLog::take_line(std::string_view line) {
    ++lines_;
    failure_.add(line);
    const std::string stage = stage_begun_by(line);
    if (!stage.empty() && stage != stage_) {
        stage_ = stage;
        on_stage_(stage_);
    }
}

void BuildLog::write(std::string_view bytes) {
    errno = 0;
    file_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    file_.flush();
    check_file();
    while (!bytes.empty()) {
        const std::size_t end = bytes.find('\n');
        pending_.append(bytes.substr(0, end));
        bytes.remove_prefix(end == std::string_view::npos ? bytes.size() : end + 1);
        if (end != std::string_view::npos || pending_.size() > LONGEST_LINE) {
            take_line(pending_);
            pending_.clear();
        }
    }
}

void BuildLog::finish() {
    if (!pending_.empty()) {
        take_line(pending_);
        pending_.clear();
    }
    errno = 0;
    file_.close();
    check_file();
}

}  // namespace bootbudget::variants
