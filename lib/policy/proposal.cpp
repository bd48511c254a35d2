// SPDX-License-Identifier: GPL-2.0-or-later
// What is worth a budget: the time and the work of a launch, the memory it takes, and a debug kernel's distance from the other kernel of its
// flavour. Each sort comes with the reason why it holds, and for how long.
#include "policy/proposal.hpp"

#include "common/units.hpp"
#include "policy/section.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

namespace bootbudget::policy {

namespace {

constexpr double MIB = 1024.0 * 1024.0;

/// More than any boot needs, and as much as a policy may say.
Quantity boundless(Unit unit) {
    switch (unit) {
        case Unit::SECONDS:
            return {1e9, unit};
        case Unit::BYTES:
            return {1024 * 1024 * 1024 * MIB, unit};
        case Unit::COUNT:
            return {1e18, unit};
        case Unit::RATIO:
            break;
    }
    return {1e6, Unit::RATIO};
}

std::string words(double value, Unit unit) {
    return common::format_quantity({value, unit});
}

/// "32.3 s ± 2.5 % in 3 boots".
std::string measured(const Variant & variant, const std::string & metric) {
    const auto found = variant.summary.find(metric);
    if (found == variant.summary.end()) {
        return "no summary";
    }
    const Summary & summary = found->second;
    return fmt::format(
        "{}{} in {}{} boot{}",
        words(summary.mean, summary.unit),
        summary.mean > 0 ? fmt::format(" ± {:.{}f} %", 100 * summary.sd / summary.mean, is_counted(metric) ? 2 : 1)
                         : "",
        summary.n,
        is_counted(metric) ? " counted" : "",
        summary.n == 1 ? "" : "s");
}

/// "2 of 3 boots: 11 % CPU pressure, 41 % CPU pressure" if timed boots were disturbed, else empty.
std::string disturbance(const Variant & variant) {
    const auto boots = boots_of(variant, Mode::TIMED);
    std::set<std::string> causes;
    std::size_t busy = 0;
    for (const auto * sample : boots) {
        if (!sample->busy.empty()) {
            ++busy;
            causes.insert(common::printable(sample->busy, 100));
        }
    }
    return busy == 0 ? "" : fmt::format("{} of {} boots: {}", busy, boots.size(), fmt::join(causes, ", "));
}

class Proposals {
public:
    explicit Proposals(const Report & report) : report_(report) {}

    std::vector<Proposal> make(const std::vector<Variant> & variants) {
        for (const auto & variant : variants) {
            const bool timed = !boots_of(variant, Mode::TIMED).empty();
            const bool counted = !boots_of(variant, Mode::COUNTED).empty();
            const Variant * base = base_of(variant, variants);
            if (timed) {
                launch(variant);
            }
            if (timed && base != nullptr && !boots_of(*base, Mode::TIMED).empty()) {
                ratio(variant, *base, "launch", "-slowdown");
            }
            if (counted) {
                instructions(variant);
            }
            if (counted && base != nullptr && !boots_of(*base, Mode::COUNTED).empty()) {
                ratio(variant, *base, "instructions", "-work");
            }
            if (timed) {
                memory(variant);
            }
        }
        return std::move(proposals_);
    }

private:
    /// The other kernel of its flavour that a debug kernel is compared with.
    static const Variant * base_of(const Variant & variant, const std::vector<Variant> & variants) {
        const auto found = std::find_if(variants.begin(), variants.end(), [&](const Variant & other) {
            return variant.kind == Kind::DEBUG && other.kind == Kind::NODEBUG && other.flavour == variant.flavour;
        });
        return found == variants.end() ? nullptr : &*found;
    }

    Proposal & add(const Variant & variant, const std::string & metric, std::string_view suffix, Unit unit) {
        constexpr std::size_t LONGEST_STEM = 48;  // is_name() takes 64
        const auto stem = variant.name.substr(0, LONGEST_STEM) + std::string(suffix);
        std::string name = stem;
        for (int number = 2; !names_.insert(name).second; ++number) {
            name = fmt::format("{}-{}", stem, number);
        }
        Proposal proposal;
        proposal.rule.name = name;
        proposal.rule.variant = variant.name;
        proposal.rule.metric = metric;
        proposal.rule.limit = boundless(unit);
        if (unit != Unit::RATIO && is_arch(report_.environment.arch)) {
            proposal.rule.arches = {report_.environment.arch};
        }
        proposals_.push_back(std::move(proposal));
        return proposals_.back();
    }

    void launch(const Variant & variant) {
        Proposal & proposal = add(variant, "launch", "-launch", Unit::SECONDS);
        proposal.reasons = {
            fmt::format("Launch of {}: {}.", variant.name, measured(variant, "launch")),
            "Seconds hold on this machine only: measure again on another one."};
        if (const auto around = disturbance(variant); !around.empty()) {
            proposal.obstacle = fmt::format(
                "The machine was busy ({}), so these are not the kernel's own seconds; measure on a quiet one.",
                around);
        }
    }

    void instructions(const Variant & variant) {
        add(variant, "instructions", "-instructions", Unit::COUNT).reasons = {
            fmt::format("Guest instructions of {}: {}.", variant.name, measured(variant, "instructions")),
            fmt::format(
                "They hold on a busy machine too, but only within one environment: QEMU, appliance, memory, … "
                "(fingerprint {}).",
                report_.environment.fingerprint.empty()
                    ? "unknown"
                    : common::printable(report_.environment.fingerprint.substr(0, 12), 60))};
    }

    void memory(const Variant & variant) {
        add(variant, "memory", "-memory", Unit::BYTES).reasons = {
            fmt::format("Peak memory of QEMU with {}: {}.", variant.name, measured(variant, "memory"))};
        proposals_.back().rule.on_exceed = Consequence::WARN;
    }

    void ratio(const Variant & variant, const Variant & base, const std::string & metric, std::string_view suffix) {
        Proposal & proposal = add(variant, metric, suffix, Unit::RATIO);
        proposal.rule.baseline_variant = base.name;
        proposal.reasons = {
            fmt::format(
                "{} of {} beside {}: {} beside {}.",
                metric == "launch" ? "Launch" : "Guest instructions",
                variant.name,
                base.name,
                measured(variant, metric),
                measured(base, metric)),
            "A ratio holds on any machine, quiet or busy: both kernels are booted in turn in the same run."};
    }

    const Report & report_;
    std::vector<Proposal> proposals_;
    std::set<std::string> names_;
};

}  // namespace

std::vector<const Sample *> boots_of(const Variant & variant, Mode mode) {
    std::vector<const Sample *> boots;
    for (const auto & sample : variant.samples) {
        if (sample.valid && !sample.warmup && sample.outcome == Outcome::OK && sample.mode == mode) {
            boots.push_back(&sample);
        }
    }
    return boots;
}

std::vector<Proposal> propose(const Report & report, const std::vector<Variant> & variants) {
    return Proposals(report).make(variants);
}

}  // namespace bootbudget::policy
