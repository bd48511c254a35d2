// SPDX-License-Identifier: GPL-2.0-or-later
// os-release(5) is a file of shell assignments without expansions. Derived distributions name what they are like, nearest first.
#include "doctor/distribution.hpp"

#include <fmt/format.h>

#include <array>
#include <sstream>
#include <string_view>

namespace bootbudget::doctor {

namespace {

constexpr std::array<std::string_view, 2> DEBIANS = {"debian", "ubuntu"};
constexpr std::array<std::string_view, 3> FEDORAS = {"fedora", "rhel", "centos"};

Family family_of(std::string_view id) {
    for (const std::string_view known : DEBIANS) {
        if (id == known) {
            return Family::DEBIAN;
        }
    }
    for (const std::string_view known : FEDORAS) {
        if (id == known) {
            return Family::FEDORA;
        }
    }
    return Family::OTHER;
}

/// The value of an assignment: quotes taken off, a backslash before a character too.
std::string unquoted(std::string_view value) {
    while (!value.empty() && (value.back() == ' ' || value.back() == '\r')) {
        value.remove_suffix(1);
    }
    if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') && value.back() == value.front()) {
        value = value.substr(1, value.size() - 2);
    }
    std::string text;
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (value[i] == '\\' && i + 1 < value.size()) {
            ++i;
        }
        text += value[i];
    }
    return text;
}

}  // namespace

Distribution parse_os_release(const std::string & text) {
    Distribution distribution{Family::OTHER, "unknown"};
    std::string id;
    std::string id_like;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t equals = line.find('=');
        if (equals == std::string::npos) {
            continue;
        }
        const std::string key = line.substr(0, equals);
        const std::string value = unquoted(std::string_view(line).substr(equals + 1));
        if (key == "ID") {
            id = value;
        } else if (key == "ID_LIKE") {
            id_like = value;
        } else if (key == "PRETTY_NAME") {
            distribution.name = value;
        }
    }
    std::istringstream ids(id + " " + id_like);
    for (std::string word; distribution.family == Family::OTHER && ids >> word;) {
        distribution.family = family_of(word);
    }
    return distribution;
}

std::string install_command(Family family, const Packages & packages) {
    switch (family) {
        case Family::DEBIAN:
            return "apt-get install " + packages.debian;
        case Family::FEDORA:
            return "dnf install " + packages.fedora;
        case Family::OTHER:
            break;
    }
    return fmt::format("apt-get install {} (Debian), dnf install {} (Fedora)", packages.debian, packages.fedora);
}

}  // namespace bootbudget::doctor
