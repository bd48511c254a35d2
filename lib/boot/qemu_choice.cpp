// SPDX-License-Identifier: GPL-2.0-or-later
// libguestfs is asked rather than guessed at, because its choice was made when it was built. It cannot be asked everywhere: guestfish is a package of its own
// on some distributions, and newer versions choose at launch only; they then take the first that is there, as is done here.
#include "boot/qemu_choice.hpp"

#include "boot/test_tool.hpp"
#include "common/machine.hpp"
#include "common/process.hpp"

#include <bootbudget/error.hpp>

#include <unistd.h>

#include <system_error>

namespace bootbudget::boot {

namespace fs = std::filesystem;

namespace {

bool is_program(const fs::path & path) {
    std::error_code error;
    return fs::is_regular_file(path, error) && ::access(path.c_str(), X_OK) == 0;
}

/// The program as an absolute path; empty if there is none.
fs::path located(const fs::path & name) {
    if (name.empty()) {
        return {};
    }
    if (!name.has_parent_path()) {
        return common::find_program(name.string()).value_or(fs::path());
    }
    std::error_code error;
    auto path = fs::absolute(name, error);
    return !error && is_program(path) ? path : fs::path();
}

/// What guestfish says; empty if it says nothing of use.
fs::path libguestfs_choice(const common::Account & account, std::stop_token stop) {
    if (!common::find_program("guestfish")) {
        return {};
    }
    common::Command command;
    command.argv = {"guestfish", "get-hv"};
    command.environment = fixed_environment();
    command.account = account;
    try {
        auto output = common::capture(command, std::move(stop)).output;
        output.erase(output.find_last_not_of(" \n") + 1);
        output.erase(0, output.rfind('\n') + 1);  // after warnings, if there are any
        return located(output);
    } catch (const SystemError &) {
        return {};
    }
}

}  // namespace

std::vector<std::string> qemu_names(const std::string & arch) {
    std::string emulated = arch;
    if (arch == "ppc64le") {
        emulated = "ppc64";
    } else if (arch.size() == 4 && arch[0] == 'i' && arch.ends_with("86")) {
        emulated = "i386";
    } else if (arch.starts_with("armv")) {
        emulated = "arm";
    }
    return {"qemu-system-" + emulated, "qemu-kvm", "/usr/libexec/qemu-kvm"};
}

fs::path choose_qemu(const fs::path & given, const common::Account & account, std::stop_token stop) {
    if (!given.empty()) {
        return located(given);
    }
    if (auto chosen = libguestfs_choice(account, stop); !chosen.empty()) {
        return chosen;
    }
    for (const auto & name : qemu_names(common::machine_arch())) {
        if (auto path = located(name); !path.empty()) {
            return path;
        }
    }
    return {};
}

}  // namespace bootbudget::boot
