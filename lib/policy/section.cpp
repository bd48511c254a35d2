// SPDX-License-Identifier: GPL-2.0-or-later
// One reader for each sort of value that a policy holds. All speak alike: the key's full name, what is there, what was expected.
#include "policy/section.hpp"

#include "common/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace bootbudget::policy {

namespace {

bool is_alphanumeric(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789.") == std::string_view::npos;
}

void refuse_unknown_keys(
    const Node & node, const std::string & prefix, const Vocabulary & vocabulary, Mistakes & mistakes) {
    const auto has = [](const std::vector<std::string> & words, const std::string & word) {
        return std::find(words.begin(), words.end(), word) != words.end();
    };
    for (const auto & key : node.keys) {
        if (has(vocabulary.keys, key.text) || key.text.starts_with("x-")) {
            continue;
        }
        if (has(vocabulary.later, key.text)) {
            mistakes.add(
                key.place,
                fmt::format("{}{} is not supported by this version; expected it left out.", prefix, key.text));
            continue;
        }
        mistakes.add(
            key.place,
            fmt::format(
                "{}{} is an unknown key{}; expected {}, or a key of your own that begins with \"x-\".",
                prefix,
                common::printable(key.text, 60),
                did_you_mean(key.text, vocabulary.keys),
                one_of(vocabulary.keys)));
    }
}

}  // namespace

Section::Section(const Node & node, std::string prefix, const Vocabulary & vocabulary, Mistakes & mistakes)
    : place_(node.place), prefix_(std::move(prefix)), mistakes_(&mistakes) {
    if (node.kind != Node::Kind::MAPPING) {
        std::string what = prefix_;
        what.erase(what.find_last_not_of(".: ") + 1);
        mistakes.add(
            node.place,
            fmt::format(
                "{} is {}; expected a mapping with keys such as {}.",
                what.empty() ? "The policy" : what,
                describe(node),
                one_of(vocabulary.keys)));
        return;
    }
    node_ = &node;
    refuse_unknown_keys(node, prefix_, vocabulary, mistakes);
}

const Node * Section::find(std::string_view key) const {
    const Node * node = node_ == nullptr ? nullptr : node_->find(key);
    return node == nullptr || node->kind == Node::Kind::NOTHING ? nullptr : node;
}

std::string Section::name_of(std::string_view key) const {
    return prefix_ + std::string(key);
}

void Section::refuse(std::string_view key, const std::string & text) const {
    const Node * node = find(key);
    mistakes_->add(node == nullptr ? place_ : node->place, text);
}

void Section::require(std::string_view key, const std::string & expected) const {
    if (node_ != nullptr && find(key) == nullptr) {
        mistakes_->add(place_, fmt::format("{} is missing; expected {}.", name_of(key), expected));
    }
}

std::optional<std::string> Section::word(std::string_view key) const {
    const Node * node = find(key);
    if (node == nullptr) {
        return std::nullopt;
    }
    if (node->kind != Node::Kind::SCALAR || node->text.empty()) {
        refuse(key, fmt::format("{} is {}; expected a word.", name_of(key), describe(*node)));
        return std::nullopt;
    }
    return node->text;
}

std::optional<std::string> Section::choice(std::string_view key, const std::vector<std::string> & words) const {
    const auto text = word(key);
    if (!text || std::find(words.begin(), words.end(), *text) != words.end()) {
        return text;
    }
    refuse(
        key,
        fmt::format(
            "{} is {}{}; expected {}.", name_of(key), in_quotes(*text), did_you_mean(*text, words), one_of(words)));
    return std::nullopt;
}

std::optional<std::string> Section::name(std::string_view key) const {
    const auto text = word(key);
    if (text && !is_name(*text)) {
        refuse(
            key,
            fmt::format(
                "{} is {}; expected a name of at most 64 letters, digits and \"._+-\" that begins with a letter or "
                "digit.",
                name_of(key),
                in_quotes(*text)));
        return std::nullopt;
    }
    return text;
}

std::optional<std::string> Section::prose(std::string_view key, std::size_t most_bytes) const {
    const Node * node = find(key);
    if (node == nullptr) {
        return std::nullopt;
    }
    if (node->kind != Node::Kind::SCALAR) {
        refuse(key, fmt::format("{} is {}; expected text.", name_of(key), describe(*node)));
        return std::nullopt;
    }
    if (node->text.size() > most_bytes) {
        refuse(
            key, fmt::format("{} is {} bytes long; expected at most {}.", name_of(key), node->text.size(), most_bytes));
        return std::nullopt;
    }
    if (common::printable(node->text, 4 * most_bytes) != node->text) {
        refuse(
            key,
            fmt::format(
                "{} is {}, which has control characters; expected text of one line.",
                name_of(key),
                in_quotes(node->text)));
        return std::nullopt;
    }
    return node->text;
}

std::optional<bool> Section::boolean(std::string_view key) const {
    const auto text = choice(key, {"true", "false"});
    return text ? std::optional(*text == "true") : std::nullopt;
}

