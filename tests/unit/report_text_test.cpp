// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/measurements.hpp"
#include "report/table.hpp"
#include "report/time.hpp"
#include "report/words.hpp"
#include "report/writers.hpp"
#include "unit/report_examples.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <sstream>

namespace bootbudget::report {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

Summary summary(double mean, double sd, Unit unit) {
    Summary result;
    result.unit = unit;
    result.n = 3;
    result.mean = mean;
    result.sd = sd;
    result.min = mean;
    result.median = mean;
    return result;
}

std::vector<std::string> lines_of(const std::string & text) {
    std::vector<std::string> lines;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

std::string line_with(const std::string & text, const std::string & part) {
    for (const std::string & line : lines_of(text)) {
        if (line.find(part) != std::string::npos) {
            return line;
        }
    }
    return "no line with " + part;
}

TEST(ReportText, MeanAndDeviationShareUnitAndDecimals) {
    const Words words(TextStyle{});
    EXPECT_EQ(mean_and_deviation(summary(32.41, 0.9123, Unit::SECONDS), words), "32.4 s ± 0.9 s");
    EXPECT_EQ(mean_and_deviation(summary(30.001, 0.96, Unit::SECONDS), words), "30.0 s ± 1.0 s");
    EXPECT_EQ(mean_and_deviation(summary(9.999, 0.1, Unit::SECONDS), words), "10.0 s ± 0.1 s");
    EXPECT_EQ(mean_and_deviation(summary(0.25, 0.03125, Unit::SECONDS), words), "0.250 s ± 0.031 s");
    EXPECT_EQ(mean_and_deviation(summary(0.05, 0.003, Unit::SECONDS), words), "50.0 ms ± 3.0 ms");
    EXPECT_EQ(mean_and_deviation(summary(558, 6, Unit::SECONDS), words), "9.30 min ± 0.10 min");
    EXPECT_EQ(mean_and_deviation(summary(596.0 * 1048576, 2.6 * 1048576, Unit::BYTES), words), "596 MiB ± 3 MiB");
    EXPECT_EQ(mean_and_deviation(summary(1.374e9, 2e6, Unit::COUNT), words), "1.374 G ± 0.15 %");
    EXPECT_EQ(mean_and_deviation(summary(1.377e9, 0.3e6, Unit::COUNT), words), "1.377 G ± 0.02 %");
    EXPECT_EQ(mean_and_deviation(summary(1.377e9, 1e3, Unit::COUNT), words), "1.377 G ± <0.01 %");
    EXPECT_EQ(mean_and_deviation(summary(1.377e9, 0, Unit::COUNT), words), "1.377 G ± 0.00 %");
    EXPECT_EQ(mean_and_deviation(summary(1e9, 2.5e7, Unit::COUNT), words), "1.000 G ± 2.5 %");
    EXPECT_EQ(mean_and_deviation(summary(0, 0, Unit::SECONDS), words), "0 s ± 0 s");
    TextStyle ascii;
    ascii.unicode = false;
    EXPECT_EQ(mean_and_deviation(summary(32.41, 0.9123, Unit::SECONDS), Words(ascii)), "32.4 s +/- 0.9 s");
}

TEST(ReportText, PercentagesAreWrittenAsPeopleDo) {
    EXPECT_EQ(percentage_over(2.92, Unit::SECONDS), "+192 %");
    EXPECT_EQ(percentage_over(1.034, Unit::SECONDS), "+3.4 %");
    EXPECT_EQ(percentage_over(0.5, Unit::SECONDS), "-50 %");
    EXPECT_EQ(percentage_over(1, Unit::SECONDS), "+0.0 %");
    EXPECT_EQ(percentage_over(1.0996, Unit::SECONDS), "+10 %");
    EXPECT_EQ(percentage_over(1.0012, Unit::COUNT), "+0.12 %");
    EXPECT_EQ(percentage_over(1.034, Unit::COUNT), "+3.4 %");
}

TEST(ReportText, RatioStandsBesideTheDebugVariantOnly) {
    const std::string text = to_text(examples::all_pass(), TextStyle{});
    EXPECT_THAT(text, HasSubstr("32.3 s ± 0.8 s (+191 %)"));
    EXPECT_THAT(text, HasSubstr("11.1 s ± 0.1 s  "));
    // Without a ratio budget the peer of the same flavour is what people compare with.
    Report report = examples::all_pass();
    report.budgets.clear();
    EXPECT_THAT(to_text(report, TextStyle{}), HasSubstr("32.3 s ± 0.8 s (+191 %)"));
    report.variants[0].peer.clear();
    EXPECT_THAT(to_text(report, TextStyle{}), HasSubstr("(+191 %)"));
    report.variants.pop_back();
    EXPECT_THAT(to_text(report, TextStyle{}), Not(HasSubstr("%")));
}

TEST(ReportText, VerdictIsTheFirstLine) {
    EXPECT_EQ(lines_of(to_text(examples::all_pass(), TextStyle{})).front(), "bootbudget: pass (3 budgets: 3 pass)");
    EXPECT_EQ(
        lines_of(to_text(examples::debug_fails(), TextStyle{})).front(),
        "bootbudget: FAIL (3 budgets: 1 fail, 1 warn, 1 pass), exit status 1");
    EXPECT_EQ(
        lines_of(to_text(examples::waived(), TextStyle{})).front(),
        "bootbudget: WARN (3 budgets: 1 fail (waived), 1 warn, 1 pass)");
}

TEST(ReportText, SeveralBudgetsOnOneMetricHaveARowEach) {
    const std::string text = to_text(examples::debug_warns(), TextStyle{});
    EXPECT_THAT(line_with(text, "(+191 %)"), HasSubstr("≤ 60 s"));
    EXPECT_THAT(line_with(text, "≤ 2.5x of nodebug (is 2.91x)"), HasSubstr("WARN"));
    TextStyle narrow;
    narrow.width = 80;
    EXPECT_THAT(line_with(to_text(examples::debug_warns(), narrow), "≤ 2.5x of nodebug"), HasSubstr("WARN"));
}

TEST(ReportText, FailedBootsShowTheEndOfTheConsoleOnce) {
    const std::string text = to_text(examples::panics(), TextStyle{});
    EXPECT_THAT(text, HasSubstr("debug, boot 0 (warm-up): panic"));
    EXPECT_THAT(text, HasSubstr("debug, boot 2: panic"));
    EXPECT_THAT(text, HasSubstr("console log: logs/debug-2.log"));
    const std::string line = "│ [    1.535486]  panic+0xf9/0x25d";
    EXPECT_THAT(text, HasSubstr(line));
    EXPECT_EQ(text.find(line), text.rfind(line));
}

TEST(ReportText, OptionsThatDecideTheKindComeFirst) {
    const std::string text = to_text(examples::all_pass(), TextStyle{});
    EXPECT_THAT(text, HasSubstr("debug differs from 6.1.192-1.x86_64 in 14 options; the 3 marked * are"));
    EXPECT_THAT(text, HasSubstr("\n  * KASAN=y, LOCK_STAT=y, PROVE_LOCKING=y\n    DEBUG_LOCKDEP=y, "));
    EXPECT_THAT(text, Not(HasSubstr("more, none of them marked")));
}

TEST(ReportText, OptionsThatDecideTheKindAreAllShownWhateverTheirNumber) {
    Report report = examples::all_pass();
    report.variants[0].config_differs.clear();
    for (int i = 0; i < 400; ++i) {
        report.variants[0].config_differs.push_back({fmt::format("CONFIG_DECIDES_{}", i), "y", "n", true});
    }
    for (int i = 0; i < 13; ++i) {
        report.variants[0].config_differs.push_back({fmt::format("CONFIG_OTHER_{}", i), "y", "m", false});
    }
    TextStyle style;
    style.width = 80;
    const std::string text = to_text(report, style);
    for (int i = 0; i < 400; ++i) {
        EXPECT_THAT(text, HasSubstr(fmt::format(" DECIDES_{}=y", i)));
    }
    EXPECT_THAT(text, Not(HasSubstr("OTHER_0")));
    EXPECT_THAT(text, HasSubstr("… and 13 more, none of them marked; all are in report.json (config_differs).\n"));
    report.variants[0].config_differs.pop_back();
    EXPECT_THAT(to_text(report, style), HasSubstr("    OTHER_0=y (there m), OTHER_1=y (there m), "));
}

TEST(ReportText, TheReasonOfAKindIsWrappedAndNotCut) {
    Report report = examples::all_pass();
    report.variants[0].why.front() = "debug: " + std::string(90, 'A') + " (10) is on, its end is told too";
    EXPECT_THAT(to_text(report, TextStyle{}), HasSubstr("is told too\n"));
}

TEST(ReportText, PhasesOfAMomentHaveNoPercentage) {
    Report report = examples::all_pass();
    report.variants[0].summary["kernel"] = summary(3, 0.1, Unit::SECONDS);
    report.variants[1].summary["kernel"] = summary(0.49, 0.1, Unit::SECONDS);
    report.variants[0].summary["initramfs"] = summary(3, 0.1, Unit::SECONDS);
    report.variants[1].summary["initramfs"] = summary(0.5, 0.1, Unit::SECONDS);
    report.variants[0].summary["launch"] = summary(3, 0.1, Unit::SECONDS);
    report.variants[1].summary["launch"] = summary(0.25, 0.1, Unit::SECONDS);
    const std::string text = to_text(report, TextStyle{});
    EXPECT_THAT(line_with(text, "  kernel "), Not(HasSubstr("%")));
    EXPECT_THAT(line_with(text, "  initramfs "), HasSubstr("(+500 %)"));
    EXPECT_THAT(line_with(text, "  launch "), HasSubstr("(+1100 %)"));
}

TEST(ReportText, InstructionsStandBelowTheSecondsWithTheirPhases) {
    TextStyle style;
    style.width = 120;
    const std::string text = to_text(examples::against(), style);
    EXPECT_THAT(text, HasSubstr("24 (4 to warm up, 8 counted)"));
    const std::vector<std::string> lines = lines_of(text);
    const auto row = std::find_if(
        lines.begin(), lines.end(), [](const std::string & line) { return line.starts_with("  instructions"); });
    ASSERT_GT(lines.end() - row, 6);
    EXPECT_THAT(row[0], HasSubstr("1.377 G ± 0.02 % (+163 %)"));
    EXPECT_THAT(row[0], HasSubstr("≤ 1.03x of the build against (is 1.06x)  FAIL"));
    EXPECT_THAT(row[1], StartsWith("    firmware "));
    EXPECT_THAT(row[2], StartsWith("    decompression "));
    EXPECT_THAT(row[3], StartsWith("    kernel "));
    EXPECT_THAT(row[3], HasSubstr("≤ 750 M"));
    EXPECT_THAT(row[4], StartsWith("    initramfs "));
    EXPECT_THAT(row[5], StartsWith("    userspace "));
}

TEST(ReportText, PhasesOfInstructionsWithoutTheirSumKeepTheirWholeName) {
    Report report = examples::against();
    for (Variant & variant : report.variants) {
        variant.summary.erase("instructions");
    }
    report.budgets.erase(report.budgets.begin(), report.budgets.begin() + 2);
    EXPECT_THAT(to_text(report, TextStyle{}), HasSubstr("\n  instructions:kernel"));
}

TEST(ReportText, TheBuildAgainstHasATableOfItsOwn) {
    const std::string text = to_text(examples::against(), TextStyle{});
    const std::string table = text.substr(text.find("Against kernel-6.1.191-1\n"));
    EXPECT_THAT(line_with(table, "  instructions"), HasSubstr("1.377 G ± 0.02 %   1.302 G ± 0.01 %   2   +5.8 %"));
    EXPECT_THAT(line_with(table.substr(table.find("nodebug")), "  instructions"), HasSubstr("+0.18 %"));
    EXPECT_THAT(to_text(examples::all_pass(), TextStyle{}), Not(HasSubstr("Against")));
    Report alone = examples::against();
    alone.variants[0].summary.clear();
    EXPECT_THAT(to_text(alone, TextStyle{}), HasSubstr("\nAgainst kernel-6.1.191-1\n"));
}

TEST(ReportText, DoesNotCallAMachineQuietForCountedBootsAlone) {
    Report report = examples::against();
    for (Variant & variant : report.variants) {
        for (Sample & sample : variant.samples) {
            sample.mode = Mode::COUNTED;
            sample.busy.clear();
        }
    }
    EXPECT_THAT(to_text(report, TextStyle{}), Not(HasSubstr("The machine was")));
}

TEST(ReportText, SaysHowBusyTheMachineWas) {
    Report report = examples::against();
    EXPECT_THAT(
        to_text(report, TextStyle{}), HasSubstr("The machine was busy (up to 41 % CPU pressure, in 2 of 3 boots).\n"));
    EXPECT_THAT(to_text(report, TextStyle{}), HasSubstr("The machine was quiet.\n"));
    report.variants[0].samples[1].busy.clear();
    EXPECT_THAT(to_text(report, TextStyle{}), HasSubstr("The machine was busy (41 % CPU pressure in 1 of 3 boots).\n"));
    report.variants[0].samples[3].mode = Mode::COUNTED;  // what disturbs a counted boot does not change its count
    EXPECT_THAT(to_text(report, TextStyle{}), Not(HasSubstr("busy")));
    for (Variant & variant : report.variants) {
        for (Sample & sample : variant.samples) {
            sample.noise.clear();
        }
    }
    EXPECT_THAT(to_text(report, TextStyle{}), Not(HasSubstr("The machine")));
}

TEST(ReportText, OutliersAreNamedWithTheirCause) {
    EXPECT_THAT(
        to_text(examples::against(), TextStyle{}),
        HasSubstr("\nOutliers, kept in the numbers\n  debug, boot 3: launch 52 s, median 32.5 s: 41 % CPU pressure"));
    EXPECT_THAT(to_text(examples::all_pass(), TextStyle{}), Not(HasSubstr("Outliers")));
}

TEST(ReportText, SaysHowInstructionsWereCountedAndTheOrderOfTheBoots) {
    Report report = examples::against();
    report.environment.counter = "unavailable: QEMU 3.1 has no plugins";
    const std::string text = to_text(report, TextStyle{});
    EXPECT_THAT(text, HasSubstr("\ncounter   unavailable: QEMU 3.1 has no plugins\n"));
    EXPECT_THAT(
        text, HasSubstr("\norder     shuffled by the seed 11400714819323198485, up to 2 counted boots side by side\n"));
}

TEST(ReportText, FindingsOfTheBuildAgainstSaySo) {
    Report report = examples::against();
    report.findings = {{{FindingKind::OOM, "Out of memory", 7}, "debug", report.variants[2].release, 1, "note", 1}};
    report.findings[0].build = BuildRole::AGAINST;
    EXPECT_THAT(to_text(report, TextStyle{}), HasSubstr("oom, debug (against) in 1 boot\n"));
    report.findings[0].build = BuildRole::SUBJECT;
    report.findings[0].release = report.variants[0].release;
    EXPECT_THAT(to_text(report, TextStyle{}), HasSubstr("oom, debug in 1 boot\n"));
}

TEST(ReportText, MirroredDifferencesAreToldOnce) {
    Report report = examples::all_pass();
    report.variants[1].peer = report.variants[0].release;
    report.variants[1].config_differs = {{"CONFIG_KASAN", "n", "y", true}};
    const std::string text = to_text(report, TextStyle{});
    EXPECT_THAT(text, HasSubstr("KASAN=y"));
    EXPECT_THAT(text, Not(HasSubstr("KASAN=n")));
}

TEST(ReportText, ColourOnlyWhereAskedFor) {
    for (const examples::Example & example : examples::all()) {
        EXPECT_EQ(to_text(example.report, TextStyle{}).find('\x1b'), std::string::npos) << example.name;
    }
    TextStyle style;
    style.colour = true;
    EXPECT_THAT(to_text(examples::debug_fails(), style), StartsWith("bootbudget: \x1b["));
    // Colours take no width: without them the text is the same.
    std::string coloured = to_text(examples::debug_warns(), style);
    for (std::size_t at = 0; (at = coloured.find('\x1b')) != std::string::npos;) {
        coloured.erase(at, coloured.find('m', at) - at + 1);
    }
    EXPECT_EQ(coloured, to_text(examples::debug_warns(), TextStyle{}));
}

TEST(ReportText, AsciiStyleIsAscii) {
    TextStyle style;
    style.unicode = false;
    Report report = examples::panics();
    report.notes = {"caf\xc3\xa9 \xe2\x89\xa4 \xe2\x80\x9cquoted\xe2\x80\x9d"};
    const std::string text = to_text(report, style);
    for (const char c : text) {
        ASSERT_LT(static_cast<unsigned char>(c), 0x80U) << text;
    }
    EXPECT_THAT(text, HasSubstr("caf? <= \"quoted\""));
}

TEST(ReportText, ControlCharactersNeverReachATerminal) {
    Report report = examples::panics();
    report.notes = {"\x1b]0;owned\x07"};
    report.builds[0].where = "a\x1b[31mb";
    report.variants[0].name = "de\x1b[31m";
    report.variants[0].why = {"\x1b[2J"};
    report.variants[0].samples[0].last_lines = {"\x1b[H\x9b"};
    report.budgets[0].why = "\x1b[5m";
    report.budgets[0].name = "\x1b[6m";
    report.budgets[0].metric = "\x1b[7m";
    report.budgets[1].baseline = "\x1b[8m";
    const std::string text = to_text(report, TextStyle{});
    for (const char c : text) {
        ASSERT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << text;
    }
    EXPECT_THAT(text, HasSubstr("\\x1B[2J"));
}

TEST(ReportText, KeepsToTheWidth) {
    for (const int width : {80, 100, 132}) {
        for (const bool unicode : {true, false}) {
            TextStyle style;
            style.width = width;
            style.unicode = unicode;
            for (const examples::Example & example : examples::all()) {
                for (const std::string & line : lines_of(to_text(example.report, style))) {
                    EXPECT_LE(columns(line), static_cast<std::size_t>(width)) << example.name << ": " << line;
                    EXPECT_TRUE(line.empty() || line.back() != ' ') << example.name << ": " << line;
                }
            }
        }
    }
}

TEST(ReportText, AbsurdWidthsAndEmptyReportsAreSurvived) {
    for (const int width : {-5, 0, 1, 10000}) {
        TextStyle style;
        style.width = width;
        EXPECT_THAT(to_text(examples::debug_warns(), style), StartsWith("bootbudget: WARN"));
        EXPECT_THAT(to_text(examples::plan(), style), HasSubstr("debug"));
    }
    EXPECT_THAT(to_text(Report{}, TextStyle{}), StartsWith("bootbudget: skipped\n"));
}

TEST(ReportPlan, SaysWhatIsBootedAndWhatNot) {
    const std::string text = to_text(examples::plan(), TextStyle{});
    EXPECT_THAT(text, StartsWith("Plan: 2 of 3 kernels would be booted, nothing was.\n"));
    EXPECT_THAT(text, HasSubstr("boots     9 to 29, up to 2 counted ones side by side\n"));
    EXPECT_THAT(text, HasSubstr("boots     1 to warm up, then 3 to 15 timed and 2 to 6 counted\n"));
    EXPECT_THAT(text, HasSubstr("build     the one to compare with (--against)\n"));
    EXPECT_THAT(text, HasSubstr("boots     1 to warm up, then 2 to 6 counted\n"));
    EXPECT_THAT(text, HasSubstr("not booted: No variant of the policy has flavour rt."));
    EXPECT_THAT(text, HasSubstr("about 2.5 min to 12 min"));
    EXPECT_THAT(text, HasSubstr("kernel-debug-modules-core-6.1.192-1.x86_64"));
    EXPECT_LT(text.find("x86_64+debug"), text.find("x86_64+rt"));
}

TEST(ReportWords, WrapBreaksAtSpaces) {
    EXPECT_THAT(wrap("one two three", 7, false), ElementsAre("one two", "three"));
    EXPECT_THAT(wrap("", 7, false), ElementsAre(""));
    EXPECT_THAT(wrap("a-very-long-word b", 6, false), ElementsAre("a-very-long-word", "b"));
    EXPECT_THAT(wrap("abcdefgh ij", 3, true), ElementsAre("abc", "def", "gh", "ij"));
    EXPECT_THAT(wrap("ééé ééé", 3, true), ElementsAre("ééé", "ééé"));
    EXPECT_THAT(wrap("  a   b  ", 10, true), ElementsAre("a b"));
}

TEST(ReportWords, CutCountsCodePoints) {
    const Words words(TextStyle{});
    EXPECT_EQ(words.cut("ééééé", 5), "ééééé");
    EXPECT_EQ(words.cut("éééééé", 5), "éééé…");
}

TEST(ReportTable, ShrinksOnlyWhatMay) {
    Table table({{"fixed"}, {"n", true}, {"wraps", false, true}});
    table.add({{"a fixed cell"}, {"1"}, {"some words that need more than one line of twenty"}});
    TextStyle style;
    style.width = 40;
    const std::vector<std::string> lines = lines_of(table.render(Words(style), 0));
    EXPECT_THAT(
        lines,
        ElementsAre(
            "fixed         n  wraps",
            "────────────  ─  ───────────────────────",
            "a fixed cell  1  some words that need",
            "                 more than one line of",
            "                 twenty"));
    EXPECT_THROW(table.add({{}, {}, {}, {}}), BugError);
}

TEST(ReportTime, DifferencesOfTimes) {
    EXPECT_EQ(seconds_between("2026-11-30T12:00:00Z", "2026-11-30T12:04:12Z"), 252);
    EXPECT_EQ(seconds_between("2026-12-31T23:59:59Z", "2027-01-01T00:00:00Z"), 1);
    EXPECT_EQ(seconds_between("2026-11-30T12:04:12Z", "2026-11-30T12:00:00Z"), std::nullopt);
    EXPECT_EQ(seconds_between("", "2026-11-30T12:00:00Z"), std::nullopt);
}

}  // namespace

}  // namespace bootbudget::report
