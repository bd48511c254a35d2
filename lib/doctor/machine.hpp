// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "boot/boot.hpp"
#include "doctor/distribution.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace bootbudget::doctor {

/// A program of this machine; what it is for is judged elsewhere.
struct Program {
    std::filesystem::path path;
    std::string version;  ///< empty when its version command failed
};

/// A kernel image of the host.
struct HostKernel {
    std::filesystem::path image;
    bool readable = false;  ///< by the account that the boots run as
};

/// Facts about the work directory; the numbers are those of its file system.
struct WorkDirectory {
    std::filesystem::path path;
    bool exists = false;
    bool writable = false;
    bool reachable = false;  ///< by the account that the boots run as
    bool executable = true;  ///< not mounted noexec
    std::uint64_t free_bytes = 0;
    bool is_file = false;  ///< something of that name is there, and is no directory
};

/// What was seen of a machine, without any judgement.
struct Machine {
    std::string arch;  ///< uname -m
    Distribution distribution;
    std::map<std::string, Program> programs;  ///< by the name that was looked for; only those that are there
    std::string qemu;                 ///< the name in `programs` of this architecture's emulator; empty for none
    bool has_tcg = false;             ///< that emulator lists "tcg"
    boot::CounterSupport counter;     ///< whether counted boots can be made
    std::filesystem::path appliance;  ///< the supermin.d directory of libguestfs; empty for none
    std::set<std::string> depmod_compressions;  ///< "XZ", "ZSTD", "ZLIB"
    std::vector<HostKernel> host_kernels;
    std::vector<std::string> module_directories;  ///< names below /lib/modules
    std::map<std::string, bool> headers;          ///< "libelf.h": whether the compiler finds it
    WorkDirectory work;
    std::optional<std::uint64_t> available_memory;  ///< bytes; nothing where /proc/meminfo cannot be read
    std::string account;                            ///< name of the account for the boots
    std::string account_mistake;                    ///< why there is none; else empty
};

/// The signs of "+ZSTD +XZ -ZLIB …", kmod's list of what it was built with, that are plus.
std::set<std::string> parse_kmod_features(const std::string & text);

/// The version in a program's --version output ("4.18.0", "2.40", "30"); empty if it has none.
std::string parse_version(const std::string & text);

/// Looks at this machine. Starts version commands, `test`(1) as the boots' account, and the compiler's preprocessor on an empty file. Never throws for what is missing; Cancelled on stop.
Machine look(const std::filesystem::path & work_directory, const std::string & user, std::stop_token stop);

}  // namespace bootbudget::doctor
