// SPDX-License-Identifier: GPL-2.0-or-later
// What --dry-run prints for people: one paragraph a kernel, those that will be booted first.
#include "common/units.hpp"
#include "report/words.hpp"
#include "report/writers.hpp"

#include <fmt/format.h>

namespace bootbudget::report {

namespace {

std::string number(int min, int max) {
    return min == max ? fmt::format("{}", min) : fmt::format("{} to {}", min, max);
}

/// "1 to warm up, then 3 to 15 timed and 2 to 6 counted".
std::string boots(const PlannedVariant & variant) {
    std::string text;
    if (variant.boots_max > 0) {
        text = number(variant.boots_min, variant.boots_max) + " timed";
    }
    if (variant.counted_max > 0) {
        text += (text.empty() ? "" : " and ") + number(variant.counted_min, variant.counted_max) + " counted";
    }
    return variant.warmup_boots > 0 ? fmt::format("{} to warm up, then {}", variant.warmup_boots, text) : text;
}

std::string paragraph(const PlannedVariant & variant, const Words & words) {
    std::string text = "\n" + words.paint(words.plain(variant.release), Tone::STRONG) + "\n";
    text += words.paragraph(
        "  kernel    ", fmt::format("{}, {} flavour, {}", to_string(variant.kind), variant.flavour, variant.arch));
    for (const std::string & sentence : variant.why) {
        text += words.paragraph("            ", sentence);
    }
    if (variant.build == BuildRole::AGAINST) {
        text += words.paragraph("  build     ", "the one to compare with (--against)");
    }
    if (!variant.name.empty()) {
        text += words.paragraph("  variant   ", variant.name);
    }
    for (std::size_t i = 0; i < variant.packages.size(); ++i) {
        text += words.paragraph(i == 0 ? "  packages  " : "            ", variant.packages[i]);
    }
    if (variant.not_booted.empty()) {
        text += words.paragraph("  boots     ", boots(variant));
    } else {
        text += words.paragraph("  not booted: ", variant.not_booted);
    }
    return text;
}

}  // namespace

std::string to_text(const Plan & plan, const TextStyle & style) {
    const Words words(style);
    std::size_t booted = 0;
    int boots_min = 0;
    int boots_max = 0;
    std::string first;
    std::string rest;
    for (const PlannedVariant & variant : plan.variants) {
        (variant.not_booted.empty() ? first : rest) += paragraph(variant, words);
        if (variant.not_booted.empty()) {
            ++booted;
            boots_min += variant.warmup_boots + variant.boots_min + variant.counted_min;
            boots_max += variant.warmup_boots + variant.boots_max + variant.counted_max;
        }
    }
    std::string text = words.paint(
        fmt::format(
            "Plan: {} of {} kernel{} would be booted, nothing was.",
            booted,
            plan.variants.size(),
            plan.variants.size() == 1 ? "" : "s"),
        Tone::STRONG);
    text += "\n" + words.paragraph("packages  ", plan.where) + words.paragraph("policy    ", plan.policy);
    if (booted > 0) {
        text += words.paragraph(
            "boots     ",
            number(boots_min, boots_max) + (plan.counted_jobs > 1
                                                ? fmt::format(", up to {} counted ones side by side", plan.counted_jobs)
                                                : std::string()));
        text += words.paragraph(
            "time      ",
            fmt::format(
                "about {} to {}, a rough guess from typical boots of these kinds",
                common::format_quantity({plan.expected_seconds_min, Unit::SECONDS}),
                common::format_quantity({plan.expected_seconds_max, Unit::SECONDS})));
    }
    text += first + rest;
    for (const std::string & note : plan.notes) {
        text += (&note == &plan.notes.front() ? "\n" : "") + words.paragraph("note: ", note);
    }
    return text;
}

}  // namespace bootbudget::report
