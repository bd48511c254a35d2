// SPDX-License-Identifier: GPL-2.0-or-later
// A switch ends up as a macro (`--with x` is `--define '_with_x --with-x'` in rpm's own alias file), so only what can be part of a macro's
// name is let through: rpm answers anything else with a warning at best, and builds the wrong variant.
#include "variants/switches.hpp"

#include <bootbudget/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

namespace bootbudget::variants {

namespace {

constexpr std::size_t LONGEST_NAME = 64;

bool is_macro_character(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool is_switch_name(std::string_view name) {
    return !name.empty() && name.size() <= LONGEST_NAME && std::ranges::all_of(name, is_macro_character);
}

/// rpm's rule for a macro that is defined on its command line: at least three characters, no digit first.
bool is_macro_name(std::string_view name) {
    return name.size() >= 3 && is_switch_name(name) && !(name[0] >= '0' && name[0] <= '9');
}

bool is_variant_name(std::string_view name) {
    const auto fits = [](char c) { return is_macro_character(c) || c == '-' || c == '.' || c == '+'; };
    return !name.empty() && name.size() <= LONGEST_NAME && name[0] != '.' && name[0] != '-' &&
           std::ranges::all_of(name, fits);
}

/// Where the build happens and with how many jobs is the engine's to say, in one place.
constexpr std::array<std::string_view, 10> OWN_MACROS = {
    "_topdir",
    "_specdir",
    "_sourcedir",
    "_builddir",
    "_buildrootdir",
    "_rpmdir",
    "_srcrpmdir",
    "_tmppath",
    "_smp_mflags",
    "_smp_build_ncpus"};

constexpr std::string_view EXAMPLE =
    "Write NAME or NAME:SWITCH,SWITCH with the switches with=X, without=X and define=MACRO=VALUE, for example "
    "\"debug:with=dbgonly\" or \"nodebug:without=debug,define=baserelease=2\".";

[[noreturn]] void refuse_variant(const std::string & text, const std::string & why) {
    throw UserError(fmt::format("The variant \"{}\" cannot be used: {}. {}", text, why, EXAMPLE));
}

/// Splits at commas; a backslash takes the next character as it is.
std::vector<std::string> split_switches(std::string_view text) {
    std::vector<std::string> parts(1);
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 1 < text.size()) {
            parts.back() += text[++i];
        } else if (text[i] == ',') {
            parts.emplace_back();
        } else {
            parts.back() += text[i];
        }
    }
    return parts;
}

void check_switch_names(const VariantBuild & variant, const std::string & text) {
    const Switches & switches = variant.switches;
    for (const auto * names : {&switches.with, &switches.without}) {
        for (const std::string & name : *names) {
            if (!is_switch_name(name)) {
                refuse_variant(text, fmt::format("\"{}\" is no switch (letters, digits and _)", name));
            }
        }
    }
    for (const std::string & name : switches.with) {
        if (std::ranges::find(switches.without, name) != switches.without.end()) {
            refuse_variant(text, fmt::format("it switches \"{}\" both on and off", name));
        }
    }
    for (const auto & [name, value] : switches.defines) {
        if (!is_macro_name(name)) {
            refuse_variant(
                text,
                fmt::format("\"{}\" is no macro's name (three or more letters, digits and _, no digit first)", name));
        }
        if (std::ranges::find(OWN_MACROS, name) != OWN_MACROS.end()) {
            refuse_variant(text, fmt::format("the macro \"{}\" is set by bootbudget itself", name));
        }
        if (value.find('\0') != std::string::npos || value.find('\n') != std::string::npos) {
            refuse_variant(text, fmt::format("the value of the macro \"{}\" is more than one line", name));
        }
    }
}

}  // namespace

VariantBuild parse_variant(const std::string & text) {
    VariantBuild variant;
    const std::size_t colon = text.find(':');
    variant.name = text.substr(0, colon);
    if (colon != std::string::npos) {
        for (const std::string & part : split_switches(std::string_view(text).substr(colon + 1))) {
            const std::size_t equals = part.find('=');
            const std::string key = part.substr(0, equals);
            const std::string value = equals == std::string::npos ? "" : part.substr(equals + 1);
            if (equals == std::string::npos || (key != "with" && key != "without" && key != "define")) {
                refuse_variant(text, fmt::format("\"{}\" is not with=…, without=… or define=…", part));
            }
            if (key == "define") {
                const std::size_t second = value.find('=');
                if (second == std::string::npos) {
                    refuse_variant(text, fmt::format("\"{}\" gives the macro no value", part));
                }
                if (!variant.switches.defines.emplace(value.substr(0, second), value.substr(second + 1)).second) {
                    refuse_variant(text, fmt::format("it defines \"{}\" twice", value.substr(0, second)));
                }
            } else {
                (key == "with" ? variant.switches.with : variant.switches.without).push_back(value);
            }
        }
    }
    if (!is_variant_name(variant.name)) {
        refuse_variant(
            text,
            "its name is not fit for a file (letters, digits, _, +, - and ., at most 64, none of the last two first)");
    }
    check_switch_names(variant, text);
    return variant;
}

std::pair<std::string, std::string> parse_define(const std::string & text) {
    const std::size_t end = text.find_first_of(" \t=");
    const std::string name = text.substr(0, end);
    if (end == std::string::npos || !is_macro_name(name)) {
        throw UserError(fmt::format(
            "\"{}\" defines no macro. Write a name of three or more letters and its value, for example \"baserelease "
            "2\".",
            text));
    }
    std::size_t value = text.find_first_not_of(" \t", end);
    if (value != std::string::npos && text[value] == '=' && text[end] == '=') {
        ++value;
    }
    VariantBuild variant{"all", {}};
    variant.switches.defines[name] = value == std::string::npos ? "" : text.substr(value);
    check_switch_names(variant, text);
    return *variant.switches.defines.begin();
}

void check_variants(const std::vector<VariantBuild> & variants) {
    std::set<std::string> names;
    for (const VariantBuild & variant : variants) {
        if (!is_variant_name(variant.name)) {
            refuse_variant(variant.name, "its name is not fit for a file (letters, digits, _, +, - and .)");
        }
        if (!names.insert(variant.name).second) {
            refuse_variant(variant.name, "another one has the same name");
        }
        check_switch_names(variant, variant.name);
    }
}

std::vector<std::string> to_arguments(const Switches & switches) {
    std::vector<std::string> arguments;
    for (const std::string & name : switches.with) {
        arguments.insert(arguments.end(), {"--with", name});
    }
    for (const std::string & name : switches.without) {
        arguments.insert(arguments.end(), {"--without", name});
    }
    for (const auto & [name, value] : switches.defines) {
        // An empty body is an error for rpm; %{nil} is how it spells one.
        arguments.insert(arguments.end(), {"--define", name + " " + (value.empty() ? "%{nil}" : value)});
    }
    return arguments;
}

std::string to_text(const Switches & switches) {
    std::string text;
    for (const std::string & name : switches.with) {
        text += " --with " + name;
    }
    for (const std::string & name : switches.without) {
        text += " --without " + name;
    }
    for (const auto & [name, value] : switches.defines) {
        text += fmt::format(" --define '{} {}'", name, value);
    }
    return text.empty() ? "no switches" : text.substr(1);
}

}  // namespace bootbudget::variants
