// SPDX-License-Identifier: GPL-2.0-or-later
// What disturbed the boots. Seconds depend on it and instructions hardly do, so a variant is as quiet or busy as its timed boots were. Of counted boots alone
// it can only be said that they were disturbed: side by side they would disturb each other, and then nobody asks.
#include "report/disturbance.hpp"

#include "report/measurements.hpp"

#include "common/units.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace bootbudget::report {

namespace {

constexpr const char * PRESSURE = "cpu_pressure";

std::vector<const Sample *> samples_of(const Variant & variant, Mode mode) {
    std::vector<const Sample *> samples;
    for (const Sample & sample : variant.samples) {
        if (sample.mode == mode && sample.valid && !sample.warmup) {
            samples.push_back(&sample);
        }
    }
    return samples;
}

double pressure(const Sample & sample) {
    const auto found = sample.noise.find(PRESSURE);
    return found == sample.noise.end() ? 0 : found->second;
}

}  // namespace

std::string disturbance(const Variant & variant) {
    auto samples = samples_of(variant, Mode::TIMED);
    const bool timed = !samples.empty();
    if (!timed) {
        samples = samples_of(variant, Mode::COUNTED);
    }
    std::vector<const Sample *> busy;
    std::copy_if(samples.begin(), samples.end(), std::back_inserter(busy), [](const Sample * sample) {
        return !sample->busy.empty();
    });
    if (busy.empty()) {
        const bool watched =
            std::any_of(samples.begin(), samples.end(), [](const Sample * sample) { return !sample->noise.empty(); });
        return timed && watched ? "quiet" : "";
    }
    const Sample & worst = **std::max_element(
        busy.begin(), busy.end(), [](const Sample * a, const Sample * b) { return pressure(*a) < pressure(*b); });
    const bool alike =
        std::all_of(busy.begin(), busy.end(), [&worst](const Sample * sample) { return sample->busy == worst.busy; });
    return fmt::format(
        "busy ({}{}{} in {} of {} boot{})",
        alike ? "" : "up to ",
        worst.busy,
        alike ? "" : ",",
        busy.size(),
        samples.size(),
        samples.size() == 1 ? "" : "s");
}

std::string outliers(const Report & report, const Words & words) {
    std::string text;
    for (const Variant & variant : report.variants) {
        for (const Sample & sample : variant.samples) {
            for (const auto & [metric, cause] : sample.outliers) {
                const auto value = sample.metrics.find(metric);
                const auto summary = variant.summary.find(metric);
                std::string sentence = fmt::format(
                    "{}{}, boot {}: {}",
                    variant.name,
                    variant.build == BuildRole::AGAINST ? " (against)" : "",
                    sample.index,
                    metric);
                if (value != sample.metrics.end()) {
                    sentence += " " + common::format_quantity(value->second);
                }
                if (summary != variant.summary.end()) {
                    sentence += fmt::format(
                        ", median {}", common::format_quantity({summary->second.median, summary->second.unit}));
                }
                text += words.paragraph("  ", sentence + (cause.empty() ? "" : ": " + cause));
            }
        }
    }
    return text.empty() ? "" : "\n" + words.paint("Outliers, kept in the numbers", Tone::STRONG) + "\n" + text;
}

}  // namespace bootbudget::report
