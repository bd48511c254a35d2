// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "policy/document.hpp"
#include "policy/section.hpp"

#include <string>
#include <vector>

namespace bootbudget::policy {

/// An item of one of the policy's lists, and where it stands.
template <typename Rule>
struct Placed {
    Rule rule;
    const Node * node = nullptr;  ///< a mapping; in the document that was read
};

/// What a document says, as far as it says it without mistakes.
struct Reading {
    Policy policy;  ///< its lists are empty: they are below
    std::vector<Placed<VariantRule>> variants;
    std::vector<Placed<BudgetRule>> budgets;
    std::vector<Placed<WaiverRule>> waivers;
    bool all_variants_named = true;  ///< false: some are left out because their names could not be read
    bool all_budgets_named = true;
};

/// Reads each value of a document by itself; what only holds for the merged whole is check_whole()'s.
Reading read_schema(const Node & document, Mistakes & mistakes);

/// Notes what is wrong between parts of the merged policy: names that do not exist, runs that cannot be, a median that runs.max cannot support.
void check_whole(const Node & document, const Reading & reading, Mistakes & mistakes);

/// Parts of read_schema(), one per list.
void read_variants(const Section & root, Reading & reading);
void read_budgets(const Section & root, Reading & reading);
void read_waivers(const Section & root, Reading & reading);

/// Calls `read(Section, item)` for each item of the list behind `key`. `label` names an item in messages: "budget".
template <typename Read>
void for_each_item(
    const Section & root, std::string_view key, const std::string & label, const Vocabulary & vocabulary, Read read);

/// "budget \"launch\": " or, without a name that could be read, "budget 3: ".
std::string item_prefix(const Node & item, const std::string & label, std::string_view name_key, std::size_t number);

template <typename Read>
void for_each_item(
    const Section & root, std::string_view key, const std::string & label, const Vocabulary & vocabulary, Read read) {
    const Node * list = root.find(key);
    if (list == nullptr) {
        return;
    }
    if (list->kind != Node::Kind::SEQUENCE) {
        root.refuse(key, root.name_of(key) + " is " + describe(*list) + "; expected a list.");
        return;
    }
    std::size_t number = 0;
    for (const auto & item : list->items) {
        ++number;
        read(
            Section(item, item_prefix(item, label, vocabulary.keys.front(), number), vocabulary, root.mistakes()),
            item);
    }
}

}  // namespace bootbudget::policy
