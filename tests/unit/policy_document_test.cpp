// SPDX-License-Identifier: GPL-2.0-or-later
// The YAML tree: places, what it refuses, its bounds, and that it is written back as it was.
#include "policy/document.hpp"

#include <gmock/gmock.h>

using namespace bootbudget::policy;
using testing::HasSubstr;

namespace {

/// The document's mistakes as "line:column text".
std::vector<std::string> mistakes_in(const std::string & text) {
    Mistakes mistakes;
    read_document(text, mistakes.add_file("p.yaml"), mistakes);
    std::vector<std::string> lines;
    for (const auto & mistake : mistakes.sorted()) {
        lines.push_back(std::to_string(mistake.line) + ":" + std::to_string(mistake.column) + " " + mistake.text);
    }
    return lines;
}

Node read(const std::string & text) {
    Mistakes mistakes;
    auto node = read_document(text, mistakes.add_file("p.yaml"), mistakes);
    EXPECT_TRUE(node && mistakes.empty()) << text;
    return node.value_or(Node{});
}

}  // namespace

TEST(Document, knows_where_each_value_stands) {
    const Node root = read("a: 1\nlist:\n  - x\n  - {deep: [y]}\n");
    ASSERT_NE(root.find("list"), nullptr);
    EXPECT_EQ(root.keys[1].place, (Place{0, 2, 1}));
    const Node & list = *root.find("list");
    ASSERT_EQ(list.items.size(), 2U);
    EXPECT_EQ(list.items[0].place, (Place{0, 3, 5}));
    EXPECT_EQ(list.items[1].find("deep")->items[0].place, (Place{0, 4, 13}));
}

TEST(Document, a_syntax_error_is_one_mistake_with_its_place) {
    EXPECT_THAT(mistakes_in("a: 1\nb: [1, 2\nc: 3\n"), testing::ElementsAre(HasSubstr("3:2 This is not YAML")));
    EXPECT_THAT(mistakes_in("a: b: c\n"), testing::ElementsAre(HasSubstr("1:5 This is not YAML")));
    EXPECT_THAT(
        mistakes_in("variant: *\n"),
        testing::ElementsAre(HasSubstr("; if \"every variant\" is meant, write variant: \"*\" in quotes.")));
    EXPECT_THAT(
        mistakes_in("b: [{variant: *, limit: 1s}]\n"),
        testing::ElementsAre(HasSubstr("write variant: \"*\" in quotes.")));
    for (const char * const tabbed : {"a:\n\tb: 1\n", "a:\n  b: 1\n\tc: 2\n", "a:\n  - b: 1\n\tc: 2\n"}) {
        EXPECT_THAT(mistakes_in(tabbed), testing::ElementsAre(HasSubstr("; indent with spaces, YAML allows no tabs.")))
            << tabbed;
    }
    EXPECT_THAT(mistakes_in("a: b: c\t\n"), testing::ElementsAre(testing::Not(HasSubstr("tabs"))));
    EXPECT_THAT(mistakes_in("a: *nowhere\n"), testing::ElementsAre(HasSubstr("1:4 This is not YAML")));
}

TEST(Document, empty_files_and_second_documents_are_told) {
    EXPECT_THAT(mistakes_in(""), testing::ElementsAre(HasSubstr("The file is empty")));
    EXPECT_THAT(mistakes_in("# only a comment\n"), testing::ElementsAre(HasSubstr("The file is empty")));
    EXPECT_THAT(mistakes_in("a: 1\n---\nb: 2\n"), testing::ElementsAre(HasSubstr("2:1 A second YAML document")));
}

TEST(Document, keys_that_are_there_twice_are_told_at_the_second) {
    EXPECT_THAT(
        mistakes_in("a: 1\nb: 2\na: 3\n"),
        testing::ElementsAre("3:1 The key \"a\" is there twice (first in line 1); expected it once."));
    EXPECT_THAT(mistakes_in("x: {y: 1, y: 2}\n"), testing::ElementsAre(HasSubstr("1:11 The key \"y\" is there twice")));
}

