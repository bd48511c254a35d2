// SPDX-License-Identifier: GPL-2.0-or-later
// Included files come first, in their order, and the file that includes them is laid on top. The merged tree keeps each value's place, so that a
// mistake that only shows after merging still names the file it is in.
#include "policy/include.hpp"

#include "common/file.hpp"
#include "policy/section.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

namespace bootbudget::policy {

namespace {

std::string_view name_of_item(const Node & item) {
    const Node * name = item.kind == Node::Kind::MAPPING ? item.find("name") : nullptr;
    return name != nullptr && name->kind == Node::Kind::SCALAR ? std::string_view(name->text) : std::string_view();
}

void merge_named(Node & base, const Node & over) {
    const std::size_t inherited = base.items.size();
    for (const auto & item : over.items) {
        const auto name = name_of_item(item);
        const auto end = base.items.begin() + static_cast<std::ptrdiff_t>(inherited);
        const auto same = std::find_if(
            base.items.begin(), end, [&](const Node & other) { return !name.empty() && name_of_item(other) == name; });
        if (same != end) {
            *same = item;
        } else {
            base.items.push_back(item);
        }
    }
}

void merge_at(Node & base, const Node & over, std::string_view key, bool top) {
    if (base.kind == Node::Kind::MAPPING && over.kind == Node::Kind::MAPPING) {
        base.place = over.place;
        for (std::size_t i = 0; i < over.items.size(); ++i) {
            const auto & name = over.keys[i].text;
            const auto known =
                std::find_if(base.keys.begin(), base.keys.end(), [&](const Key & other) { return other.text == name; });
            if (known == base.keys.end()) {
                base.keys.push_back(over.keys[i]);
                base.items.push_back(over.items[i]);
            } else {
                merge_at(
                    base.items[static_cast<std::size_t>(known - base.keys.begin())], over.items[i], name, key.empty());
            }
        }
        return;
    }
    if (over.kind == Node::Kind::NOTHING) {
        return;  // a key with nothing behind it takes nothing away
    }
    if (top && base.kind == Node::Kind::SEQUENCE && over.kind == Node::Kind::SEQUENCE) {
        if (key == "variants" || key == "budgets") {
            merge_named(base, over);
            return;
        }
        if (key == "waivers") {
            base.items.insert(base.items.end(), over.items.begin(), over.items.end());
            return;
        }
    }
    base = over;
}

void drop(Node & mapping, std::string_view key) {
    for (std::size_t i = mapping.keys.size(); i-- > 0;) {
        if (mapping.keys[i].text == key) {
            mapping.keys.erase(mapping.keys.begin() + static_cast<std::ptrdiff_t>(i));
            mapping.items.erase(mapping.items.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
}

/// Why a file cannot be read, as part of a sentence. The name is said already, so the text of an errno is enough.
std::string reason_of(const Error & error) {
    if (const auto * const system = dynamic_cast<const SystemError *>(&error);
        system != nullptr && system->error_number() != 0) {
        return std::generic_category().message(system->error_number());
    }
    std::string sentence = error.what();
    sentence.erase(sentence.find_last_not_of('.') + 1);
    return sentence;
}

class Reader {
public:
    explicit Reader(Mistakes & mistakes) : mistakes_(mistakes) {}

    Sources read(const std::filesystem::path & file) {
        const std::string text = common::read_file(file, MAX_DOCUMENT_BYTES);
        sources_.merged = document(file, text);
        if (!complete_) {
            sources_.merged.reset();
        }
        return std::move(sources_);
    }

private:
    std::optional<Node> document(const std::filesystem::path & file, const std::string & text) {
        ++files_;
        auto own = read_document(text, mistakes_.add_file(file), mistakes_);
        if (!own) {
            complete_ = false;
            return std::nullopt;
        }
        sources_.documents.push_back(*own);
        if (own->kind != Node::Kind::MAPPING) {
            return own;
        }
        std::error_code ignored;
        open_.push_back(std::filesystem::weakly_canonical(file, ignored));
        std::optional<Node> merged;
        if (const Node * include = own->find("include")) {
            merged = included(*include, file.parent_path());
        }
        open_.pop_back();
        drop(*own, "include");
        return merged ? merge(std::move(*merged), *own) : own;
    }

    std::optional<Node> included(const Node & include, const std::filesystem::path & directory) {
        std::optional<Node> merged;
        if (include.kind == Node::Kind::NOTHING) {
            return merged;
        }
        if (include.kind != Node::Kind::SEQUENCE) {
            mistakes_.add(
                include.place,
                fmt::format("include is {}; expected a list of files such as [common.yaml].", describe(include)));
            return merged;
        }
        for (const auto & item : include.items) {
            auto next = include_one(item, directory);
            if (next && next->kind == Node::Kind::MAPPING) {
                merged = merged ? merge(std::move(*merged), *next) : std::move(*next);
            }
        }
        return merged;
    }

    std::optional<Node> include_one(const Node & item, const std::filesystem::path & directory) {
        const auto refuse = [&](const std::string & text) {
            mistakes_.add(item.place, text);
            complete_ = false;
            return std::nullopt;
        };
        constexpr std::size_t LONGEST = 4095;  // PATH_MAX less its final NUL
        if (item.kind != Node::Kind::SCALAR || item.text.empty() || item.text.size() > LONGEST ||
            item.text.find('\0') != std::string::npos) {
            return refuse(fmt::format("include has {}; expected the name of a file.", describe(item)));
        }
        const std::filesystem::path file = (directory / item.text).lexically_normal();
        std::error_code ignored;
        const auto canonical = std::filesystem::weakly_canonical(file, ignored);
        if (std::find(open_.begin(), open_.end(), canonical) != open_.end()) {
            return refuse(fmt::format(
                "include of {} closes a circle; expected files that do not include each other.", in_quotes(item.text)));
        }
        if (static_cast<int>(open_.size()) > MAX_INCLUDE_DEPTH) {
            return refuse(
                fmt::format("include of {} is more than {} levels deep.", in_quotes(item.text), MAX_INCLUDE_DEPTH));
        }
        if (files_ > MAX_INCLUDED_FILES) {
            return refuse(fmt::format(
                "include of {}: more than {} files are included; expected fewer.",
                in_quotes(item.text),
                MAX_INCLUDED_FILES));
        }
        std::string text;
        try {
            text = common::read_file(file, MAX_DOCUMENT_BYTES);
        } catch (const Error & error) {
            return refuse(fmt::format(
                "include names {}, which cannot be read: {}; expected a path relative to this file.",
                in_quotes(item.text),
                reason_of(error)));
        }
        return document(file, text);
    }

    Mistakes & mistakes_;
    Sources sources_;
    std::vector<std::filesystem::path> open_;
    int files_ = 0;
    bool complete_ = true;
};

}  // namespace

Node merge(Node base, const Node & over) {
    merge_at(base, over, "", false);
    return base;
}

Sources read_sources(const std::filesystem::path & file, Mistakes & mistakes) {
    return Reader(mistakes).read(file);
}

}  // namespace bootbudget::policy
