// SPDX-License-Identifier: GPL-2.0-or-later
// Quantities must survive the way out and in again, and refuse everything a person could only have written by mistake.
#include "common/units.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <locale>
#include <random>

namespace bootbudget::common {
namespace {

constexpr double MIB = 1024.0 * 1024;

TEST(ParseQuantity, TakesEveryUnitOfAPolicy) {
    EXPECT_EQ(parse_quantity("60s"), (Quantity{60, Unit::SECONDS}));
    EXPECT_EQ(parse_quantity("500ms"), (Quantity{0.5, Unit::SECONDS}));
    EXPECT_EQ(parse_quantity("10m"), (Quantity{600, Unit::SECONDS}));
    EXPECT_EQ(parse_quantity("1h"), (Quantity{3600, Unit::SECONDS}));
    EXPECT_EQ(parse_quantity("4KiB"), (Quantity{4096, Unit::BYTES}));
    EXPECT_EQ(parse_quantity("1280MiB"), (Quantity{1280 * MIB, Unit::BYTES}));
    EXPECT_EQ(parse_quantity("2GiB"), (Quantity{2048 * MIB, Unit::BYTES}));
    EXPECT_EQ(parse_quantity("10k"), (Quantity{10e3, Unit::COUNT}));
    EXPECT_EQ(parse_quantity("3M"), (Quantity{3e6, Unit::COUNT}));
    EXPECT_EQ(parse_quantity("1.4G"), (Quantity{1.4e9, Unit::COUNT}));
    EXPECT_EQ(parse_quantity("2.5x"), (Quantity{2.5, Unit::RATIO}));
    EXPECT_EQ(parse_quantity("0s"), (Quantity{0, Unit::SECONDS}));
    EXPECT_EQ(parse_quantity("32.4  s"), (Quantity{32.4, Unit::SECONDS}));
}

TEST(ParseQuantity, RefusesEverythingElse) {
    for (const char * text :
         {"",
          "s",
          "60",
          "60 ",
          " 60s",
          "60s ",
          "-1s",
          "+1s",
          ".5s",
          "5.s",
          "1e3s",
          "1,5s",
          "0x10s",
          "infs",
          "nans",
          "inf",
          "60S",
          "60sec",
          "1min",
          "60\ts",
          "1kib",
          "1MB",
          "1g",
          "2.5X",
          "2.5 xx",
          "1..2s",
          "1.2.3s",
          "60s60s",
          "1 0s",
          "60s\n",
          "١s",
          "1d",
          "5%",
          "9999999999999999999999s",
          "1e400x",
          "99999999999GiB",
          "1000000001s",
          "1000001x",
          "10000000000G"}) {
        EXPECT_EQ(parse_quantity(text), std::nullopt) << text;
    }
    EXPECT_EQ(parse_quantity(std::string_view("60s\0", 4)), std::nullopt);
    EXPECT_EQ(parse_quantity(std::string(5000, '9') + "s"), std::nullopt);
}

TEST(ParsePercentage, LiesStrictlyBetweenNothingAndAll) {
    EXPECT_EQ(parse_percentage("95%"), 0.95);
    EXPECT_DOUBLE_EQ(parse_percentage("99.9 %").value(), 0.999);
    for (const char * text : {"", "%", "95", "0%", "100%", "101%", "-5%", "95%%", " 95%", "95% ", "nan%", "0.95"}) {
        EXPECT_EQ(parse_percentage(text), std::nullopt) << text;
    }
}

TEST(FormatQuantity, ReadsAsPeopleWriteIt) {
    const std::array<std::pair<Quantity, const char *>, 18> cases{{
        {{32.4, Unit::SECONDS}, "32.4 s"},
        {{0.9, Unit::SECONDS}, "0.9 s"},
        {{0, Unit::SECONDS}, "0 s"},
        {{0.0123, Unit::SECONDS}, "12.3 ms"},
        {{558, Unit::SECONDS}, "9.3 min"},
        {{119.96, Unit::SECONDS}, "120 s"},
        {{9000, Unit::SECONDS}, "2.5 h"},
        {{596 * MIB, Unit::BYTES}, "596 MiB"},
        {{1.25 * 1024 * MIB, Unit::BYTES}, "1.25 GiB"},
        {{1536, Unit::BYTES}, "1.5 KiB"},
        {{17, Unit::BYTES}, "17 B"},
        {{1.3741e9, Unit::COUNT}, "1.374 G"},
        {{25e6, Unit::COUNT}, "25 M"},
        {{12345, Unit::COUNT}, "12.35 k"},
        {{7, Unit::COUNT}, "7"},
        {{2.88, Unit::RATIO}, "2.88x"},
        {{1.034, Unit::RATIO}, "1.03x"},
        {{-3.25, Unit::SECONDS}, "-3.25 s"},
    }};
    for (const auto & [quantity, text] : cases) {
        EXPECT_EQ(format_quantity(quantity), text);
    }
}

/// What is printed can be written into a policy (minutes are "m" there) and means the same to the digits shown.
TEST(FormatQuantity, IsReadBackWithinItsDigits) {
    std::mt19937_64 random(20261130);
    std::uniform_real_distribution<double> exponent(-4, 6);
    constexpr std::array<Unit, 4> UNITS{Unit::SECONDS, Unit::BYTES, Unit::COUNT, Unit::RATIO};
    for (int i = 0; i < 20000; ++i) {
        const Unit unit = UNITS.at(static_cast<std::size_t>(i) % UNITS.size());
        const double scale = unit == Unit::SECONDS || unit == Unit::RATIO ? 1 : 1e8;
        const Quantity quantity{std::pow(10, exponent(random)) * scale, unit};
        const std::string text = format_quantity(quantity);
        const auto read = parse_quantity(text.ends_with("min") ? text.substr(0, text.size() - 2) : text);
        ASSERT_TRUE(read) << text;
        EXPECT_EQ(read->unit, unit) << text;
        EXPECT_NEAR(read->value, quantity.value, quantity.value * 0.0051 + 1e-9) << text;
    }
}

TEST(FormatQuantity, DoesNotDependOnTheLocale) {
    struct Comma : std::numpunct<char> {
        char do_decimal_point() const override { return ','; }
    };
    const std::locale old = std::locale::global(std::locale(std::locale::classic(), new Comma));
    EXPECT_EQ(format_quantity({32.4, Unit::SECONDS}), "32.4 s");
    EXPECT_EQ(parse_quantity("32.4s"), (Quantity{32.4, Unit::SECONDS}));
    std::locale::global(old);
}

TEST(Printable, LeavesTextAlone) {
    for (const char * text : {"", "Linux version 6.1", "ä – ✓ 𝄞 日本", "a\\x41b", "~ \xC2\xA0"}) {
        EXPECT_EQ(printable(text), text);
    }
}

TEST(Printable, ShowsControlsAndBrokenBytes) {
    using namespace std::string_view_literals;
    EXPECT_EQ(printable("a\nb\tc\x1B[31m\x7F"), "a\\x0Ab\\x09c\\x1B[31m\\x7F");
    EXPECT_EQ(printable("a\0b"sv), "a\\x00b");
    EXPECT_EQ(printable("\xC2\x85|\xC2\x9B"), "\\xC2\\x85|\\xC2\\x9B");  // C1 controls
    EXPECT_EQ(printable("\xC0\x80"), "\\xC0\\x80");                      // overlong
    EXPECT_EQ(printable("\xE0\x80\xAF"), "\\xE0\\x80\\xAF");             // overlong
    EXPECT_EQ(printable("\xF0\x80\x80\x80"), "\\xF0\\x80\\x80\\x80");    // overlong
    EXPECT_EQ(printable("\xED\xA0\x80"), "\\xED\\xA0\\x80");             // surrogate
    EXPECT_EQ(printable("\xF4\x90\x80\x80"), "\\xF4\\x90\\x80\\x80");    // beyond Unicode
    EXPECT_EQ(printable("\xEF\xBF\xBF"), "\\xEF\\xBF\\xBF");             // noncharacter
    EXPECT_EQ(
        printable("\xE2\x80\xAE"
                  "abc"),
        "\\xE2\\x80\\xAE"
        "abc");                             // right-to-left override
    EXPECT_EQ(printable("\xC3"), "\\xC3");  // cut short
    EXPECT_EQ(
        printable("\xC3"
                  "A\xA4"),
        "\\xC3"
        "A\\xA4");
    EXPECT_EQ(printable("\xFF\xFE"), "\\xFF\\xFE");
}

TEST(Printable, CutsBetweenCharactersOnly) {
    EXPECT_EQ(printable("abcdef", 6), "abcdef");
    EXPECT_EQ(printable("abcdef", 5), "abcde…");
    EXPECT_EQ(printable("abä", 3), "ab…");
    EXPECT_EQ(printable("abä", 4), "abä");
    EXPECT_EQ(printable("a\n", 4), "a…");
    EXPECT_EQ(printable("a", 0), "…");
}

/// Whatever comes in, what comes out has no control characters, is UTF-8 and stays the same when shown again.
TEST(Printable, IsItsOwnFixedPoint) {
    std::mt19937 random(7);
    std::uniform_int_distribution<int> byte(0, 255);
    std::uniform_int_distribution<std::size_t> length(0, 60);
    for (int i = 0; i < 5000; ++i) {
        std::string bytes(length(random), ' ');
        for (char & c : bytes) {
            c = static_cast<char>(byte(random));
        }
        const std::string text = printable(bytes);
        EXPECT_EQ(printable(text, 10000), text);
        EXPECT_TRUE(std::none_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }));
    }
}

TEST(UtcNow, IsRfc3339) {
    EXPECT_THAT(
        utc_now(), testing::MatchesRegex("20[0-9][0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-6][0-9]Z"));
}

}  // namespace
}  // namespace bootbudget::common