TEST(Document, tags_and_keys_that_are_no_words_are_told) {
    EXPECT_THAT(mistakes_in("a: !!python/object b\n"), testing::ElementsAre(HasSubstr("1:4 The tag")));
    EXPECT_THAT(mistakes_in("? [a, b]\n: c\n"), testing::ElementsAre(HasSubstr("This key is not a word")));
}

TEST(Document, aliases_become_copies) {
    const Node root = read("a: &x {k: v}\nb: *x\n");
    ASSERT_NE(root.find("b")->find("k"), nullptr);
    EXPECT_EQ(root.find("b")->find("k")->text, "v");
    EXPECT_THAT(mistakes_in("a: &x [*x]\n"), testing::ElementsAre(HasSubstr("inside what its own anchor marks")));
}

TEST(Document, aliases_that_multiply_are_stopped) {
    std::string bomb = "a: &a [1,1,1,1,1,1,1,1,1,1]\n";
    for (char c = 'b'; c < 'k'; ++c) {
        bomb += std::string(1, c) + ": &" + c + " [";
        for (int i = 0; i < 10; ++i) {
            bomb += std::string("*") + static_cast<char>(c - 1) + ",";
        }
        bomb += "]\n";
    }
    EXPECT_THAT(mistakes_in(bomb), testing::ElementsAre(HasSubstr("more than 20000 values")));
    std::string fat = "a: &a " + std::string(900000, 'x') + "\nb: [*a, *a, *a, *a, *a]\n";
    EXPECT_THAT(mistakes_in(fat), testing::ElementsAre(HasSubstr("4 MiB of text")));
    std::string chain = "l0: &l0 [1]\n";
    for (int i = 1; i < 40; ++i) {
        chain += "l" + std::to_string(i) + ": &l" + std::to_string(i) + " [*l" + std::to_string(i - 1) + "]\n";
    }
    EXPECT_THAT(mistakes_in(chain), testing::ElementsAre(HasSubstr("nesting is deeper than 32")));
}

TEST(Document, nesting_and_size_are_bounded) {
    for (const std::string opening : {"[", "- ", "? ", "{a: "}) {
        std::string deep;
        for (int i = 0; i < 50000; ++i) {
            deep += opening;
        }
        EXPECT_THAT(mistakes_in(deep), testing::ElementsAre(HasSubstr("nesting is deeper than 32"))) << opening;
    }
    EXPECT_THAT(
        mistakes_in(std::string(MAX_DOCUMENT_BYTES + 1, ' ')), testing::ElementsAre(HasSubstr("larger than 1 MiB")));
}

TEST(Document, is_written_back_to_the_same) {
    const std::string text =
        "schema: bootbudget-policy/1\n"
        "empty: {list: [], mapping: {}, text: \"\", nothing: }\n"
        "words: [\"*\", 'n', n, \"60s\", \"a: b\", \"#\", \"- x\", \"tab\\there\", \"ünï\", \"\\x01\", \"\\\"\", ~, "
        "\"~\"]\n"
        "\"key with: colon\": |\n  two\n  lines\n";
    const Node root = read(text);
    const std::string once = write_document(root);
    const Node again = read(once);
    EXPECT_EQ(write_document(again), once);
    ASSERT_EQ(again.find("words")->items.size(), root.find("words")->items.size());
    for (std::size_t i = 0; i < root.find("words")->items.size(); ++i) {
        EXPECT_EQ(again.find("words")->items[i].text, root.find("words")->items[i].text);
        EXPECT_EQ(again.find("words")->items[i].kind, root.find("words")->items[i].kind);
    }
    EXPECT_EQ(again.find("key with: colon")->text, "two\nlines\n");
}

TEST(Suggestion, names_the_nearest_word_or_none) {
    const std::vector<std::string> words{"timeout", "stall", "memory"};
    EXPECT_EQ(did_you_mean("stal", words), " (did you mean \"stall\"?)");
    EXPECT_EQ(did_you_mean("tiemout", words), " (did you mean \"timeout\"?)");
    EXPECT_EQ(did_you_mean("colour", words), "");
    EXPECT_EQ(did_you_mean("", words), "");
    EXPECT_EQ(did_you_mean(std::string(100000, 'a'), words), "");
}
