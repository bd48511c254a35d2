// SPDX-License-Identifier: GPL-2.0-or-later
// Which kernels the policy measures: the list `variants`.
#include "policy/schema.hpp"

#include "common/units.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bootbudget::policy {

namespace {

const Vocabulary VARIANT{{"name", "kind", "flavour", "arches", "config", "required"}, {}};

bool is_option(std::string_view text) {
    constexpr std::string_view PREFIX = "CONFIG_";
    constexpr std::size_t LONGEST = 128;
    return text.starts_with(PREFIX) && text.size() > PREFIX.size() && text.size() <= LONGEST &&
           std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
           });
}

std::map<std::string, std::string> read_config(const Section & section) {
    std::map<std::string, std::string> config;
    const Node * node = section.find("config");
    if (node == nullptr) {
        return config;
    }
    if (node->kind != Node::Kind::MAPPING) {
        section.refuse(
            "config",
            fmt::format(
                "{} is {}; expected a mapping such as {{CONFIG_KASAN: n}}.",
                section.name_of("config"),
                describe(*node)));
        return config;
    }
    for (std::size_t i = 0; i < node->items.size(); ++i) {
        const auto & key = node->keys[i];
        const auto & value = node->items[i];
        if (!is_option(key.text)) {
            section.mistakes().add(
                key.place,
                fmt::format(
                    "{} has {}; expected an option's whole name such as CONFIG_KASAN.",
                    section.name_of("config"),
                    in_quotes(key.text)));
        } else if (value.kind != Node::Kind::SCALAR) {
            section.mistakes().add(
                value.place,
                fmt::format(
                    "{} wants {} to be {}; expected y, m, n, a number or a string.",
                    section.name_of("config"),
                    key.text,
                    describe(value)));
        } else {
            config[key.text] = value.text;
        }
    }
    return config;
}

}  // namespace

void read_variants(const Section & root, Reading & reading) {
    for_each_item(root, "variants", "variant", VARIANT, [&](const Section & section, const Node & item) {
        VariantRule rule;
        section.require("name", "a name that budgets can refer to");
        const auto name = section.name("name");
        if (const auto kind = section.choice("kind", {"debug", "nodebug"})) {
            rule.kind = *kind == "debug" ? Kind::DEBUG : Kind::NODEBUG;
        }
        rule.flavour = section.name("flavour");
        rule.arches = section.arches();
        rule.config = read_config(section);
        rule.required = section.boolean("required").value_or(false);
        if (!name) {
            reading.all_variants_named = false;
            return;
        }
        rule.name = *name;
        reading.variants.push_back({std::move(rule), &item});
    });
}

}  // namespace bootbudget::policy
