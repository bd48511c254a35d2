// SPDX-License-Identifier: GPL-2.0-or-later
// What the numbers were measured with and on: the versions are the tools' own words, the rest is read from /proc and /etc.
#include "common/machine.hpp"
#include "boot/answer.hpp"
#include "boot/boot.hpp"
#include "boot/firmware.hpp"
#include "boot/qemu_choice.hpp"
#include "boot/test_tool.hpp"
#include "common/process.hpp"
#include "common/units.hpp"

#include <bootbudget/error.hpp>

#include <fmt/format.h>
#include <sys/utsname.h>
#include <unistd.h>
#include <fstream>

namespace bootbudget::boot {

namespace fs = std::filesystem;

namespace {

/// The first line that a program prints with --version, or nothing where it is not installed.
std::string version_of(const std::string & program, const common::Account & account, std::stop_token stop) {
    if (!common::find_program(program)) {
        return "";
    }
    const auto answer = answer_of({program, "--version"}, account, std::move(stop));
    return common::printable(answer.substr(0, answer.find('\n')));
}

/// The text after `key` and its separator on the first line that has it.
std::string value_in(const fs::path & file, const std::string & key) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        if (!line.starts_with(key)) {
            continue;
        }
        auto value = line.substr(key.size());
        value.erase(0, value.find_first_not_of(" \t:=\""));
        value.erase(value.find_last_not_of(" \t\"") + 1);
        return common::printable(value);
    }
    return "";
}

}  // namespace

Environment probe_environment(
    const std::filesystem::path & qemu, const common::Account & account, std::stop_token stop) {
    Environment environment;
    environment.arch = common::machine_arch();
    const auto chosen = choose_qemu(qemu, account, stop);
    environment.qemu = chosen.empty() ? "" : version_of(chosen.string(), account, stop);
    environment.libguestfs = version_of("libguestfs-test-tool", account, stop);
    environment.supermin = version_of("supermin", account, stop);
    environment.variables = fixed_environment();

    auto & host = environment.host;
    utsname kernel{};
    if (::uname(&kernel) == 0) {
        host["kernel"] = kernel.release;
    }
    host["cpu"] = value_in("/proc/cpuinfo", "model name");
    host["cpus"] = std::to_string(common::processors());
    const auto pages = ::sysconf(_SC_PHYS_PAGES);
    const auto page = ::sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0) {
        host["memory"] = common::format_quantity({static_cast<double>(pages) * static_cast<double>(page), Unit::BYTES});
    }
    host["os"] = value_in("/etc/os-release", "PRETTY_NAME");
    host["account"] = account.name;
    host["firmware"] = chosen.empty() ? "" : firmware_of(chosen, environment.arch, account, stop);
    return environment;
}

}  // namespace bootbudget::boot
