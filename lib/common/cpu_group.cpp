// SPDX-License-Identifier: GPL-2.0-or-later
// Only a group knows the CPU time of a whole tree at any moment and whatever its processes do to each other; wait4(2) learns of a child's time when
// that is reaped. The group has no limits and enables no controller, so that it may lie beside the processes of its parent.
#include "common/cpu_group.hpp"

#include <signal.h>
#include <spdlog/spdlog.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <fmt/format.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

namespace bootbudget::common {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view PREFIX = "bootbudget-";
constexpr std::size_t MAX_TEXT = std::size_t{1} << 20U;

std::string text_of(const char * file) {
    std::ifstream stream(file, std::ios::binary);
    std::string text(std::istreambuf_iterator<char>(stream), {});
    text.resize(std::min(text.size(), MAX_TEXT));
    return text;
}

/// Takes the text up to a separator, or all of it.
std::string_view take(std::string_view & text, char separator) {
    const auto size = std::min(text.find(separator), text.size());
    const auto part = text.substr(0, size);
    text.remove_prefix(std::min(size + 1, text.size()));
    return part;
}

bool lists(std::string_view list, std::string_view word) {
    while (!list.empty()) {
        if (take(list, ',') == word) {
            return true;
        }
    }
    return false;
}

/// Blanks and backslashes in a path of mountinfo are written as three octal digits.
std::string unescaped(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        int number = 0;
        const auto digits = text.substr(std::min(i + 1, text.size()), 3);
        if (text[i] == '\\' && digits.size() == 3 &&
            std::from_chars(digits.data(), digits.data() + 3, number, 8).ptr == digits.data() + 3) {
            plain += static_cast<char>(number);
            i += 3;
        } else {
            plain += text[i];
        }
    }
    return plain;
}

/// A process's own path in the hierarchy, as its /proc/PID/cgroup has it.
std::optional<std::string> own_path(std::string_view cgroup, bool unified) {
    while (!cgroup.empty()) {
        auto line = take(cgroup, '\n');
        const auto hierarchy = take(line, ':');
        const auto controllers = take(line, ':');
        if (unified ? hierarchy == "0" && controllers.empty() : lists(controllers, "cpuacct")) {
            return line.starts_with('/') ? std::optional(std::string(line)) : std::nullopt;
        }
    }
    return std::nullopt;
}

/// The parent group on a line of mountinfo, if it mounts a hierarchy of use.
std::optional<CpuGroupParent> parent_on(std::string_view line, std::string_view cgroup) {
    std::array<std::string_view, 5> first;  // ID, parent, device, root, mount point
    for (auto & field : first) {
        field = take(line, ' ');
    }
    const auto separator = line.find(" - ");
    if (separator == std::string_view::npos) {
        return std::nullopt;
    }
    line.remove_prefix(separator + 3);
    const auto type = take(line, ' ');
    take(line, ' ');  // source
    const bool unified = type == "cgroup2";
    if (!unified && (type != "cgroup" || !lists(line, "cpuacct"))) {
        return std::nullopt;
    }
    auto path = own_path(cgroup, unified);
    const auto root = unescaped(first[3]);
    if (!path || path->starts_with("/..")) {
        return std::nullopt;  // outside of what this cgroup namespace shows
    }
    if (root != "/") {
        if (*path != root && !path->starts_with(root + "/")) {
            return std::nullopt;
        }
        path->erase(0, root.size());
    }
    auto directory = unescaped(first[4]);
    if (!path->empty() && *path != "/") {
        directory += *path;
    }
    return CpuGroupParent{directory, unified};
}

/// systemd tells so by an extended attribute of the group (systemd's CGROUP_DELEGATION.md); it alone makes groups elsewhere.
bool is_delegated(const fs::path & group) {
    struct stat status {};
    if (::geteuid() != 0 || ::stat("/run/systemd/system", &status) != 0) {
        return true;  // the directory's mode decides
    }
    for (const char * name : {"trusted.delegate", "user.delegate"}) {
        char value = 0;
        if (::getxattr(group.c_str(), name, &value, 1) == 1 && value == '1') {
            return true;
        }
    }
    return false;
}

