// SPDX-License-Identifier: GPL-2.0-or-later
// The top of the policy and its plain sections. The lists are in schema_variants.cpp and schema_budgets.cpp.
#include "policy/schema.hpp"

#include "common/units.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bootbudget::policy {

namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr auto SCHEMA = "bootbudget-policy/1";
constexpr double MIB = 1024.0 * 1024.0;

const Vocabulary TOP{
    {"schema",
     "include",
     "boot",
     "sampling",
     "variants",
     "budgets",
     "findings",
     "waivers",
     "on_error",
     "on_inconclusive"},
    {}};
const Vocabulary BOOT{{"timeout", "stall", "memory", "append"}, {}};
const Vocabulary SAMPLING{{"warmup", "runs", "counted", "confidence", "order", "total_timeout", "jobs"}, {}};
const Vocabulary RANGE{{"min", "max"}, {}};

std::optional<Consequence> consequence(const Section & section, std::string_view key, bool may_be_note) {
    std::vector<std::string> words{"fail", "warn"};
    if (may_be_note) {
        words.emplace_back("note");
    }
    const auto word = section.choice(key, words);
    if (!word) {
        return std::nullopt;
    }
    return *word == "fail" ? Consequence::FAIL : *word == "warn" ? Consequence::WARN : Consequence::NOTE;
}

void read_boot(const Node & node, BootRules & boot, Mistakes & mistakes) {
    const Section section(node, "boot.", BOOT, mistakes);
    boot.timeout = section.duration("timeout", seconds(1), hours(24)).value_or(boot.timeout);
    boot.stall = section.duration("stall", seconds(1), hours(24)).value_or(boot.stall);
    if (const auto memory = section.quantity("memory", Unit::BYTES)) {
        // libguestfs takes whole mebibytes (LIBGUESTFS_MEMSIZE, guestfs(3)).
        const double mebibytes = memory->value / MIB;
        if (mebibytes < 128 || mebibytes > MIB || mebibytes != static_cast<double>(static_cast<int>(mebibytes))) {
            section.refuse(
                "memory",
                fmt::format(
                    "boot.memory is {}; expected whole MiB from 128MiB to 1024GiB.",
                    describe(*section.find("memory"))));
        } else {
            boot.memory_bytes = static_cast<std::uint64_t>(memory->value);
        }
    }
    // The kernel's own bound on a command line is 2048 bytes on most architectures (COMMAND_LINE_SIZE), of which libguestfs needs some.
    boot.append = section.prose("append", 1024).value_or(boot.append);
}

/// `sampling.runs` or `sampling.counted`: how many boots of one sort are made of each variant.
void read_range(const Section & sampling, std::string_view key, std::string_view why_not_one, int & min, int & max) {
    const Node * node = sampling.find(key);
    if (node == nullptr) {
        return;
    }
    const Section range(*node, sampling.name_of(key) + ".", RANGE, sampling.mistakes());
    const auto least = range.integer("min", 1, 1000);
    if (least == 1) {
        range.refuse("min", fmt::format("{} is 1, but {}; expected at least 2.", range.name_of("min"), why_not_one));
    }
    min = least.value_or(min);
    max = range.integer("max", 2, 1000).value_or(max);
}

void read_sampling(const Node & node, SamplingRules & sampling, Mistakes & mistakes) {
    const Section section(node, "sampling.", SAMPLING, mistakes);
    sampling.warmup = section.integer("warmup", 0, 10).value_or(sampling.warmup);
    read_range(section, "runs", "one boot says nothing of how boots differ", sampling.runs_min, sampling.runs_max);
    read_range(
        section,
        "counted",
        "one counted boot does not show that such boots agree",
        sampling.counted_min,
        sampling.counted_max);
    if (const auto text = section.word("confidence")) {
        const auto share = common::parse_percentage(*text);
        if (!share || *share < 0.5 || *share > 0.9999) {
            section.refuse(
                "confidence",
                fmt::format(
                    "sampling.confidence is {}; expected a percentage from 50% to 99.99%, such as 95%.",
                    in_quotes(*text)));
        } else {
            sampling.confidence = *share;
        }
    }
    sampling.total_timeout =
        section.duration("total_timeout", seconds(1), hours(24 * 7)).value_or(sampling.total_timeout);
    const auto order = section.word("order");
    if (order && *order != "interleaved") {
        section.refuse(
            "order",
            fmt::format(
                "sampling.order: {} is not supported by this version; expected interleaved.", in_quotes(*order)));
    }
    sampling.jobs = section.integer("jobs", 1, 64).value_or(sampling.jobs);
}

void read_findings(const Node & node, std::map<FindingKind, Consequence> & findings, Mistakes & mistakes) {
    Vocabulary kinds;
    for (const auto kind : ALL_FINDING_KINDS) {
        kinds.keys.emplace_back(to_string(kind));
    }
    const Section section(node, "findings.", kinds, mistakes);
    for (const auto kind : ALL_FINDING_KINDS) {
        if (const auto word = consequence(section, to_string(kind), true)) {
            findings[kind] = *word;
        }
    }
}

}  // namespace

std::string_view to_string(Consequence consequence) noexcept {
    switch (consequence) {
        case Consequence::FAIL:
            return "fail";
        case Consequence::WARN:
            return "warn";
        case Consequence::NOTE:
            return "note";
    }
    return "?";
}

std::string item_prefix(const Node & item, const std::string & label, std::string_view name_key, std::size_t number) {
    const Node * name = item.find(name_key);
    if (name != nullptr && is_name(name->text)) {
        return fmt::format("{} {}: ", label, in_quotes(name->text));
    }
    return fmt::format("{} {}: ", label, number);
}

Reading read_schema(const Node & document, Mistakes & mistakes) {
    Reading reading;
    const Section root(document, "", TOP, mistakes);
    root.require("schema", fmt::format("\"schema: {}\"", SCHEMA));
    if (const auto schema = root.word("schema"); schema && *schema != SCHEMA) {
        root.refuse("schema", fmt::format("schema is {}; expected {}.", in_quotes(*schema), SCHEMA));
    }
    if (const Node * boot = root.find("boot")) {
        read_boot(*boot, reading.policy.boot, mistakes);
    }
    if (const Node * sampling = root.find("sampling")) {
        read_sampling(*sampling, reading.policy.sampling, mistakes);
    }
    if (const Node * findings = root.find("findings")) {
        read_findings(*findings, reading.policy.findings, mistakes);
    }
    read_variants(root, reading);
    read_budgets(root, reading);
    read_waivers(root, reading);
    reading.policy.on_error = consequence(root, "on_error", false).value_or(reading.policy.on_error);
    reading.policy.on_inconclusive =
        consequence(root, "on_inconclusive", false).value_or(reading.policy.on_inconclusive);
    return reading;
}

}  // namespace bootbudget::policy
