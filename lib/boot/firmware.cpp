// SPDX-License-Identifier: GPL-2.0-or-later
// A BIOS and option ROMs come from other packages than QEMU, and their instructions are counted with the guest's. Which files they are depends on the
// machine, where they lie on how QEMU was built; it tells both.
#include "boot/firmware.hpp"

#include "boot/answer.hpp"
#include "common/digest.hpp"

#include <bootbudget/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace bootbudget::boot {

namespace fs = std::filesystem;

namespace {

/// The machine that libguestfs takes; pc and q35, which it took in turn, load the same files.
std::string machine_of(const std::string & arch) {
    if (arch == "x86_64" || arch == "i686") {
        return "q35,graphics=off";
    }
    if (arch == "ppc64le" || arch == "ppc64") {
        return "pseries";
    }
    if (arch == "s390x") {
        return "s390-ccw-virtio";
    }
    return "virt";
}

/// Calls `visit` for each line.
template <typename Visit>
void for_each_line(std::string_view text, const Visit & visit) {
    while (!text.empty()) {
        auto line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (line.ends_with('\r')) {
            line.remove_suffix(1);
        }
        visit(line);
    }
}

std::string digest_of(const std::string & name, const std::vector<fs::path> & directories) {
    for (const auto & directory : directories) {
        try {
            return common::sha256_of_file(directory / name);
        } catch (const Error &) {
            continue;
        }
    }
    return "not found";
}

}  // namespace

std::vector<std::string> parse_roms(std::string_view text) {
    std::vector<std::string> names;
    for_each_line(text, [&](std::string_view line) {
        constexpr std::string_view KEY = " name=\"";
        const auto begin = line.find(KEY);
        if (begin == std::string_view::npos) {
            return;
        }
        const auto name = line.substr(begin + KEY.size());
        const auto end = name.find('"');
        if (end != std::string_view::npos && end > 0 && name.substr(0, end).find('/') == std::string_view::npos) {
            names.emplace_back(name.substr(0, end));
        }
    });
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

std::vector<fs::path> parse_directories(std::string_view text) {
    std::vector<fs::path> directories;
    for_each_line(text, [&](std::string_view line) {
        if (line.starts_with('/')) {
            directories.emplace_back(line);
        }
    });
    return directories;
}

std::string firmware_of(
    const fs::path & qemu, const std::string & arch, const common::Account & account, std::stop_token stop) {
    constexpr const char * ASK_MONITOR = R"(printf 'info roms\nquit\n' | "$@")";
    auto names = parse_roms(answer_of(
        {"/bin/sh",
         "-c",
         ASK_MONITOR,
         "sh",
         qemu.string(),
         "-machine",
         machine_of(arch) + ",accel=tcg",
         "-no-user-config",
         "-nodefaults",
         "-display",
         "none",
         "-S",
         "-monitor",
         "stdio"},
        account,
        stop));
    if (names.empty()) {
        return "";
    }
    if (arch == "x86_64" || arch == "i686") {
        names.emplace_back("linuxboot_dma.bin");  // comes with -kernel (hw/i386/x86.c), which was not given here
        std::sort(names.begin(), names.end());
    }
    const auto directories = parse_directories(answer_of({qemu.string(), "-L", "help"}, account, stop));
    std::string text;
    for (const auto & name : names) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, digest_of(name, directories));
    }
    return text;
}

}  // namespace bootbudget::boot
