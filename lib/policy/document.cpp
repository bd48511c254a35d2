// SPDX-License-Identifier: GPL-2.0-or-later
// yaml-cpp's own tree neither keeps a key's place beside its file, nor bounds what aliases expand to. Its parser's events do have all
// that is needed: they are built here into a tree that knows its places, under bounds checked at each event.
#include "policy/document.hpp"

#include <fmt/format.h>
#include <yaml-cpp/emitter.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <map>
#include <sstream>

namespace bootbudget::policy {

namespace {

/// Leaves yaml-cpp's parser at something that cannot be read on from.
struct Unreadable {
    Place place;
    std::string text;
};

Place place_of(const YAML::Mark & mark, int file) {
    return {file, std::max(mark.line, 0) + 1, std::max(mark.column, 0) + 1};
}

class Builder : public YAML::EventHandler {
public:
    Builder(int file, Mistakes & mistakes) : file_(file), mistakes_(mistakes) {}

    bool complete() const noexcept { return complete_; }
    Node take() { return std::move(root_); }

    void OnDocumentStart(const YAML::Mark & mark) override {
        if (complete_) {
            throw Unreadable{
                place_of(mark, file_), "A second YAML document begins here; expected one document in a policy."};
        }
    }

    void OnDocumentEnd() override { complete_ = true; }

    void OnNull(const YAML::Mark & mark, YAML::anchor_t anchor) override {
        Node node;
        node.place = place_of(mark, file_);
        leaf(std::move(node), anchor);
    }

    void OnScalar(
        const YAML::Mark & mark, const std::string & tag, YAML::anchor_t anchor, const std::string & value) override {
        Node node;
        node.kind = Node::Kind::SCALAR;
        node.place = place_of(mark, file_);
        node.text = value;
        node.has_quotes = tag == "!";
        refuse_tag(tag, node.place);
        leaf(std::move(node), anchor);
    }

    void OnAlias(const YAML::Mark & mark, YAML::anchor_t anchor) override {
        const Place place = place_of(mark, file_);
        const auto found = anchors_.find(anchor);
        if (found == anchors_.end()) {
            throw Unreadable{
                place, "This alias stands inside what its own anchor marks; expected an alias of something complete."};
        }
        const Anchored & anchored = found->second;
        if (static_cast<int>(open_.size()) + anchored.height > MAX_NESTING) {
            throw Unreadable{place, too_deep()};
        }
        count(anchored.nodes, anchored.bytes, place);
        Node copy = anchored.node;
        copy.place = place;
        attach(std::move(copy), anchored.height, anchored.nodes, anchored.bytes);
    }

    void OnSequenceStart(
        const YAML::Mark & mark, const std::string & tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
        start(Node::Kind::SEQUENCE, mark, tag, anchor);
    }

    void OnSequenceEnd() override { end(); }

    void OnMapStart(
        const YAML::Mark & mark, const std::string & tag, YAML::anchor_t anchor, YAML::EmitterStyle::value) override {
        start(Node::Kind::MAPPING, mark, tag, anchor);
    }

    void OnMapEnd() override {
        refuse_repeated_keys(open_.back().node);
        end();
    }

private:
    struct Anchored {
        Node node;
        int height = 1;
        int nodes = 1;
        std::size_t bytes = 0;
    };

    /// A sequence or mapping whose end has not come yet.
    struct Open {
        Node node;
        YAML::anchor_t anchor = 0;
        int height = 1;
        int nodes = 1;
        std::size_t bytes = 0;
    };

    static std::string too_deep() {
        return fmt::format("The nesting is deeper than {} levels; expected a policy, which needs 4.", MAX_NESTING);
    }

    void refuse_tag(const std::string & tag, const Place & place) {
        if (!tag.empty() && tag != "?" && tag != "!") {
            mistakes_.add(
                place,
                fmt::format("The tag {} means nothing in a policy; expected a value without one.", in_quotes(tag)));
        }
    }

    void refuse_repeated_keys(const Node & mapping) {
        std::map<std::string_view, int> lines;
        for (const auto & key : mapping.keys) {
            const auto [first, is_new] = lines.emplace(key.text, key.place.line);
            if (!is_new) {
                mistakes_.add(
                    key.place,
                    fmt::format(
                        "The key {} is there twice (first in line {}); expected it once.",
                        in_quotes(key.text),
                        first->second));
            }
        }
    }

    void count(int nodes, std::size_t bytes, const Place & place) {
        nodes_ += nodes;
        bytes_ += bytes;
        if (nodes_ > MAX_NODES || bytes_ > MAX_TEXT_BYTES) {
            throw Unreadable{
                place,
                fmt::format(
                    "With its aliases expanded the document has more than {} values or 4 MiB of text; expected a "
                    "policy.",
                    MAX_NODES)};
        }
    }

    void start(Node::Kind kind, const YAML::Mark & mark, const std::string & tag, YAML::anchor_t anchor) {
        Open open;
        open.node.kind = kind;
        open.node.place = place_of(mark, file_);
        open.anchor = anchor;
        if (static_cast<int>(open_.size()) >= MAX_NESTING) {
            throw Unreadable{open.node.place, too_deep()};
        }
        refuse_tag(tag, open.node.place);
        open_.push_back(std::move(open));
    }