std::optional<int> Section::integer(std::string_view key, int least, int most) const {
    const auto text = word(key);
    if (!text) {
        return std::nullopt;
    }
    int value = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
    if (error != std::errc{} || end != text->data() + text->size() || value < least || value > most) {
        refuse(
            key,
            fmt::format(
                "{} is {}; expected a whole number from {} to {}.", name_of(key), in_quotes(*text), least, most));
        return std::nullopt;
    }
    return value;
}

std::optional<Quantity> Section::quantity(std::string_view key, Unit unit) const {
    const auto text = word(key);
    if (!text) {
        return std::nullopt;
    }
    const auto quantity = common::parse_quantity(*text);
    if (quantity && quantity->unit == unit && quantity->value > 0) {
        return quantity;
    }
    const auto * const but = is_number(*text) ? ", a number without a unit" : "";
    refuse(key, fmt::format("{} is {}{}; expected {}.", name_of(key), in_quotes(*text), but, example_of(unit)));
    return std::nullopt;
}

std::optional<std::chrono::milliseconds> Section::duration(
    std::string_view key, std::chrono::milliseconds least, std::chrono::milliseconds most) const {
    const auto seconds = quantity(key, Unit::SECONDS);
    if (!seconds) {
        return std::nullopt;
    }
    const std::chrono::milliseconds value(std::llround(seconds->value * 1000));
    if (value < least || value > most) {
        const auto in_words = [](std::chrono::milliseconds time) {
            return common::format_quantity({static_cast<double>(time.count()) / 1000, Unit::SECONDS});
        };
        refuse(
            key,
            fmt::format(
                "{} is {}; expected a time from {} to {}.",
                name_of(key),
                describe(*find(key)),
                in_words(least),
                in_words(most)));
        return std::nullopt;
    }
    return value;
}

std::optional<std::string> Section::date(std::string_view key) const {
    const auto text = word(key);
    if (!text) {
        return std::nullopt;
    }
    const auto number = [&](std::size_t begin, std::size_t size) {
        int value = -1;
        const char * const first = text->data() + begin;
        const auto [end, error] = std::from_chars(first, first + size, value);
        return error == std::errc{} && end == first + size ? value : -1;
    };
    if (text->size() == 10 && (*text)[4] == '-' && (*text)[7] == '-') {
        const int year = number(0, 4);
        const int month = number(5, 2);
        const int day = number(8, 2);
        const std::chrono::year_month_day parsed{
            std::chrono::year(year),
            std::chrono::month(static_cast<unsigned>(month)),
            std::chrono::day(static_cast<unsigned>(day))};
        if (year >= 0 && month >= 0 && day >= 0 && parsed.ok()) {
            return text;
        }
    }
    refuse(
        key,
        fmt::format("{} is {}; expected a date of the calendar such as 2027-02-01.", name_of(key), in_quotes(*text)));
    return std::nullopt;
}

std::vector<std::string> Section::arches() const {
    std::vector<std::string> arches;
    const Node * node = find("arches");
    if (node == nullptr) {
        return arches;
    }
    const auto refuse_at = [&](const Node & wrong) {
        mistakes_->add(
            wrong.place,
            fmt::format(
                "{} has {}; expected a list of architectures such as [x86_64, aarch64].",
                name_of("arches"),
                describe(wrong)));
    };
    if (node->kind != Node::Kind::SEQUENCE || node->items.empty()) {
        refuse_at(*node);
        return arches;
    }
    for (const auto & item : node->items) {
        if (item.kind == Node::Kind::SCALAR && is_arch(item.text)) {
            arches.push_back(item.text);
        } else {
            refuse_at(item);
        }
    }
    return arches;
}

std::string describe(const Node & node) {
    switch (node.kind) {
        case Node::Kind::NOTHING:
            return "nothing";
        case Node::Kind::SCALAR:
            return in_quotes(node.text);
        case Node::Kind::SEQUENCE:
            return node.items.empty() ? "an empty list" : "a list";
        case Node::Kind::MAPPING:
            return "a mapping";
    }
    return "nothing";
}

std::string example_of(Unit unit) {
    switch (unit) {
        case Unit::SECONDS:
            return "a time such as 60s, 500ms, 10m or 1h";
        case Unit::BYTES:
            return "a size such as 1280MiB or 2GiB";
        case Unit::COUNT:
            return "a count such as 1.4G";
        case Unit::RATIO:
            return "a ratio such as 2.5x";
    }
    return "a number with its unit";
}

bool is_arch(std::string_view text) {
    constexpr std::size_t LONGEST = 16;
    return !text.empty() && text.size() <= LONGEST && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '_';
    });
}

bool is_name(std::string_view text) {
    constexpr std::size_t LONGEST = 64;
    return !text.empty() && text.size() <= LONGEST && is_alphanumeric(text.front()) &&
           std::all_of(text.begin(), text.end(), [](char c) {
               return is_alphanumeric(c) || c == '.' || c == '_' || c == '-' || c == '+';
           });
}

}  // namespace bootbudget::policy
