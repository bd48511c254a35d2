// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "policy/document.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace bootbudget::policy {

/// What a section's keys may be.
struct Vocabulary {
    std::vector<std::string> keys;
    std::vector<std::string> later;  ///< in the schema, but not built yet: "not supported by this version"
};

/// A mapping of the policy that is being read, and what it is called in messages.
///
/// Each reader returns the value of a key, or nothing when the key is absent or its value is a mistake; the mistake is then noted, with the key's full
/// name, what is there and what was expected.
class Section {
public:
    /// `prefix` goes before a key's name in messages: "boot.", "budget \"launch\": ". Notes unknown keys (those that begin with "x-" are the user's own).
    /// A node that is no mapping is a mistake and reads as an empty one.
    Section(const Node & node, std::string prefix, const Vocabulary & vocabulary, Mistakes & mistakes);

    const Place & place() const noexcept { return place_; }
    Mistakes & mistakes() const noexcept { return *mistakes_; }

    /// The value's node; nullptr if absent, or if nothing stands behind the key.
    const Node * find(std::string_view key) const;

    /// "boot.timeout", for messages.
    std::string name_of(std::string_view key) const;

    /// Notes `text` at the key's value.
    void refuse(std::string_view key, const std::string & text) const;

    /// Notes at the section that a key is missing, unless it is there.
    void require(std::string_view key, const std::string & expected) const;

    std::optional<std::string> word(std::string_view key) const;
    std::optional<std::string> choice(std::string_view key, const std::vector<std::string> & words) const;
    std::optional<std::string> name(std::string_view key) const;
    std::optional<std::string> prose(std::string_view key, std::size_t most_bytes) const;
    std::optional<bool> boolean(std::string_view key) const;
    std::optional<int> integer(std::string_view key, int least, int most) const;
    std::optional<std::chrono::milliseconds> duration(
        std::string_view key, std::chrono::milliseconds least, std::chrono::milliseconds most) const;
    std::optional<std::string> date(std::string_view key) const;
    std::optional<Quantity> quantity(std::string_view key, Unit unit) const;

    /// A list of architectures; empty when absent.
    std::vector<std::string> arches() const;

private:
    const Node * node_ = nullptr;
    Place place_;
    std::string prefix_;
    Mistakes * mistakes_;
};

/// What a node is, for messages: "\"60\"", "a list", "a mapping", "nothing".
std::string describe(const Node & node);

/// What a value of this unit looks like, for messages.
std::string example_of(Unit unit);

/// True for an architecture as RPM names it: 1 to 16 small letters, digits and '_'.
bool is_arch(std::string_view text);

/// True for a name of a variant or budget: 1 to 64 letters, digits, '.', '_', '-', '+', beginning with a letter or digit.
bool is_name(std::string_view text);

}  // namespace bootbudget::policy
