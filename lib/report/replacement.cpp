// SPDX-License-Identifier: GPL-2.0-or-later
// A report appears under its name in one step. Where an earlier one stands there, both names are swapped, so that whoever looks sees the
// old or the new report and nothing else. Nothing but earlier reports is ever moved away: somebody's other files are not ours.
#include "report/replacement.hpp"

#include "common/file.hpp"
#include "common/units.hpp"

#include <bootbudget/error.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <stdio.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

namespace bootbudget::report {

namespace {

namespace fs = std::filesystem;

/// How often what others may be changing is looked at again.
constexpr int LOOKS = 100;

constexpr std::size_t MAX_REPORT = std::size_t{64} << 20U;

/// What a check writes; a directory with anything else in it is not replaced.
constexpr std::array<std::string_view, 5> ENTRIES{"report.json", "report.txt", "junit.xml", "logs", ".lock"};

bool is_report(const fs::path & file) {
    try {
        const auto document = nlohmann::json::parse(common::read_file(file, MAX_REPORT), nullptr, false);
        const auto schema = document.is_object() ? document.find("schema") : document.end();
        return schema != document.end() && schema->is_string() &&
               schema->get<std::string>().rfind("bootbudget-report/", 0) == 0;
    } catch (const Error &) {
        return false;
    }
}

/// renameat2() gives false, with errno, where rename would replace or the kernel or file system knows no such flag.
bool rename_with(const fs::path & from, const fs::path & to, unsigned flags) {
    return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags) == 0;
}

bool is_unsupported(int error) {
    return error == EINVAL || error == ENOSYS || error == EOPNOTSUPP;
}

[[noreturn]] void fail(const fs::path & fresh, const fs::path & final_path, int error) {
    throw SystemError(fmt::format("cannot give the report {} its name {}", fresh.string(), final_path.string()), error);
}

void must_be_free(const fs::path & final_path) {
    if (const std::string objection = objection_to(final_path); !objection.empty()) {
        throw UserError(fmt::format(
            "{} {}; it is left as it is. Choose another directory for the report.", final_path.string(), objection));
    }
}

/// Without a swap: the earlier report steps aside, and back if the new one cannot take its place.
void replace_in_steps(const fs::path & fresh, const fs::path & final_path) {
    if (::rename(fresh.c_str(), final_path.c_str()) == 0) {
        return;  // there was nothing, or an empty directory
    }
    if (errno != ENOTEMPTY && errno != EEXIST) {
        fail(fresh, final_path, errno);
    }
    must_be_free(final_path);
    const fs::path aside = fresh.string() + ".earlier";
    if (::rename(final_path.c_str(), aside.c_str()) != 0) {
        fail(fresh, final_path, errno);
    }
    if (::rename(fresh.c_str(), final_path.c_str()) != 0) {
        const int error = errno;
        ::rename(aside.c_str(), final_path.c_str());
        fail(fresh, final_path, error);
    }
    ::rename(aside.c_str(), fresh.c_str());
}

/// What has the name now: device and inode, or nothing.
std::optional<std::pair<dev_t, ino_t>> identity(const fs::path & path) {
    struct stat status {};
    return ::lstat(path.c_str(), &status) == 0 ? std::optional(std::pair(status.st_dev, status.st_ino)) : std::nullopt;
}

std::string objection_at_a_glance(const fs::path & path) {
    std::error_code error;
    const fs::file_status status = fs::symlink_status(path, error);
    if (status.type() == fs::file_type::not_found) {
        return "";
    }
    if (status.type() != fs::file_type::directory) {
        return "exists and is not a directory";
    }
    bool empty = true;
    bool report = false;
    for (fs::directory_iterator entry(path, error); !error && entry != fs::directory_iterator();
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (std::find(ENTRIES.begin(), ENTRIES.end(), name) == ENTRIES.end()) {
            return fmt::format("holds \"{}\", which no check wrote", common::printable(name, 200));
        }
        empty = false;
        report = report || name == "report.json";
    }
    if (error) {
        return fmt::format("cannot be read ({})", error.message());
    }
    if (empty) {
        return "";
    }
    return report && is_report(path / "report.json") ? "" : "is not empty and holds no report of an earlier check";
}

}  // namespace

std::string objection_to(const fs::path & path) {
    // An earlier report that another check has just replaced is taken apart under our eyes; what is left of it is no reason
    // to refuse the new one that has the name now.
    for (int glance = 0; glance < LOOKS; ++glance) {
        const auto looked_at = identity(path);
        std::string objection = objection_at_a_glance(path);
        if (objection.empty() || identity(path) == looked_at) {
            return objection;
        }
    }
    return "is replaced by other checks all the time";
}

void replace(const fs::path & fresh, const fs::path & final_path, Swap swap) {
    if (swap == Swap::NEVER) {
        replace_in_steps(fresh, final_path);
        return;
    }
    // The other name may come and go while we look (another check with the same output); a few rounds settle that.
    for (int round = 0; round < LOOKS; ++round) {
        if (rename_with(fresh, final_path, RENAME_NOREPLACE)) {
            return;
        }
        if (is_unsupported(errno)) {
            replace_in_steps(fresh, final_path);
            return;
        }
        if (errno != EEXIST) {
            fail(fresh, final_path, errno);
        }
        must_be_free(final_path);
        if (rename_with(fresh, final_path, RENAME_EXCHANGE)) {
            return;
        }
        if (is_unsupported(errno)) {
            replace_in_steps(fresh, final_path);
            return;
        }
        if (errno != ENOENT) {
            fail(fresh, final_path, errno);
        }
    }
    fail(fresh, final_path, EBUSY);
}

}  // namespace bootbudget::report
