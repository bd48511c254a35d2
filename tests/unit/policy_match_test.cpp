// SPDX-License-Identifier: GPL-2.0-or-later
#include "policy/match.hpp"

#include <gmock/gmock.h>

using namespace bootbudget;
using namespace bootbudget::policy;
using testing::AllOf;
using testing::HasSubstr;

namespace {

class Matching : public testing::Test {
protected:
    Matching() {
        policy_.file = "p.yaml";
        policy_.variants.resize(2);
        policy_.variants[0].name = "debug";
        policy_.variants[0].kind = Kind::DEBUG;
        policy_.variants[0].flavour = "base";
        policy_.variants[1].name = "nodebug";
        policy_.variants[1].kind = Kind::NODEBUG;
        policy_.variants[1].flavour = "base";
    }

    Policy policy_;
    kernel::Configuration kasan_{{"CONFIG_KASAN", "y"}};
    kernel::Configuration plain_;
    Candidate debug_{"6.17.4+debug", "x86_64", Kind::DEBUG, "base", &kasan_};
    Candidate nodebug_{"6.17.4", "x86_64", Kind::NODEBUG, "base", &plain_};
    Candidate rt_{"6.17.4+rt", "x86_64", Kind::NODEBUG, "rt", &plain_};
};

std::string error_of(const Policy & policy, const std::vector<Candidate> & kernels) {
    try {
        match(policy, kernels);
    } catch (const UserError & error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_F(Matching, each_kernel_gets_its_variant_in_order) {
    const auto matches = match(policy_, {nodebug_, debug_});
    ASSERT_EQ(matches.size(), 2U);
    EXPECT_EQ(matches[0].variant, "nodebug");
    EXPECT_EQ(matches[1].variant, "debug");
    EXPECT_EQ(matches[1].why, "It is the policy's variant \"debug\": kind debug, flavour base.");
}

TEST_F(Matching, a_kernel_without_a_variant_says_why) {
    const auto matches = match(policy_, {rt_});
    EXPECT_EQ(matches.at(0).variant, "");
    EXPECT_THAT(
        matches[0].why,
        AllOf(
            HasSubstr("\"debug\" wants kind debug, this kernel is nodebug"),
            HasSubstr("\"nodebug\" wants flavour base, this kernel is rt")));
}

TEST_F(Matching, architectures_and_options_decide_too) {
    policy_.variants[0].arches = {"aarch64", "s390x"};
    policy_.variants[1].config["CONFIG_KASAN"] = "y";
    const auto matches = match(policy_, {nodebug_, debug_});
    EXPECT_THAT(matches[0].why, HasSubstr("wants CONFIG_KASAN=y, this kernel has n"));
    EXPECT_THAT(matches[1].why, HasSubstr("wants aarch64 or s390x, this kernel is for x86_64"));
}

TEST_F(Matching, an_option_wanted_as_n_is_met_by_one_that_is_absent) {
    policy_.variants[1].config["CONFIG_KASAN"] = "n";
    EXPECT_EQ(match(policy_, {nodebug_}).at(0).variant, "nodebug");
    nodebug_.configuration = &kasan_;
    EXPECT_EQ(match(policy_, {nodebug_}).at(0).variant, "");
    nodebug_.configuration = nullptr;
    EXPECT_THAT(match(policy_, {nodebug_}).at(0).why, HasSubstr("configuration is not known"));
}

TEST_F(Matching, two_variants_for_one_kernel_are_a_mistake) {
    policy_.variants.push_back({});
    policy_.variants.back().name = "anything";
    EXPECT_THAT(
        error_of(policy_, {debug_}),
        AllOf(
            HasSubstr("6.17.4+debug"),
            HasSubstr("\"debug\" (kind debug, flavour base)"),
            HasSubstr("\"anything\""),
            HasSubstr("p.yaml")));
}

TEST_F(Matching, two_kernels_for_one_variant_are_a_mistake) {
    Candidate newer = debug_;
    newer.release = "6.17.5+debug";
    EXPECT_THAT(
        error_of(policy_, {debug_, newer}),
        AllOf(HasSubstr("6.17.4+debug"), HasSubstr("6.17.5+debug"), HasSubstr("\"debug\"")));
}
