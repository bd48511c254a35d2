// SPDX-License-Identifier: GPL-2.0-or-later
// Standing of comparisons, and that looking after every boot keeps the error that the policy promises: whole checks are
// played with noise from a seeded generator.
#include "measure/comparison.hpp"

#include <gtest/gtest.h>
#include <cmath>
#include <random>

using namespace bootbudget;
using namespace bootbudget::measure;

TEST(AlphaOfLook, shares_sum_up_to_the_whole_error) {
    for (const int comparisons : {1, 3, 20}) {
        for (const int looks : {1, 2, 13}) {
            double sum = 0;
            for (int look = 1; look <= looks; ++look) {
                sum += comparisons * alpha_of_look(0.95, comparisons, look, looks);
            }
            EXPECT_NEAR(sum, 0.05, 1e-12) << comparisons << " comparisons, " << looks << " looks";
        }
    }
    EXPECT_NEAR(alpha_of_look(0.95, 2, 1, 13), 0.0125, 1e-12);
}

TEST(AlphaOfLook, refuses_senseless_numbers) {
    EXPECT_THROW(alpha_of_look(0.95, 1, 0, 3), BugError);
    EXPECT_THROW(alpha_of_look(0.95, 1, 4, 3), BugError);
    EXPECT_THROW(alpha_of_look(0.95, 0, 1, 3), BugError);
    EXPECT_THROW(alpha_of_look(1, 1, 1, 3), BugError);
}

namespace {

constexpr Looks LOOKS{0.05, 3, 15};
constexpr Looks LAX{0.5, 3, 15};  // such that ten values have a bound of the median that leaves one of them out

}  // namespace

TEST(Judge, bound_at_the_limit_is_kept) {
    const std::vector<double> values{10, 11, 12};
    const auto interval = *judge({values, {}, 11, Statistic::MEAN}, LOOKS).interval;
    const auto standing = [&](double limit) { return judge({values, {}, limit, Statistic::MEAN}, LOOKS).standing; };
    EXPECT_EQ(standing(interval.high), Standing::KEPT);
    EXPECT_EQ(standing(std::nextafter(interval.high, 0)), Standing::OPEN);
    EXPECT_EQ(standing(interval.low), Standing::OPEN);
    EXPECT_EQ(standing(std::nextafter(interval.low, 0)), Standing::EXCEEDED);
}

TEST(Judge, too_few_values_are_open_without_an_interval) {
    const auto judgement = judge({{10, 11}, {}, 100, Statistic::MEAN}, LOOKS);
    EXPECT_EQ(judgement.standing, Standing::OPEN);
    EXPECT_FALSE(judgement.interval);
    EXPECT_FALSE(judge({{10, 11, 12}, {}, 100, Statistic::MEDIAN}, LOOKS).interval);
    EXPECT_FALSE(judge({{10, 11, 12}, {{10, 11}}, 100, Statistic::MEAN}, LOOKS).interval);
}

TEST(Judge, ratios_use_both_series) {
    EXPECT_EQ(judge({{30, 31, 29}, {{10, 10.2, 9.8}}, 2.5, Statistic::MEAN}, LOOKS).standing, Standing::EXCEEDED);
    EXPECT_EQ(judge({{30, 31, 29}, {{10, 10.2, 9.8}}, 4, Statistic::MEAN}, LOOKS).standing, Standing::KEPT);
    EXPECT_EQ(judge({{30, 31, 29}, {{10, 10.2, 9.8}}, 3, Statistic::MEAN}, LOOKS).standing, Standing::OPEN);
}

TEST(Judge, what_disturbs_both_boots_of_a_round_leaves_the_ratio) {
    EXPECT_EQ(judge({{30, 60, 31}, {{10, 20, 10.2}}, 3.2, Statistic::MEAN}, LOOKS).standing, Standing::KEPT);
    EXPECT_EQ(judge({{30, 60, 31}, {{10, 10.2, 20}}, 3.2, Statistic::MEAN}, LOOKS).standing, Standing::OPEN);
}

TEST(Judge, an_outlier_moves_the_mean_but_not_the_median) {
    const std::vector<double> values{10, 10.1, 9.9, 10, 10.2, 9.8, 10, 10.1, 9.9, 60};
    EXPECT_EQ(judge({values, {}, 12, Statistic::MEDIAN}, LAX).standing, Standing::KEPT);
    EXPECT_EQ(judge({values, {}, 12, Statistic::MEAN}, LAX).standing, Standing::OPEN);
}

TEST(Judge, the_median_ratio_bears_a_disturbed_boot) {
    const std::vector<double> nine(9, 10.0);
    EXPECT_EQ(
        judge({{30, 30.1, 29.9, 30, 30.2, 29.8, 30, 30.1, 90}, nine, 3.2, Statistic::MEDIAN}, LAX).standing,
        Standing::KEPT);
}