    void end() {
        Open open = std::move(open_.back());
        open_.pop_back();
        count(1, 0, open.node.place);
        remember(open.node, open.anchor, open.height, open.nodes, open.bytes);
        attach(std::move(open.node), open.height, open.nodes, open.bytes);
    }

    void leaf(Node node, YAML::anchor_t anchor) {
        const std::size_t bytes = node.text.size();
        count(1, bytes, node.place);
        remember(node, anchor, 1, 1, bytes);
        attach(std::move(node), 1, 1, bytes);
    }

    void remember(const Node & node, YAML::anchor_t anchor, int height, int nodes, std::size_t bytes) {
        if (anchor != 0) {
            anchors_[anchor] = {node, height, nodes, bytes};
        }
    }

    void attach(Node node, int height, int nodes, std::size_t bytes) {
        if (open_.empty()) {
            root_ = std::move(node);
            return;
        }
        Open & parent = open_.back();
        parent.height = std::max(parent.height, height + 1);
        parent.nodes += nodes;
        parent.bytes += bytes;
        if (parent.node.kind == Node::Kind::MAPPING && parent.node.keys.size() == parent.node.items.size()) {
            if (node.kind != Node::Kind::SCALAR) {
                throw Unreadable{node.place, "This key is not a word; expected keys such as \"budgets\"."};
            }
            parent.node.keys.push_back({std::move(node.text), node.place});
        } else {
            parent.node.items.push_back(std::move(node));
        }
    }

    int file_;
    Mistakes & mistakes_;
    Node root_;
    bool complete_ = false;
    std::vector<Open> open_;
    std::map<YAML::anchor_t, Anchored> anchors_;
    int nodes_ = 0;
    std::size_t bytes_ = 0;
};

void write(const Node & node, YAML::Emitter & out) {
    switch (node.kind) {
        case Node::Kind::NOTHING:
            out << YAML::Null;
            break;
        case Node::Kind::SCALAR:
            if (node.has_quotes) {
                out << YAML::DoubleQuoted;
            }
            out << node.text;
            break;
        case Node::Kind::SEQUENCE:
            if (node.items.empty()) {
                out << YAML::Flow;
            }
            out << YAML::BeginSeq;
            for (const auto & item : node.items) {
                write(item, out);
            }
            out << YAML::EndSeq;
            break;
        case Node::Kind::MAPPING:
            if (node.items.empty()) {
                out << YAML::Flow;
            }
            out << YAML::BeginMap;
            for (std::size_t i = 0; i < node.items.size(); ++i) {
                out << YAML::Key << node.keys[i].text << YAML::Value;
                write(node.items[i], out);
            }
            out << YAML::EndMap;
            break;
    }
}

/// What yaml-cpp calls wrong is often not what a person did wrong. The next step for the two mistakes that policies have had most.
std::string advice_on(const YAML::Exception & error, std::string_view text) {
    if (error.msg == YAML::ErrorMsg::ALIAS_NOT_FOUND) {
        return "; if \"every variant\" is meant, write variant: \"*\" in quotes";
    }
    for (int line = 0; line < error.mark.line && !text.empty(); ++line) {
        const std::size_t end = text.find('\n');
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    const std::string_view indentation = text.substr(0, text.find_first_not_of(" \t"));
    if (error.msg == YAML::ErrorMsg::TAB_IN_INDENTATION || indentation.find('\t') != std::string_view::npos) {
        return "; indent with spaces, YAML allows no tabs";
    }
    return "";
}

}  // namespace

const Node * Node::find(std::string_view key) const {
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (keys[i].text == key) {
            return &items[i];
        }
    }
    return nullptr;
}

std::optional<Node> read_document(std::string_view text, int file, Mistakes & mistakes) {
    if (text.size() > MAX_DOCUMENT_BYTES) {
        mistakes.add({file, 1, 1}, "The file is larger than 1 MiB; expected a policy.");
        return std::nullopt;
    }
    std::istringstream stream{std::string(text)};
    Builder builder(file, mistakes);
    try {
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(builder)) {
        }
    } catch (const Unreadable & unreadable) {
        mistakes.add(unreadable.place, unreadable.text);
        return std::nullopt;
    } catch (const YAML::Exception & error) {
        mistakes.add(
            place_of(error.mark, file), fmt::format("This is not YAML: {}{}.", error.msg, advice_on(error, text)));
        return std::nullopt;
    }
    if (!builder.complete()) {
        mistakes.add(
            {file, 1, 1}, "The file is empty; expected a policy that begins with \"schema: bootbudget-policy/1\".");
        return std::nullopt;
    }
    return builder.take();
}

std::string write_document(const Node & node) {
    YAML::Emitter out;
    write(node, out);
    return std::string(out.c_str(), out.size()) + "\n";
}

}  // namespace bootbudget::policy
