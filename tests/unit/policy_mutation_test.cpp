// SPDX-License-Identifier: GPL-2.0-or-later
// Policies that were damaged at random, from a fixed seed: whatever they have become, load() returns a policy or mistakes, or throws an Error;
// nothing else, and every mistake has a place and a sentence.
#include "policy/policy.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <sstream>

using namespace bootbudget;

namespace {

std::string read(const std::filesystem::path & path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

class Mutator {
public:
    explicit Mutator(std::uint64_t seed) : generator_(seed) {}

    std::string mutate(std::string text) {
        const std::size_t changes = 1 + below(4);
        for (std::size_t i = 0; i < changes && !text.empty(); ++i) {
            change(text);
        }
        return text;
    }

private:
    std::size_t below(std::size_t bound) {
        return std::uniform_int_distribution<std::size_t>(0, bound - 1)(generator_);
    }

    void change(std::string & text) {
        static const std::vector<std::string> PIECES{
            "[",   "]",   "{",          "}",    ":",    ": ",   "- ",    "\n",    "&a ",  "*a",       "? ",
            "|\n", "!x ", "%",          "\"",   "'",    "#",    "---\n", "\t",    "<<: ", "~",        "1e999s",
            "0x",  "-1s", "99999h",     "\xff", "x",    "null", ",",     "...\n", "100%", "\xef\xbb", "\x01",
            "2x",  "60s", "9999999999", "n",    "true", "@",    "`",     "> ",    "*"};
        const std::size_t at = below(text.size());
        const std::size_t length = std::min(below(20), text.size() - at);
        switch (below(5)) {
            case 0:
                text[at] = static_cast<char>(below(256));
                break;
            case 1:
                text.erase(at, length);
                break;
            case 2:
                text.insert(at, PIECES[below(PIECES.size())]);
                break;
            case 3:
                text.insert(below(text.size()), text.substr(at, length));
                break;
            default:
                text.resize(at);
                break;
        }
    }

    std::mt19937_64 generator_;
};

}  // namespace

TEST(Mutation, damaged_policies_never_surprise) {
    const std::filesystem::path policies = std::filesystem::path(BOOTBUDGET_TEST_DATA) / "policies";
    const std::vector<std::string> originals{
        read(policies / "all_keys.yaml"),
        read(policies / "ten_mistakes.yaml"),
        read(std::filesystem::path(BOOTBUDGET_SOURCE_DIR) / "policies" / "demo.yaml")};
    for (const auto & original : originals) {
        ASSERT_GT(original.size(), 100U);
    }
    const std::filesystem::path file =
        std::filesystem::path(testing::TempDir()) / ("bootbudget-mutation-" + std::to_string(getpid()) + ".yaml");
    Mutator mutator(42);
    int accepted = 0;
    constexpr int ROUNDS = 3000;
    for (int round = 0; round < ROUNDS; ++round) {
        const std::string text = mutator.mutate(originals[static_cast<std::size_t>(round) % originals.size()]);
        std::ofstream(file, std::ios::binary | std::ios::trunc) << text;
        try {
            const auto loaded = policy::load(file);
            EXPECT_EQ(loaded.policy.has_value(), loaded.mistakes.empty()) << text;
            accepted += loaded.policy ? 1 : 0;
            for (const auto & mistake : loaded.mistakes) {
                EXPECT_TRUE(mistake.line >= 1 && mistake.column >= 1 && !mistake.file.empty()) << text;
                EXPECT_GT(mistake.text.size(), 10U) << text;
            }
        } catch (const Error & error) {
            EXPECT_FALSE(std::string(error.what()).empty());
        }
    }
    std::filesystem::remove(file);
    EXPECT_GT(accepted, 0);
    EXPECT_LT(accepted, ROUNDS);
}
