// SPDX-License-Identifier: GPL-2.0-or-later
// Two boots may be compared across runs if nothing but the kernel differs. What else a boot's numbers depend on is written down as lines of
// "name value", in this order, and the lines are hashed.
#include "boot/boot.hpp"
#include "boot/icount.hpp"
#include "boot/option.hpp"
#include "common/digest.hpp"

#include <fmt/format.h>
#include <utility>

namespace bootbudget::boot {

std::vector<std::string> words_of(std::string_view command_line) {
    std::vector<std::string> words;
    std::string word;
    bool quoted = false;
    for (const char c : command_line) {
        quoted = quoted != (c == '"');
        if (c != ' ' || quoted) {
            word += c;
        } else if (!word.empty()) {
            words.push_back(std::exchange(word, {}));
        }
    }
    if (!word.empty()) {
        words.push_back(word);
    }
    return words;
}

std::string comparable_command_line(const std::string & guest_command_line) {
    std::string line;
    for (const auto & word : words_of(guest_command_line)) {
        if (!word.starts_with("root=UUID=") && word != "nokaslr") {  // the latter is in counted boots only
            line += line.empty() ? "" : " ";
            line += word.starts_with("lpj=") ? "lpj=" : word;
        }
    }
    return line;
}

std::string option_of(const std::string & qemu_command, std::string_view option) {
    std::string values;
    const auto words = words_of(qemu_command);
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
        if (words[i] == option) {
            values += (values.empty() ? "" : " ") + words[i + 1];
        }
    }
    return values;
}

std::string fingerprint(
    const Environment & environment, const Sample & sample, const std::string & appliance_packages) {
    const auto host = [&](const std::string & name) {
        const auto entry = environment.host.find(name);
        return entry == environment.host.end() ? std::string() : entry->second;
    };
    std::string text = "bootbudget-fingerprint/2\n";
    const auto add = [&](std::string_view name, const std::string & value) {
        text += fmt::format("{} {}\n", name, value);
    };
    add("arch", environment.arch);
    add("qemu", environment.qemu);
    add("libguestfs", environment.libguestfs);
    add("supermin", environment.supermin);
    for (const auto * option : {"-machine", "-cpu", "-m", "-smp", "-accel", "-bios"}) {
        add(option, option_of(sample.qemu_command, option));
    }
    add("-icount", icount_option());  // not the sample's: timed boots have none, and a run has one fingerprint
    add("firmware", host("firmware"));
    add("appliance", appliance_packages);
    add("guest", comparable_command_line(sample.guest_command_line));
    return common::sha256(text);
}

}  // namespace bootbudget::boot
