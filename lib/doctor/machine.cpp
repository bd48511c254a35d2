// SPDX-License-Identifier: GPL-2.0-or-later
// Facts are gathered by asking the real thing wherever that is cheap: the program for its version, the emulator for its accelerators, the compiler
// for a header, test(1) under the other account for a permission.
#include "doctor/machine.hpp"

#include "boot/qemu_choice.hpp"
#include "common/account.hpp"
#include "common/library_directories.hpp"
#include "common/machine.hpp"
#include "common/process.hpp"

#include <bootbudget/error.hpp>

#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>

namespace bootbudget::doctor {

namespace fs = std::filesystem;

namespace {

constexpr std::array<const char *, 17> PROGRAMS = {
    "libguestfs-test-tool",
    "supermin",
    "depmod",
    "rpmbuild",
    "gcc",
    "ld",
    "make",
    "flex",
    "bison",
    "bc",
    "perl",
    "cpio",
    "tar",
    "xz",
    "zstd",
    "openssl",
    "ccache"};
constexpr std::array<const char *, 3> HEADERS = {"libelf.h", "openssl/opensslv.h", "openssl/evp.h"};
constexpr std::chrono::seconds PATIENCE{20};
constexpr std::size_t LONGEST_VERSION = 40;

/// The output of a short command and whether it went well; empty and false if it could not even be started.
struct Answer {
    bool ok = false;
    std::string output;
};

Answer ask(std::vector<std::string> argv, const common::Account & account, std::stop_token stop) {
    common::Command command;
    command.argv = std::move(argv);
    command.environment = common::plain_environment();
    command.environment["HOME"] = "/";  // so that no program reads or makes settings of anybody
    command.account = account;
    try {
        const common::Captured captured = common::capture(command, stop, PATIENCE, std::size_t{1} << 20U);
        return {captured.end.signal == 0 && captured.end.exit_status == 0, captured.output};
    } catch (const SystemError &) {
        return {};  // the fact is that it gives no answer
    }
}

std::string text_of(const fs::path & path) {
    std::ifstream file(path, std::ios::binary);
    std::string text(64U << 10U, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(file.gcount()));
    return text;
}

std::vector<fs::path> entries_of(const fs::path & directory) {
    std::vector<fs::path> entries;
    std::error_code error;
    for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
        entries.push_back(entry->path());
    }
    std::ranges::sort(entries);
    return entries;
}

/// libguestfs looks in LIBGUESTFS_PATH, else where it was configured to: guestfs/ in the system's library directory.
fs::path find_appliance() {
    std::vector<fs::path> candidates;
    if (const char * path = std::getenv("LIBGUESTFS_PATH"); path != nullptr) {
        std::istringstream parts(path);
        for (std::string part; std::getline(parts, part, ':');) {
            candidates.emplace_back(part);
        }
    }
    for (const char * prefix : {"/usr", "/usr/local"}) {
        for (const fs::path & library : common::library_directories(prefix)) {
            candidates.push_back(library / "guestfs");
        }
    }
    for (const fs::path & candidate : candidates) {
        if (!entries_of(candidate / "supermin.d").empty()) {
            return candidate / "supermin.d";
        }
    }
    return {};
}

WorkDirectory look_at_work_directory(
    const fs::path & wanted, const std::optional<common::Account> & account, std::stop_token stop) {
    WorkDirectory work;
    work.path = wanted;
    if (work.path.empty()) {
        const char * temporary = std::getenv("TMPDIR");
        work.path = temporary != nullptr && *temporary != '\0' ? temporary : "/var/tmp";
    }
    std::error_code error;
    if (auto absolute = fs::absolute(work.path, error); !error) {
        work.path = std::move(absolute);
    }
    work.exists = fs::is_directory(work.path, error);
    work.is_file = !work.exists && fs::exists(work.path, error);
    struct statvfs file_system {};
    if (!work.exists || ::statvfs(work.path.c_str(), &file_system) != 0) {
        return work;
    }
    work.free_bytes = std::uint64_t{file_system.f_bavail} * file_system.f_frsize;
    work.executable = (file_system.f_flag & ST_NOEXEC) == 0;
    work.writable = ::access(work.path.c_str(), W_OK | X_OK) == 0;
    work.reachable = account.has_value() && ask({"test", "-x", work.path.native()}, *account, stop).ok;
    return work;
}

}  // namespace

std::set<std::string> parse_kmod_features(const std::string & text) {
    std::set<std::string> features;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (word.size() > 1 && word[0] == '+') {
            features.insert(word.substr(1));
        }
    }
    return features;
}

