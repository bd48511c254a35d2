// SPDX-License-Identifier: GPL-2.0-or-later
// The log on disk is what arrived, byte for byte, so that it can be read again later by anything. Lines exist only in memory, beside it.
#include "boot/console_log.hpp"

#include <bootbudget/error.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <utility>

namespace bootbudget::boot {

namespace {

constexpr std::size_t MAX_LINE = 64U << 10U;

}  // namespace

ConsoleLog::ConsoleLog(std::filesystem::path path, std::size_t max_bytes) : path_(std::move(path)), left_(max_bytes) {
    file_ = common::Descriptor(::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0644));
    if (!file_) {
        throw SystemError(fmt::format("cannot create the console log {}", path_.string()), errno);
    }
}

void ConsoleLog::write(std::string_view bytes) {
    if (full_) {
        return;
    }
    if (bytes.size() <= left_) {
        left_ -= bytes.size();
        write_all(bytes);
        return;
    }
    full_ = true;
    write_all(bytes.substr(0, left_));
    write_all("\n[bootbudget: the console log is full, the rest of it was not kept]\n");
}

void ConsoleLog::write_all(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto written = ::write(file_.number(), bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written < 0) {
            throw SystemError(fmt::format("cannot write the console log {}", path_.string()), errno);
        }
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

std::vector<TimedLine> LineCutter::take(std::string_view bytes, double seconds) {
    std::vector<TimedLine> lines;
    while (!bytes.empty()) {
        const auto newline = bytes.find('\n');
        const auto part = bytes.substr(0, newline);
        open_ += part.substr(0, MAX_LINE - std::min(MAX_LINE, open_.size()));
        if (newline == std::string_view::npos) {
            break;
        }
        lines.push_back({std::exchange(open_, {}), seconds});
        bytes.remove_prefix(newline + 1);
    }
    return lines;
}

std::vector<TimedLine> LineCutter::finish(double seconds) {
    std::vector<TimedLine> lines;
    if (!open_.empty()) {
        lines.push_back({std::exchange(open_, {}), seconds});
    }
    return lines;
}

}  // namespace bootbudget::boot
