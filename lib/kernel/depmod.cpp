// SPDX-License-Identifier: GPL-2.0-or-later
// modules.dep is not in packages, and supermin loads nothing that is not in it. depmod passes over a module whose compression it cannot read without a
// word and with success, so its list is compared with what lies on disk, one file name suffix at a time.
#include "common/process.hpp"
#include "common/units.hpp"
#include "kernel/boot_driver.hpp"
#include "kernel/boot_tree.hpp"

#include <fmt/format.h>
#include <bootbudget/error.hpp>

#include <fstream>
#include <map>
#include <set>
#include <system_error>

namespace bootbudget::kernel {

namespace fs = std::filesystem;

namespace {

// "x.ko.xz" → ".ko.xz"
std::string suffix_of(const std::string & path) {
    return path.substr(path.rfind(".ko"));
}

// A module of each suffix that lies below the directory, by its path from there.
std::map<std::string, std::string> modules_by_suffix(const fs::path & directory) {
    std::map<std::string, std::string> result;
    std::error_code error;
    fs::recursive_directory_iterator entry(directory, error);
    for (const fs::recursive_directory_iterator end; !error && entry != end; entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (!module_name(name).empty() && entry->is_regular_file(error)) {
            result.emplace(suffix_of(name), entry->path().lexically_relative(directory).string());
        }
    }
    if (error) {
        throw SystemError(fmt::format("cannot list the modules in {}", directory.string()), error.value());
    }
    return result;
}

// kmod's module directory is a matter of how it was built, /lib/modules or (since kmod 32) /usr/lib/modules: one link serves both.
void link_usr_lib(const fs::path & root) {
    std::error_code error;
    if (!fs::exists(fs::symlink_status(root / "usr" / "lib", error))) {
        fs::create_directories(root / "usr", error);
        fs::permissions(root / "usr", fs::perms(0755), error);
        fs::create_directory_symlink("../lib", root / "usr" / "lib", error);
    }
    if (error) {
        throw SystemError(fmt::format("cannot create {}", (root / "usr" / "lib").string()), error.value());
    }
}

// Boots run as another account than the one whose umask depmod obeyed.
void make_readable(const fs::path & modules) {
    std::error_code error;
    for (fs::directory_iterator entry(modules, error), end; !error && entry != end; entry.increment(error)) {
        if (entry->path().filename().string().rfind("modules.", 0) == 0 && entry->is_regular_file(error)) {
            fs::permissions(entry->path(), fs::perms(0644), error);
        }
    }
    if (error) {
        throw SystemError(fmt::format("cannot make the lists in {} readable", modules.string()), error.value());
    }
}

std::set<std::string> suffixes_in(const fs::path & modules_dep) {
    std::ifstream file(modules_dep);
    if (!file) {
        throw SystemError(fmt::format("depmod(8) ran without an error but left no {}.", modules_dep.string()));
    }
    std::set<std::string> result;
    std::string line;
    while (std::getline(file, line)) {
        const std::string path = line.substr(0, line.find(':'));
        if (!module_name(path).empty()) {
            result.insert(suffix_of(path));
        }
    }
    return result;
}

}  // namespace

void run_depmod(const BootTree & tree, std::stop_token stop) {
    const auto program = common::find_program("depmod");
    if (!program) {
        throw SystemError("depmod(8), which lists a kernel's modules, is not installed; install the package \"kmod\".");
    }
    link_usr_lib(tree.root);
    common::Command command;
    command.argv = {program->string(), "-b", tree.root.string(), tree.release};
    command.environment = common::plain_environment();
    command.account = common::current_account();
    const common::Captured captured = common::capture(command, stop, std::chrono::seconds(300));
    if (captured.end.cancelled) {
        throw Cancelled(fmt::format("Listing the modules of {} was cancelled.", tree.release));
    }
    if (captured.end.signal != 0 || captured.end.exit_status != 0) {
        throw SystemError(fmt::format(
            "depmod(8) failed on the modules of {} in {} with {} {}: {}",
            tree.release,
            tree.root.string(),
            captured.end.signal != 0 ? "signal" : "status",
            captured.end.signal != 0 ? captured.end.signal : captured.end.exit_status,
            common::printable(captured.output, 500)));
    }
    make_readable(tree.modules);
    const std::set<std::string> listed = suffixes_in(tree.modules / "modules.dep");
    for (const auto & [suffix, module] : modules_by_suffix(tree.modules)) {
        if (listed.count(suffix) == 0) {
            throw UserError(fmt::format(
                "depmod(8) cannot read the modules of {} that end in \"{}\", for example {}: it was built without that "
                "compression, or they are "
                "damaged (\"depmod --version\" lists what it reads); install a kmod that reads them.",
                tree.release,
                common::printable(suffix, 40),
                common::printable(module, 200)));
        }
    }
}

}  // namespace bootbudget::kernel