std::string parse_version(const std::string & text) {
    std::istringstream words(text);
    std::string previous;
    std::string count;  // "kmod version 30"
    for (std::string word; words >> word; previous = word) {
        word.erase(0, word.starts_with('(') ? 1 : 0);
        word.erase(0, word.size() > 1 && word[0] == 'v' && word[1] >= '0' && word[1] <= '9' ? 1 : 0);
        while (!word.empty() && std::string_view("),;:").find(word.back()) != std::string_view::npos) {
            word.pop_back();
        }
        const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
        if (digits == 0 || word.size() > LONGEST_VERSION) {
            continue;
        }
        // Years, bare counts and names with digits are no versions; what looks like 1.2 is.
        if (digits + 1 < word.size() && word[digits] == '.' && word[digits + 1] >= '0' && word[digits + 1] <= '9') {
            return word;
        }
        if (previous == "version" && digits == word.size() && count.empty()) {
            count = word;
        }
    }
    return count;
}

Machine look(const fs::path & work_directory, const std::string & user, std::stop_token stop) {
    Machine machine;
    const common::Account self = common::current_account();
    machine.arch = common::machine_arch();
    std::error_code error;
    machine.distribution =
        parse_os_release(text_of(fs::exists("/etc/os-release", error) ? "/etc/os-release" : "/usr/lib/os-release"));

    const auto add_program = [&](const std::string & name) {
        std::optional<fs::path> path;
        if (name.starts_with('/')) {
            path = ::access(name.c_str(), X_OK) == 0 ? std::optional<fs::path>(name) : std::nullopt;
        } else {
            path = common::find_program(name);
        }
        if (path) {
            machine.programs[name] = {*path, parse_version(ask({path->native(), "--version"}, self, stop).output)};
        }
        return path.has_value();
    };
    for (const char * name : PROGRAMS) {
        add_program(name);
    }
    // Has a command "version" and no such option.
    if (machine.programs.contains("openssl") && machine.programs["openssl"].version.empty()) {
        machine.programs["openssl"].version =
            parse_version(ask({machine.programs["openssl"].path.native(), "version"}, self, stop).output);
    }
    for (const std::string & name : boot::qemu_names(machine.arch)) {
        if (machine.qemu.empty() && add_program(name)) {
            machine.qemu = name;
            std::istringstream lines(ask({machine.programs[name].path.native(), "-accel", "help"}, self, stop).output);
            for (std::string line; std::getline(lines, line);) {
                machine.has_tcg = machine.has_tcg || line == "tcg";
            }
        }
    }
    if (machine.programs.contains("depmod")) {
        machine.depmod_compressions =
            parse_kmod_features(ask({machine.programs["depmod"].path.native(), "--version"}, self, stop).output);
    }
    if (machine.programs.contains("gcc")) {
        for (const char * header : HEADERS) {
            const std::string gcc = machine.programs["gcc"].path.native();
            machine.headers[header] =
                ask({gcc, "-E", "-include", header, "-x", "c", "/dev/null", "-o", "/dev/null"}, self, stop).ok;
        }
    }

    std::erase_if(machine.depmod_compressions, [](const std::string & feature) {  // the list names more than these
        return feature != "XZ" && feature != "ZSTD" && feature != "ZLIB";
    });

    std::optional<common::Account> account;
    try {
        account = common::account_for_boots(user);
        machine.account = account->name;
    } catch (const Error & mistake) {
        machine.account_mistake = mistake.what();
    }
    machine.counter = boot::probe_counter(
        {}, fs::is_directory(work_directory, error) ? work_directory : fs::path("/tmp"), account.value_or(self), stop);
    machine.appliance = find_appliance();
    for (const fs::path & directory : entries_of("/lib/modules")) {
        if (fs::is_directory(directory, error)) {
            machine.module_directories.push_back(directory.filename().native());
        }
    }
    std::vector<fs::path> images;
    for (const fs::path & image : entries_of("/boot")) {
        const std::string name = image.filename().native();
        if (name.starts_with("vmlinuz-") || name.starts_with("vmlinux-")) {
            images.push_back(image);
        }
    }
    for (const std::string & release : machine.module_directories) {
        if (const fs::path image = fs::path("/lib/modules") / release / "vmlinuz"; fs::exists(image, error)) {
            images.push_back(image);
        }
    }
    for (const fs::path & image : images) {
        machine.host_kernels.push_back({image, account && ask({"test", "-r", image.native()}, *account, stop).ok});
    }
    machine.work = look_at_work_directory(work_directory, account, stop);
    machine.available_memory = common::available_memory();
    return machine;
}

}  // namespace bootbudget::doctor
