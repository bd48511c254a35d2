// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/units.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <bootbudget/error.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bootbudget::report {

using Json = nlohmann::json;

/// A value of a report document, and where it is. Each reader throws UserError, naming the file and the value's JSON pointer (RFC 6901), if the value
/// is not what is asked for.
class Place {
public:
    Place(const Json & value, std::string pointer, const std::string & file)
        : value_(&value), pointer_(std::move(pointer)), file_(&file) {}

    [[noreturn]] void refuse(const std::string & what) const {
        throw UserError(fmt::format(
            "{}: {} {}; this is not a report that bootbudget wrote, or it was changed since.",
            *file_,
            pointer_.empty() ? "the document" : common::printable(pointer_, 200),
            what));
    }

    /// The member `key`, which must be there.
    Place at(const std::string & key) const {
        const auto member = object().find(key);
        if (member == value_->end()) {
            refuse(fmt::format("has no field \"{}\"", key));
        }
        return {*member, below(key), *file_};
    }

    /// The member `key`, or nothing: for fields that reports of earlier versions do not have.
    std::optional<Place> find(const std::string & key) const {
        const auto member = object().find(key);
        return member == value_->end() ? std::nullopt : std::optional(Place(*member, below(key), *file_));
    }

    bool is_null() const noexcept { return value_->is_null(); }

    std::string text() const {
        if (!value_->is_string()) {
            refuse("is not a string");
        }
        return value_->get<std::string>();
    }

    std::string text_or_empty() const { return is_null() ? std::string() : text(); }

    bool boolean() const {
        if (!value_->is_boolean()) {
            refuse("is not true or false");
        }
        return value_->get<bool>();
    }

    int integer() const {
        constexpr std::int64_t MAX = std::numeric_limits<int>::max();
        // Read as unsigned first: a number above 2^63 would otherwise come out negative.
        if (!value_->is_number_integer() || (value_->is_number_unsigned() && value_->get<std::uint64_t>() > MAX) ||
            value_->get<std::int64_t>() < 0) {
            refuse(fmt::format("is not a whole number from 0 to {}", MAX));
        }
        return value_->get<int>();
    }

    /// A number of 64 bits as its decimal digits: as a JSON number it would lose its last ones in many readers.
    std::uint64_t digits() const {
        const std::string digits = text();
        std::uint64_t value = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
        if (error != std::errc{} || end != digits.data() + digits.size()) {
            refuse("is not a whole number of 64 bits, written as text");
        }
        return value;
    }

    /// null stands for a number that was not finite.
    double number() const { return is_null() ? std::numeric_limits<double>::quiet_NaN() : finite(); }

    std::optional<double> number_or_nothing() const {
        return is_null() ? std::nullopt : std::optional<double>(finite());
    }

    /// One of `values`, by its name in the report.
    template <typename Value>
    Value one_of(std::initializer_list<Value> values) const {
        return one_of<Value>(values.begin(), values.end());
    }

    template <typename Value>
    Value one_of(const Value * begin, const Value * end) const {
        const std::string name = text();
        std::string known;
        for (const Value * value = begin; value != end; ++value) {
            if (to_string(*value) == name) {
                return *value;
            }
            known += fmt::format("{}{}", known.empty() ? "" : ", ", to_string(*value));
        }
        refuse(fmt::format("is \"{}\" and not one of: {}", common::printable(name, 100), known));
    }

    std::string word_of(std::initializer_list<std::string_view> words) const {
        std::string word = text();
        if (std::find(words.begin(), words.end(), word) == words.end()) {
            refuse(fmt::format("is \"{}\" and not one of: {}", common::printable(word, 100), fmt::join(words, ", ")));
        }
        return word;
    }

    template <typename Convert>
    auto list(Convert convert) const {
        if (!value_->is_array()) {
            refuse("is not a list");
        }
        std::vector<decltype(convert(*this))> items;
        items.reserve(value_->size());
        for (std::size_t i = 0; i < value_->size(); ++i) {
            items.push_back(convert(Place((*value_)[i], below(std::to_string(i)), *file_)));
        }
        return items;
    }

    std::vector<std::string> texts() const {
        return list([](const Place & place) { return place.text(); });
    }

    template <typename Convert>
    auto map(Convert convert) const {
        std::map<std::string, decltype(convert(*this))> items;
        for (const auto & [key, member] : object().items()) {
            items.emplace(key, convert(Place(member, below(key), *file_)));
        }
        return items;
    }

    std::map<std::string, std::string> text_map() const {
        return map([](const Place & place) { return place.text(); });
    }

    /// [low, high], each a number or null; or null.
    void interval(std::optional<double> & low, std::optional<double> & high) const {
        if (is_null()) {
            return;
        }
        const auto bounds = list([](const Place & place) { return place.number_or_nothing(); });
        if (bounds.size() != 2) {
            refuse("is not null and not a list of two numbers");
        }
        low = bounds[0];
        high = bounds[1];
    }

private:
    const Json & object() const {
        if (!value_->is_object()) {
            refuse("is not an object");
        }
        return *value_;
    }

    double finite() const {
        if (!value_->is_number()) {
            refuse("is not a number");
        }
        return value_->get<double>();
    }

    std::string below(const std::string & key) const {
        std::string escaped;
        for (const char c : key) {
            escaped += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
        }
        return pointer_ + "/" + escaped;
    }

    const Json * value_;
    std::string pointer_;
    const std::string * file_;
};

}  // namespace bootbudget::report
