// SPDX-License-Identifier: GPL-2.0-or-later
// A test tool that is killed, by its own alarm too, leaves its directories, and supermin leaves an appliance of several hundred MiB. They
// are ours to remove because the directories they lie in are ours; only the socket's may lie in /tmp, so it is looked at more closely.
#include "boot/leftovers.hpp"

#include "common/temporary_directory.hpp"

#include <sys/stat.h>
#include <algorithm>
#include <cctype>

namespace bootbudget::boot {

namespace fs = std::filesystem;

std::set<std::string> names_in(const fs::path & directory) {
    std::set<std::string> names;
    std::error_code error;
    for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
        names.insert(entry->path().filename().string());
    }
    return names;
}

fs::path socket_directory(const std::string & qemu_command) {
    constexpr std::string_view BEGIN = "socket,path=";
    constexpr std::string_view FILE = "/guestfsd.sock";
    constexpr std::string_view PREFIX = "libguestfs";
    const auto begin = qemu_command.find(BEGIN);
    const auto end = qemu_command.find(FILE, begin == std::string::npos ? 0 : begin);
    if (begin == std::string::npos || end == std::string::npos) {
        return {};
    }
    fs::path directory = qemu_command.substr(begin + BEGIN.size(), end - begin - BEGIN.size());
    const auto name = directory.filename().string();
    const bool made_by_mkdtemp =
        name.size() == PREFIX.size() + 6 && name.starts_with(PREFIX) &&
        std::all_of(name.begin() + PREFIX.size(), name.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
    return directory.is_absolute() && made_by_mkdtemp ? directory : fs::path();
}

void remove_leftovers(
    const Bootable & bootable, const std::set<std::string> & before, const std::string & qemu_command) {
    for (const auto & name : names_in(bootable.temporary)) {
        if (!before.contains(name)) {
            common::remove_tree(bootable.temporary / name);
        }
    }
    const auto socket = socket_directory(qemu_command);
    struct stat status {};
    if (!socket.empty() && ::lstat(socket.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
        status.st_uid == bootable.account.uid) {
        common::remove_tree(socket);
    }
    for (const auto & owner : names_in(bootable.cache)) {
        if (!owner.starts_with(".guestfs-")) {
            continue;
        }
        for (const auto & name : names_in(bootable.cache / owner)) {
            if (name.starts_with("appliance.d.")) {
                common::remove_tree(bootable.cache / owner / name);
            }
        }
    }
}

}  // namespace bootbudget::boot
