// SPDX-License-Identifier: GPL-2.0-or-later
#include "variants/switches.hpp"

#include <bootbudget/error.hpp>

#include <gmock/gmock.h>

namespace bootbudget::variants {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

std::string refusal(const std::string & text) {
    try {
        parse_variant(text);
    } catch (const UserError & error) {
        return error.what();
    }
    return "accepted";
}

TEST(VariantsSwitches, NameAloneHasNoSwitches) {
    EXPECT_EQ(parse_variant("all"), (VariantBuild{"all", {}}));
}

TEST(VariantsSwitches, EverySortOfSwitchIsRead) {
    const VariantBuild variant =
        parse_variant("rt-debug+1:with=dbgonly,without=base,with=realtime,define=baserelease=2.a");
    EXPECT_EQ(variant.name, "rt-debug+1");
    EXPECT_THAT(variant.switches.with, ElementsAre("dbgonly", "realtime"));
    EXPECT_THAT(variant.switches.without, ElementsAre("base"));
    EXPECT_THAT(variant.switches.defines, ElementsAre(Pair("baserelease", "2.a")));
}

TEST(VariantsSwitches, DefinesMayHoldEqualsCommasAndSpaces) {
    const VariantBuild variant = parse_variant(R"(v:define=options=a=b\,c \\ d: e,with=x)");
    EXPECT_THAT(variant.switches.defines, ElementsAre(Pair("options", R"(a=b,c \ d: e)")));
    EXPECT_THAT(variant.switches.with, ElementsAre("x"));
}

TEST(VariantsSwitches, EmptyDefineIsSpelledAsRpmWantsIt) {
    EXPECT_THAT(to_arguments(parse_variant("v:define=dist=").switches), ElementsAre("--define", "dist %{nil}"));
}

TEST(VariantsSwitches, RefusalsNameThePartAndGiveAnExample) {
    EXPECT_THAT(refusal("debug:dbgonly"), AllOf(HasSubstr("\"dbgonly\""), HasSubstr("debug:with=dbgonly")));
    EXPECT_THAT(refusal("debug:"), HasSubstr("\"\" is not with=…"));
    EXPECT_THAT(refusal("debug:with="), HasSubstr("\"\" is no switch"));
    EXPECT_THAT(refusal("debug:with=a-b"), HasSubstr("\"a-b\" is no switch"));
    EXPECT_THAT(refusal("debug:enable=x"), HasSubstr("\"enable=x\""));
    EXPECT_THAT(refusal("debug:define=abc"), HasSubstr("no value"));
    EXPECT_THAT(refusal("debug:define=ab=1"), HasSubstr("\"ab\" is no macro's name"));
    EXPECT_THAT(refusal("debug:define=_topdir=/x"), HasSubstr("set by bootbudget itself"));
    EXPECT_THAT(refusal("debug:define=abc=1,define=abc=2"), HasSubstr("twice"));
    EXPECT_THAT(refusal("debug:with=x,without=x"), HasSubstr("both on and off"));
    EXPECT_THAT(refusal("debug:define=abc=1\n2"), HasSubstr("more than one line"));
}

TEST(VariantsSwitches, NamesMustBeFileNames) {
    for (const char * name : {"", "../x", "a/b", ".hidden", "-x", "a b", "ä"}) {
        EXPECT_THAT(refusal(name), HasSubstr("not fit for a file")) << name;
    }
    EXPECT_THAT(refusal(std::string(65, 'a')), HasSubstr("not fit for a file"));
}

TEST(VariantsSwitches, NamesMustDiffer) {
    EXPECT_THROW(check_variants({{"a", {}}, {"a", {{"x"}, {}, {}}}}), UserError);
    EXPECT_NO_THROW(check_variants({{"a", {}}, {"b", {}}}));
}

TEST(VariantsSwitches, HandMadeSwitchesAreCheckedToo) {
    EXPECT_THROW(check_variants({{"a", {{"x --eval y"}, {}, {}}}}), UserError);
    EXPECT_THROW(check_variants({{"a", {{}, {}, {{"_sourcedir", "/"}}}}}), UserError);
}

TEST(VariantsSwitches, DefinesOfTheCommandLine) {
    EXPECT_THAT(parse_define("baserelease 2"), Pair("baserelease", "2"));
    EXPECT_THAT(parse_define("baserelease=2"), Pair("baserelease", "2"));
    EXPECT_THAT(parse_define("options a = b"), Pair("options", "a = b"));
    EXPECT_THAT(parse_define("dist "), Pair("dist", ""));
    for (const char * mistake : {"", "abc", "ab 1", "1abc 1", " abc 1", "_topdir /x"}) {
        EXPECT_THROW(parse_define(mistake), UserError) << mistake;
    }
}

TEST(VariantsSwitches, ArgumentsAndTextSayTheSame) {
    const Switches switches{{"dbgonly"}, {"base"}, {{"baserelease", "2 a"}}};
    EXPECT_THAT(
        to_arguments(switches), ElementsAre("--with", "dbgonly", "--without", "base", "--define", "baserelease 2 a"));
    EXPECT_EQ(to_text(switches), "--with dbgonly --without base --define 'baserelease 2 a'");
    EXPECT_EQ(to_text(Switches{}), "no switches");
}

}  // namespace
}  // namespace bootbudget::variants
