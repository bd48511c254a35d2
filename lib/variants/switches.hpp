// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace bootbudget::variants {

/// How one rpmbuild run is switched: `--with X`, `--without X`, `--define 'N V'`.
struct Switches {
    std::vector<std::string> with;
    std::vector<std::string> without;
    std::map<std::string, std::string> defines;

    bool operator==(const Switches &) const = default;
};

/// A named run of the engine over the same source.
struct VariantBuild {
    std::string name;  ///< "all", "debug", "nodebug": a directory name
    Switches switches;

    bool operator==(const VariantBuild &) const = default;
};

/// Reads a variant as a command line gives it: NAME, or NAME:SWITCH,SWITCH,… where a switch is `with=X`, `without=X` or `define=MACRO=VALUE`.
/// A value's comma or backslash is written with a backslash before it. Throws UserError (with an example) for anything else; check_variants() is part of it.
VariantBuild parse_variant(const std::string & text);

/// Reads a macro definition as rpmbuild's own --define takes it: "NAME VALUE"; "NAME=VALUE" is understood as well. Throws UserError with an example.
std::pair<std::string, std::string> parse_define(const std::string & text);

/// Refuses names that are no file names, names given twice, and switches or macros that rpm would not take or that bootbudget sets itself
/// (_topdir and its parts). Throws UserError.
void check_variants(const std::vector<VariantBuild> & variants);

/// The options for rpmbuild(8) and rpmspec(8) that stand for the switches.
std::vector<std::string> to_arguments(const Switches & switches);

/// For people: "--with dbgonly --define 'baserelease 2'"; "no switches" if there is none.
std::string to_text(const Switches & switches);

}  // namespace bootbudget::variants