TEST(FurtherValues, settle_when_so_many_more_agree) {
    const Comparison open{{10, 11, 12}, {}, 11.5, Statistic::MEAN};
    ASSERT_EQ(judge(open, LOOKS).standing, Standing::OPEN);
    const auto further = further_values(open, LOOKS);
    ASSERT_TRUE(further);
    const double alpha = nominal_error(LOOKS, LOOKS.last);
    const auto bound_after = [&](int more) { return mean_interval_from(Moments{3 + more, 11, 1}, alpha)->high; };
    EXPECT_LE(bound_after(*further), 11.5);
    EXPECT_GT(bound_after(*further - 1), 11.5);
    EXPECT_GE(further_values({{10, 11, 12}, {}, 11.5, Statistic::MEDIAN}, LOOKS), further);
}

TEST(FurtherValues, none_are_promised_at_the_limit_itself) {
    EXPECT_FALSE(further_values({{10, 11, 12}, {}, 11, Statistic::MEAN}, LOOKS));
    EXPECT_FALSE(further_values({{10}, {}, 11, Statistic::MEAN}, LOOKS));
    EXPECT_TRUE(further_values({{10, 11, 12}, {{10, 11, 12.5}}, 1.2, Statistic::MEAN}, LOOKS));
}

namespace {

enum class Noise { NORMAL, LOGNORMAL };

void PrintTo(Noise noise, std::ostream * out) {
    *out << (noise == Noise::NORMAL ? "normal" : "lognormal");
}

/// Boots around a true mean of `truth`, with `relative_sd`.
class Machine {
public:
    Machine(Noise noise, double truth, double relative_sd, std::mt19937_64 & generator)
        : noise_(noise), truth_(truth), relative_sd_(relative_sd), generator_(generator) {}

    double boot() {
        const double z = normal_(generator_);
        if (noise_ == Noise::NORMAL) {
            return truth_ * (1 + relative_sd_ * z);
        }
        const double sigma = std::sqrt(std::log1p(relative_sd_ * relative_sd_));
        return truth_ *
               std::exp(sigma * z - sigma * sigma / 2);  // mean `truth`, standard deviation `relative_sd` of it
    }

private:
    Noise noise_;
    double truth_;
    double relative_sd_;
    std::mt19937_64 & generator_;
    std::normal_distribution<double> normal_;
};

struct Rates {
    double wrong = 0;
    double conclusive = 0;
};

/// Plays checks of one comparison with a limit of 1 (the hardest case: all of the error is this comparison's), 3 to 15 boots.
Rates play(Noise noise, double truth, double relative_sd, bool ratio) {
    constexpr int CHECKS = 1500;
    std::mt19937_64 generator(20261130);
    int wrong = 0;
    int conclusive = 0;
    for (int check = 0; check < CHECKS; ++check) {
        Machine machine(noise, 10 * truth, relative_sd, generator);
        Machine peer(noise, 10, relative_sd, generator);
        Comparison comparison;
        comparison.limit = ratio ? 1 : 10;
        if (ratio) {
            comparison.baseline.emplace();
        }
        const auto boot_each = [&] {
            comparison.values.push_back(machine.boot());
            if (ratio) {
                comparison.baseline->push_back(peer.boot());
            }
        };
        for (int run = 1; run < LOOKS.first; ++run) {
            boot_each();
        }
        for (int run = LOOKS.first; run <= LOOKS.last; ++run) {
            boot_each();
            const auto standing = judge(comparison, LOOKS).standing;
            if (standing != Standing::OPEN) {
                ++conclusive;
                wrong += (standing == Standing::KEPT) != (truth <= 1) ? 1 : 0;
                break;
            }
        }
    }
    return {static_cast<double>(wrong) / CHECKS, static_cast<double>(conclusive) / CHECKS};
}

class SequentialRule : public testing::TestWithParam<std::tuple<Noise, double, double, bool>> {};

}  // namespace

TEST_P(SequentialRule, is_wrong_no_more_often_than_promised) {
    const auto [noise, truth, relative_sd, ratio] = GetParam();
    const auto rates = play(noise, truth, relative_sd, ratio);
    RecordProperty("wrong", std::to_string(rates.wrong));
    RecordProperty("conclusive", std::to_string(rates.conclusive));
    EXPECT_LE(rates.wrong, 0.05);
}

INSTANTIATE_TEST_SUITE_P(
    Noises,
    SequentialRule,
    testing::Combine(
        testing::Values(Noise::NORMAL, Noise::LOGNORMAL),
        testing::Values(0.9, 0.97, 1.0, 1.03, 1.1),
        testing::Values(0.02, 0.05, 0.2),
        testing::Bool()));

TEST(SequentialRulePower, clear_cases_are_settled_within_the_boots_allowed) {
    for (const auto noise : {Noise::NORMAL, Noise::LOGNORMAL}) {
        for (const double truth : {0.8, 1.25}) {
            for (const bool ratio : {false, true}) {
                EXPECT_GE(play(noise, truth, 0.05, ratio).conclusive, 0.95)
                    << truth << (ratio ? " ratio" : " absolute");
            }
        }
    }
}
