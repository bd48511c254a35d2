// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "boot/boot.hpp"
#include "common/account.hpp"

#include <sys/stat.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace bootbudget::test {

/// The place that the fixture distro_tree made; empty if it could not (it says why).
inline std::filesystem::path distro_work() {
    std::ifstream state(std::filesystem::path(BOOTBUDGET_FIXTURES) / "distro_tree.path");
    std::string path;
    std::getline(state, path);
    return path;
}

/// The installed kernel's boot tree, with directories of the account's named after `name`; the appliance's cache is that of all tests.
inline boot::Bootable distro_bootable(const std::string & cache = "cache") {
    const auto work = distro_work();
    boot::Bootable bootable;
    bootable.account = common::account_for_boots("");
    bootable.cache = work / cache;
    bootable.temporary = work / "tmp";
    bootable.home = work / "home";
    for (const auto & directory : {bootable.cache, bootable.temporary, bootable.home}) {
        std::filesystem::create_directories(directory);
        common::give_to(directory, bootable.account);
    }
    bootable.counter = work / "counter";
    std::filesystem::create_directories(bootable.counter);
    auto & tree = bootable.tree;
    tree.root = work / "tree";
    tree.modules = std::filesystem::directory_iterator(tree.root / "lib/modules")->path();
    tree.release = tree.modules.filename().string();
    tree.image = tree.modules / "vmlinuz";
    return bootable;
}

struct Running {
    pid_t pid = 0;
    uid_t uid = 0;
    std::string command;
};

/// Living processes that have `text` in their command line or environment.
inline std::vector<Running> processes_with(const std::string & text) {
    std::vector<Running> found;
    for (const auto & entry : std::filesystem::directory_iterator("/proc")) {
        const auto name = entry.path().filename().string();
        if (name.find_first_not_of("0123456789") != std::string::npos) {
            continue;
        }
        std::string bytes[2];
        const char * files[] = {"cmdline", "environ"};
        for (int i = 0; i < 2; ++i) {
            std::ifstream file(entry.path() / files[i], std::ios::binary);
            bytes[i].assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
        }
        struct stat status {};
        if ((bytes[0] + bytes[1]).find(text) != std::string::npos && ::stat(entry.path().c_str(), &status) == 0) {
            found.push_back(
                {static_cast<pid_t>(std::stol(name)), status.st_uid, bytes[0].substr(0, bytes[0].find('\0'))});
        }
    }
    return found;
}

}  // namespace bootbudget::test
