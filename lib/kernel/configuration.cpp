// SPDX-License-Identifier: GPL-2.0-or-later
// A .config is a list of assignments that a shell could read; the kernel's own tools write it, so anything else in it means that the file is not what
// it is taken for, and is refused with its line instead of being skipped.
#include "kernel/configuration.hpp"

#include "common/file.hpp"
#include "common/units.hpp"

#include <bootbudget/error.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <array>

namespace bootbudget::kernel {

namespace {

constexpr std::size_t MAX_BYTES = std::size_t{4} << 20U;
constexpr int MAX_LINES = 100000;

bool is_option_name(std::string_view name) {
    constexpr std::string_view PREFIX = "CONFIG_";
    if (name.substr(0, PREFIX.size()) != PREFIX || name.size() == PREFIX.size()) {
        return false;
    }
    return std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    });
}

bool is_number(std::string_view text) {
    if (text.substr(0, 1) == "-") {
        text.remove_prefix(1);
    }
    const bool hex = text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const std::string_view digits = hex ? text.substr(2) : text;
    return !digits.empty() &&
           digits.find_first_not_of(hex ? "0123456789abcdefABCDEF" : "0123456789") == std::string_view::npos;
}

// The text between the quotes, with kconfig's escapes (\" and \\) undone; false if the quotes do not match.
bool unquote(std::string_view text, std::string & out) {
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') {
        return false;
    }
    const std::string_view inner = text.substr(1, text.size() - 2);
    for (std::size_t i = 0; i < inner.size(); ++i) {
        char c = inner[i];
        if (c == '"') {
            return false;
        }
        if (c == '\\') {
            if (++i == inner.size()) {
                return false;
            }
            c = inner[i];
        }
        out += c;
    }
    return true;
}

bool says_how_it_was_built(std::string_view option) {
    constexpr std::array OPTIONS{
        std::string_view("CONFIG_CC_VERSION_TEXT"),
        std::string_view("CONFIG_RUSTC_VERSION_TEXT"),
        std::string_view("CONFIG_BINDGEN_VERSION_TEXT"),
        std::string_view("CONFIG_GCC_VERSION"),
        std::string_view("CONFIG_CLANG_VERSION"),
        std::string_view("CONFIG_AS_VERSION"),
        std::string_view("CONFIG_LD_VERSION"),
        std::string_view("CONFIG_LLD_VERSION"),
        std::string_view("CONFIG_RUSTC_VERSION"),
        std::string_view("CONFIG_RUSTC_LLVM_VERSION"),
        std::string_view("CONFIG_PAHOLE_VERSION"),
        std::string_view("CONFIG_LOCALVERSION"),
        std::string_view("CONFIG_BUILD_SALT"),
    };
    return std::find(OPTIONS.begin(), OPTIONS.end(), option) != OPTIONS.end();
}

}  // namespace

Configuration parse_configuration(std::string_view text, const std::string & name) {
    if (text.size() > MAX_BYTES) {
        throw UserError(fmt::format(
            "{} has {} bytes, and a kernel configuration has at most {}: it is something else.",
            name,
            text.size(),
            MAX_BYTES));
    }
    Configuration configuration;
    int number = 0;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (++number > MAX_LINES) {
            throw UserError(fmt::format("{} has more than {} lines: it is no kernel configuration.", name, MAX_LINES));
        }
        if (line.empty() || line.front() == '#') {
            continue;
        }
        const auto equals = line.find('=');
        const std::string_view option = line.substr(0, equals);
        std::string value;
        bool good = equals != std::string_view::npos && is_option_name(option);
        if (good) {
            const std::string_view written = line.substr(equals + 1);
            if (written == "y" || written == "m" || written == "n" || is_number(written)) {
                value = written;
            } else {
                good = unquote(written, value);
            }
        }
        if (!good) {
            throw UserError(fmt::format(
                "{}:{}: \"{}\" is no line of a kernel configuration; expected CONFIG_NAME=value or a comment.",
                name,
                number,
                common::printable(line, 80)));
        }
        if (value == "n" && line.back() == 'n') {
            configuration.erase(std::string(option));  // a fragment's way to say "is not set"
        } else {
            configuration.insert_or_assign(std::string(option), std::move(value));
        }
    }
    return configuration;
}

Configuration read_configuration(const std::filesystem::path & path) {
    return parse_configuration(common::read_file(path, MAX_BYTES), path.string());
}

std::string value_of(const Configuration & configuration, std::string_view option) {
    const auto found = configuration.find(option);
    return found == configuration.end() ? "n" : found->second;
}

std::vector<Difference> differences(const Configuration & left, const Configuration & right) {
    std::vector<Difference> result;
    const auto add = [&result](const std::string & option, const std::string & a, const std::string & b) {
        if (a != b && !says_how_it_was_built(option)) {
            result.push_back({option, a, b});
        }
    };
    auto l = left.begin();
    auto r = right.begin();
    while (l != left.end() || r != right.end()) {
        if (r == right.end() || (l != left.end() && l->first < r->first)) {
            add(l->first, l->second, "n");
            ++l;
        } else if (l == left.end() || r->first < l->first) {
            add(r->first, "n", r->second);
            ++r;
        } else {
            add(l->first, l->second, r->second);
            ++l;
            ++r;
        }
    }
    return result;
}

}  // namespace bootbudget::kernel