/// Removes the groups of processes that are gone. rmdir(2) spares those in which somebody still lives.
void remove_stale_groups(const fs::path & parent) {
    std::error_code error;
    std::vector<fs::path> groups;
    for (fs::directory_iterator entry(parent, error), end; !error && entry != end; entry.increment(error)) {
        if (entry->path().filename().string().starts_with(PREFIX)) {
            groups.push_back(entry->path());
        }
    }
    for (const auto & group : groups) {
        const auto name = group.filename().string();
        pid_t owner = 0;
        std::from_chars(name.data() + PREFIX.size(), name.data() + name.size(), owner);
        if (owner > 0 && ::kill(owner, 0) != 0 && errno == ESRCH) {
            ::rmdir(group.c_str());
        }
    }
}

}  // namespace

std::int64_t parse_cpu_use(std::string_view text) noexcept {
    constexpr std::string_view KEY = "usage_usec ";
    const bool unified = text.starts_with(KEY);
    text.remove_prefix(unified ? KEY.size() : 0);
    std::int64_t number = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    constexpr std::int64_t LARGEST = INT64_MAX / 1000;
    if (parsed.ec != std::errc() || number < 0 || number > LARGEST ||
        (parsed.ptr != text.data() + text.size() && *parsed.ptr != '\n')) {
        return -1;
    }
    return unified ? number * 1000 : number;
}

std::vector<CpuGroupParent> cpu_group_parents(std::string_view mountinfo, std::string_view cgroup) {
    std::vector<CpuGroupParent> parents;
    while (!mountinfo.empty()) {
        if (const auto parent = parent_on(take(mountinfo, '\n'), cgroup)) {
            parents.insert(parent->unified ? parents.begin() : parents.end(), *parent);
        }
    }
    return parents;
}

CpuGroup::CpuGroup(std::string directory, bool unified)
    : directory_(std::move(directory)),
      entrance_(directory_ + "/cgroup.procs"),
      use_(directory_ + (unified ? "/cpu.stat" : "/cpuacct.usage")) {
}

CpuGroup::CpuGroup(CpuGroup && other) noexcept
    : directory_(std::exchange(other.directory_, {})),
      entrance_(std::move(other.entrance_)),
      use_(std::move(other.use_)) {
}

CpuGroup::~CpuGroup() {
    if (!directory_.empty()) {
        ::rmdir(directory_.c_str());
    }
}

std::optional<CpuGroup> CpuGroup::make_below(const CpuGroupParent & parent) {
    static std::atomic<unsigned> made{0};
    if (!is_delegated(parent.directory)) {
        spdlog::debug("the control group {} is not delegated", parent.directory.string());
        return std::nullopt;
    }
    remove_stale_groups(parent.directory);
    const auto directory =
        parent.directory / fmt::format("{}{}-{}", PREFIX, ::getpid(), made.fetch_add(1, std::memory_order_relaxed));
    if (::mkdir(directory.c_str(), 0755) != 0) {
        spdlog::debug("cannot make the control group {}: {}", directory.string(), std::strerror(errno));
        return std::nullopt;
    }
    CpuGroup group(directory.string(), parent.unified);
    if (::access(group.entrance_.c_str(), W_OK) != 0 || parse_cpu_use(text_of(group.use_.c_str())) < 0) {
        spdlog::debug("the control group {} cannot be used", directory.string());
        return std::nullopt;
    }
    return group;
}

std::optional<CpuGroup> CpuGroup::make() {
    const auto parents = cpu_group_parents(text_of("/proc/self/mountinfo"), text_of("/proc/self/cgroup"));
    if (parents.empty()) {
        spdlog::debug("no control group that accounts for CPU time is mounted");
    }
    for (const auto & parent : parents) {
        if (auto group = make_below(parent)) {
            return group;
        }
    }
    return std::nullopt;
}

}  // namespace bootbudget::common
