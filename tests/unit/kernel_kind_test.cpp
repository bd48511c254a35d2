// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/kind.hpp"

#include <bootbudget/error.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace bootbudget::kernel {
namespace {

using testing::HasSubstr;

KindDecision decide(const std::string & file) {
    return decide_kind(read_configuration(std::string(BOOTBUDGET_TEST_DATA "/configs/") + file), kind_rules());
}

TEST(KernelKind, RealConfigurationsAreToldApart) {
    for (const char * file :
         {"kernel-x86_64-debug-fedora.config",
          "kernel-x86_64-rt-debug-fedora.config",
          "kernel-aarch64-debug-fedora.config",
          "mini-6.1-debug.config"}) {
        const KindDecision decision = decide(file);
        EXPECT_EQ(decision.kind, Kind::DEBUG) << file << ": " << decision.why;
        EXPECT_GE(decision.score, 3 * kind_rules().threshold) << file << ": not clearly debug: " << decision.why;
        EXPECT_THAT(decision.why, HasSubstr("PROVE_LOCKING (10)")) << file;
    }
    for (const char * file :
         {"kernel-x86_64-fedora.config",
          "kernel-x86_64-rt-fedora.config",
          "kernel-aarch64-fedora.config",
          "kernel-s390x-fedora.config",
          "mini-6.1-nodebug.config"}) {
        const KindDecision decision = decide(file);
        EXPECT_EQ(decision.kind, Kind::NODEBUG) << file << ": " << decision.why;
        EXPECT_LE(decision.score, kind_rules().threshold / 2) << file << ": not clearly plain: " << decision.why;
    }
}

TEST(KernelKind, NoRuleNamesAnOptionThatPlainDistributionKernelsHaveOn) {
    for (const char * file :
         {"kernel-x86_64-fedora.config", "kernel-aarch64-fedora.config", "kernel-s390x-fedora.config"}) {
        EXPECT_EQ(decide(file).score, 0) << decide(file).why;
    }
    for (const char * option : {"CONFIG_DEBUG_KERNEL", "CONFIG_DEBUG_LIST", "CONFIG_DEBUG_SHIRQ"}) {
        EXPECT_FALSE(decides_kind(kind_rules(), option)) << option;
    }
    EXPECT_TRUE(decides_kind(kind_rules(), "CONFIG_PROVE_LOCKING"));
}

TEST(KernelKind, AnOptionWhoseEffectIsTakenAwayDoesNotCount) {
    const auto on = parse_configuration("CONFIG_DEBUG_KMEMLEAK=y\n", "x");
    const auto off = parse_configuration("CONFIG_DEBUG_KMEMLEAK=y\nCONFIG_DEBUG_KMEMLEAK_DEFAULT_OFF=y\n", "x");
    EXPECT_EQ(decide_kind(on, kind_rules()).kind, Kind::DEBUG);
    EXPECT_EQ(decide_kind(off, kind_rules()).kind, Kind::NODEBUG);
    EXPECT_THAT(
        decide_kind(off, kind_rules()).why,
        HasSubstr("DEBUG_KMEMLEAK does not count, DEBUG_KMEMLEAK_DEFAULT_OFF is on"));
    EXPECT_THAT(decide("kernel-x86_64-debug-fedora.config").why, HasSubstr("DEBUG_KMEMLEAK does not count"));

    const auto waiting = parse_configuration("CONFIG_DEBUG_PAGEALLOC=y\n", "x");
    const auto working =
        parse_configuration("CONFIG_DEBUG_PAGEALLOC=y\nCONFIG_DEBUG_PAGEALLOC_ENABLE_DEFAULT=y\n", "x");
    EXPECT_EQ(decide_kind(waiting, kind_rules()).kind, Kind::NODEBUG);
    EXPECT_EQ(decide_kind(working, kind_rules()).kind, Kind::DEBUG);
}

TEST(KernelKind, TheThresholdBelongsToDebug) {
    KindRules rules;
    rules.threshold = 5;
    rules.rules = {{"CONFIG_A", 2, ""}, {"CONFIG_B", 3, ""}};
    EXPECT_EQ(decide_kind({{"CONFIG_A", "y"}}, rules).kind, Kind::NODEBUG);
    EXPECT_EQ(decide_kind({{"CONFIG_A", "y"}, {"CONFIG_B", "y"}}, rules).kind, Kind::DEBUG);
    EXPECT_EQ(decide_kind({{"CONFIG_A", "m"}, {"CONFIG_B", "y"}}, rules).score, 3)
        << "a module slows nothing by itself";
    EXPECT_EQ(
        decide_kind({{"CONFIG_A", "y"}, {"CONFIG_B", "y"}}, rules).why,
        "debug: B (3), A (2) are on (5 points; a debug kernel has 5 or more, see policies/kinds.yaml)");
    EXPECT_EQ(
        decide_kind({}, rules).why,
        "nodebug: no option that slows a boot is on (0 points; a debug kernel has 5 or more, see policies/kinds.yaml)");
}

struct Mistake {
    const char * text;
    const char * message;
};

TEST(KernelKind, MistakesInARulesFileAreNamedWithTheirPlace) {
    const Mistake mistakes[] = {
        {"", "k.yaml:"},
        {"[1, 2]", "k.yaml:1:1: expected a mapping"},
        {"schema: other/1\nthreshold: 1\nrules: []", "k.yaml:1:9: \"schema\" must be"},
        {"schema: bootbudget-kinds/1\nthreshold: none\nrules: []", "k.yaml:2:12: \"threshold\" must be"},
        {"schema: bootbudget-kinds/1\nthreshold: 0\nrules: []", "k.yaml:2:12: \"threshold\" must be"},
        {"schema: bootbudget-kinds/1\nthreshold: 1\nrules: []", "k.yaml:3:8: \"rules\" must be"},
        {"schema: bootbudget-kinds/1\nthreshold: 1\nrulse: []", "k.yaml:3:1: unknown key \"rulse\""},
        {"schema: bootbudget-kinds/1\nthreshold: 1\nrules:\n  - {option: KASAN, weight: 1}",
         "k.yaml:4:14: \"option\" must be"},
        {"schema: bootbudget-kinds/1\nthreshold: 1\nrules:\n  - {option: CONFIG_A}", "k.yaml:4:5: \"weight\" must be"},
        {"schema: bootbudget-kinds/1\nthreshold: 1\nrules:\n  - {option: CONFIG_A, weight: -1}",
         "k.yaml:4:32: \"weight\" must be"},
        {"schema: bootbudget-kinds/1\nthreshold: 1\nrules:\n  - {weight: 1}", "k.yaml:4:5: a rule without \"option\""},
        {"schema: bootbudget-kinds/1\nthreshold: 1\nrules:\n  - {option: CONFIG_A, weight: 1, x: 1}",
         "k.yaml:4:35: unknown key \"x\""},
        {"schema: bootbudget-kinds/1\nthreshold: 1\nrules:\n  - {option: CONFIG_A, weight: 1}\n  - {option: CONFIG_A, "
         "weight: 1}",
         "k.yaml:5:5: a second rule for CONFIG_A"},
        {"a: [", "k.yaml:"},
    };
    for (const Mistake & mistake : mistakes) {
        try {
            parse_kind_rules(mistake.text, "k.yaml");
            ADD_FAILURE() << "accepted: " << mistake.text;
        } catch (const UserError & error) {
            EXPECT_THAT(error.what(), HasSubstr(mistake.message)) << mistake.text;
        }
    }
}

}  // namespace
}  // namespace bootbudget::kernel
