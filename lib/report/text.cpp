// SPDX-License-Identifier: GPL-2.0-or-later
// The report for a packager who scrolls through a build log: the verdict on the first line, then what was booted, the numbers with their
// budgets, and after that only what needs a look: budgets with their reasons, boots that failed with the end of their consoles,
// findings, and the options that make the difference.
#include "report/against.hpp"
#include "report/disturbance.hpp"
#include "report/measurements.hpp"
#include "report/time.hpp"
#include "report/words.hpp"
#include "report/writers.hpp"

#include "common/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

namespace bootbudget::report {

namespace {

/// As many options that do not decide the kind are listed; if there are more, report.json is the place to look.
constexpr std::size_t MAX_UNMARKED = 12;
/// The value of one option may be a string of any length; the JSON report has it whole.
constexpr std::size_t MAX_OPTION_COLUMNS = 100;

std::string plural(std::size_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

/// "kernel-debug 6.1.192+debug, debug kernel, base flavour".
std::string named(const Variant & variant) {
    return fmt::format("{}, {} kernel, {} flavour", variant.release, to_string(variant.kind), variant.flavour);
}

std::string heading(std::string_view title, const Words & words) {
    return "\n" + words.paint(title, Tone::STRONG) + "\n";
}

/// How many budgets came to what, worst first.
std::string counts(const Report & report) {
    std::string text;
    const auto add = [&text](std::size_t count, std::string_view word) {
        if (count > 0) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, word);
        }
    };
    for (const Verdict verdict :
         {Verdict::FAIL, Verdict::ERROR, Verdict::INCONCLUSIVE, Verdict::WARN, Verdict::PASS, Verdict::SKIPPED}) {
        std::size_t plain = 0;
        std::size_t waived = 0;
        for (const BudgetResult & budget : report.budgets) {
            if (budget.verdict == verdict) {
                ++(budget.waived ? waived : plain);
            }
        }
        add(plain, to_string(verdict));
        add(waived, fmt::format("{} (waived)", to_string(verdict)));
    }
    return text;
}

std::string verdict_line(const Report & report, const Words & words) {
    std::string text = "bootbudget: " + words.paint(verdict_in_words(report.verdict), tone_of(report.verdict));
    if (const std::string budgets = counts(report); !budgets.empty()) {
        text += fmt::format(" ({}: {})", plural(report.budgets.size(), "budget"), budgets);
    }
    if (report.exit_status != 0) {
        text += fmt::format(", exit status {}", report.exit_status);
    }
    return text + "\n";
}

std::string order(const SamplingUse & sampling) {
    std::string text = fmt::format("shuffled by the seed {}", sampling.seed);
    if (sampling.jobs > 1) {
        text += fmt::format(", up to {} counted boots side by side", sampling.jobs);
    }
    return text;
}

std::string circumstances(const Report & report, const Words & words) {
    std::string text;
    for (const Build & build : report.builds) {
        const std::string first = build.role == BuildRole::SUBJECT ? "build     " : "against   ";
        text += words.paragraph(first, build.nvr.empty() ? build.where : build.nvr + ", from " + build.where);
    }
    text += words.paragraph("policy    ", report.policy.file);
    std::size_t boots = 0;
    std::size_t warmups = 0;
    std::size_t counted = 0;
    for (const Variant & variant : report.variants) {
        for (const Sample & sample : variant.samples) {
            ++boots;
            warmups += sample.warmup ? 1U : 0U;
            counted += !sample.warmup && sample.mode == Mode::COUNTED ? 1U : 0U;
        }
    }
    std::string how = std::to_string(boots);
    if (warmups + counted > 0) {
        how += fmt::format(
            " ({}{}{})",
            warmups > 0 ? fmt::format("{} to warm up", warmups) : "",
            warmups > 0 && counted > 0 ? ", " : "",
            counted > 0 ? fmt::format("{} counted", counted) : "");
    }
    if (const auto seconds = seconds_between(report.started, report.finished)) {
        how += " in " + common::format_quantity({*seconds, Unit::SECONDS});
    }
    for (const std::string & part : {report.environment.qemu, report.environment.libguestfs}) {
        if (!part.empty()) {
            how += ", " + part;
        }
    }
    if (!report.environment.arch.empty()) {
        how += ", " + report.environment.arch;
    }
    text += words.paragraph("boots     ", how);
    if (report.sampling.seed != 0 && boots > 0) {
        text += words.paragraph("order     ", order(report.sampling));
    }
    if (!report.environment.counter.empty()) {
        text += words.paragraph("counter   ", report.environment.counter);
    }
    return text;
}

std::string variants(const Report & report, const Words & words) {
    std::string text;
    for (const Variant & variant : report.variants) {
        if (variant.name.empty()) {
            continue;
        }
        std::string first = words.plain(variant.name);
        if (variant.build == BuildRole::AGAINST) {
            first += " (against)";
        }
        first.resize(std::max<std::size_t>(first.size(), 9), ' ');
        text += words.paragraph(first + " ", named(variant));
        if (!variant.why.empty()) {
            text += words.paragraph("          ", variant.why.front());
        }
        if (const std::string around = disturbance(variant); !around.empty()) {
            text += words.paragraph("          ", "The machine was " + around + ".");
        }
    }
    for (const Variant & variant : report.variants) {
        if (variant.name.empty()) {
            text += words.paragraph("not measured: ", named(variant));
            for (const std::string & sentence : variant.why) {
                text += words.paragraph("          ", sentence);
            }
        }
    }
    return text.empty() ? "No kernel was measured.\n" : text;
}

std::string budgets(const Report & report, const Words & words) {
    if (report.budgets.empty()) {
        return "";
    }
    std::string text = heading("Budgets", words);
    for (const BudgetResult & budget : report.budgets) {
        const std::string word = verdict_in_words(budget.verdict);
        const std::string verdict = words.paint(word, budget.waived ? Tone::CAUTION : tone_of(budget.verdict)) +
                                    std::string(word.size() < 14 ? 14 - word.size() : 1, ' ');
        // A requirement, such as "variant debug is present", has no metric.
        const std::string of =
            budget.metric.empty() ? ""
                                  : fmt::format(" ({} of {})", words.plain(budget.metric), words.plain(budget.variant));
        text += fmt::format("  {}{}{}\n", verdict, words.plain(budget.name), of);
        if (!budget.why.empty()) {
            text += words.paragraph("                ", budget.why);
        }
        if (budget.predicted) {
            text +=
                words.paragraph("                ", "This is a prediction for other hosts, not a measurement on one.");
        }
        if (budget.waived) {
            text += words.paragraph(
                "                ",
                fmt::format("Waived until {}, so it only warns: {}", budget.waived->until, budget.waived->reason));
        }
    }
    return text;
}

/// The whole story of a variant's first failed boot, a line for each further one: fifteen panics read alike.
std::string failed_boots(const Report & report, const Words & words) {
    std::string text;
    const auto width = static_cast<std::size_t>(std::max(words.style().width, 20));
    for (const Variant & variant : report.variants) {
        bool told = false;
        for (const Sample & sample : variant.samples) {
            if (sample.outcome == Outcome::OK) {
                continue;
            }
            text += fmt::format(
                "  {}{}, boot {}{}: {}\n",
                words.plain(variant.name),
                variant.build == BuildRole::AGAINST ? " (against)" : "",
                sample.index,
                sample.warmup ? " (warm-up)" : "",
                words.paint(to_string(sample.outcome), Tone::BAD));
            if (!sample.detail.empty()) {
                text += words.paragraph("      ", sample.detail);
            }
            if (!sample.log.empty()) {
                text += words.paragraph("      console log: ", sample.log);
            }
            if (!told) {
                const std::string bar = words.style().unicode ? "      │ " : "      | ";
                for (const std::string & line : sample.last_lines) {
                    text += bar + words.cut(line, width - 8) + "\n";
                }
            }
            told = true;
        }
    }
    return text.empty() ? "" : heading("Boots that failed", words) + text;
}

Tone tone_of_consequence(const std::string & consequence) {
    return consequence == "fail" ? Tone::BAD : consequence == "warn" ? Tone::CAUTION : Tone::PLAIN;
}

/// The log of the boot that showed the finding, or nothing if the report does not hold that boot.
std::string log_of(const ReportedFinding & reported, const Report & report) {
    for (const Variant & variant : report.variants) {
        if (variant.name != reported.variant || variant.release != reported.release ||
            variant.build != reported.build) {
            continue;
        }
        for (const Sample & sample : variant.samples) {
            if (sample.index == reported.sample) {
                return sample.log;
            }
        }
    }
    return "";
}

std::string findings(const Report & report, const Words & words) {
    if (report.findings.empty()) {
        return "";
    }
    std::string text = heading("Findings", words);
    const auto width = static_cast<std::size_t>(std::max(words.style().width, 20));
    for (const ReportedFinding & reported : report.findings) {
        const std::string word = reported.consequence == "note"
                                     ? "note"
                                     : verdict_in_words(reported.consequence == "fail" ? Verdict::FAIL : Verdict::WARN);
        text += fmt::format(
            "  {}  {}, {}{} in {}\n",
            words.paint(word, tone_of_consequence(reported.consequence)),
            to_string(reported.finding.kind),
            words.plain(reported.variant.empty() ? reported.release : reported.variant),
            reported.build == BuildRole::AGAINST ? " (against)" : "",
            plural(static_cast<std::size_t>(std::max(reported.count, 0)), "boot"));
        text += "        " + words.cut(reported.finding.line, width - 8) + "\n";
        if (const std::string log = log_of(reported, report); !log.empty()) {
            text += words.paragraph("        ", fmt::format("line {} of {}", reported.finding.line_number, log));
        }
    }
    return text;
}

/// "  * KASAN=y, DEBUG_VM=y" over as many lines as it takes: an option that decides a kernel's kind is never left out.
std::string options(
    std::string_view first, const std::vector<const ConfigDifference *> & differences, const Words & words) {
    constexpr std::string_view PREFIX = "CONFIG_";
    std::string list;
    for (const ConfigDifference * const difference : differences) {
        std::string_view name = difference->option;
        name.remove_prefix(name.starts_with(PREFIX) ? PREFIX.size() : 0);
        std::string option = fmt::format("{}={}", name, difference->value);
        if (difference->against != "n") {
            option += fmt::format(" (there {})", difference->against);
        }
        list += (list.empty() ? "" : ", ") + words.cut(option, MAX_OPTION_COLUMNS);
    }
    const auto width = static_cast<std::size_t>(std::max(words.style().width, 20));
    std::string text;
    for (const std::string & line : wrap(list, width - first.size(), false)) {
        text += text.empty() ? std::string(first) : std::string(first.size(), ' ');
        text += line + "\n";
    }
    return text;
}

std::string differences(const Variant & variant, const Words & words) {
    std::vector<const ConfigDifference *> marked;
    std::vector<const ConfigDifference *> unmarked;
    for (const ConfigDifference & difference : variant.config_differs) {
        (difference.decides_kind ? marked : unmarked).push_back(&difference);
    }
    std::string text = heading("Configuration", words);
    text += words.paragraph(
        "  ",
        fmt::format(
            "{} differs from {} in {}; {}:",
            variant.name.empty() ? variant.release : variant.name,
            variant.peer,
            plural(variant.config_differs.size(), "option"),
            marked.empty() ? "none of them makes a kernel debug"
            : marked.size() == 1
                ? "the one marked * is of those that make a kernel debug"
                : fmt::format("the {} marked * are of those that make a kernel debug", marked.size())));
    if (!marked.empty()) {
        text += options("  * ", marked, words);
    }
    if (!unmarked.empty() && unmarked.size() <= MAX_UNMARKED) {
        text += options("    ", unmarked, words);
    } else if (!unmarked.empty()) {
        text += words.paragraph(
            "    ",
            fmt::format(
                "… and {} more, none of them marked; all are in report.json (config_differs).", unmarked.size()));
    }
    return text;
}

/// Each pair of kernels once, from the debug kernel's side.
std::string configuration(const Report & report, const Words & words) {
    std::string text;
    std::set<std::string> told;
    for (const Kind kind : {Kind::DEBUG, Kind::NODEBUG}) {
        for (const Variant & variant : report.variants) {
            if (variant.kind == kind && variant.build == BuildRole::SUBJECT && !variant.config_differs.empty() &&
                !told.contains(variant.peer + " " + variant.release)) {
                text += differences(variant, words);
                told.insert(variant.release + " " + variant.peer);
            }
        }
    }
    return text;
}

std::string notes(const Report & report, const Words & words) {
    std::string text;
    for (const std::string & note : report.notes) {
        text += words.paragraph("  - ", note);
    }
    return text.empty() ? "" : heading("Notes", words) + text;
}

}  // namespace

std::string to_text(const Report & report, const TextStyle & style) {
    const Words words(style);
    std::string text = verdict_line(report, words) + circumstances(report, words) + "\n" + variants(report, words);
    if (const std::string table = measurements(report, words); !table.empty()) {
        text += "\n" + table;
    }
    if (const std::string table = against(report, words); !table.empty()) {
        text += "\n" + table;
    }
    return text + budgets(report, words) + failed_boots(report, words) + outliers(report, words) +
           findings(report, words) + configuration(report, words) + notes(report, words);
}

}  // namespace bootbudget::report
