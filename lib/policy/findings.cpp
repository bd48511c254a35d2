// SPDX-License-Identifier: GPL-2.0-or-later
// The same report of lockdep in ten boots is one finding seen ten times, not ten lines to read.
#include "policy/findings.hpp"

namespace bootbudget::policy {

std::vector<ReportedFinding> report_findings(const Policy & policy, const std::vector<Variant> & variants) {
    std::vector<ReportedFinding> reported;
    for (const auto & variant : variants) {
        std::map<FindingKind, ReportedFinding> of_variant;
        for (const auto & sample : variant.samples) {
            if (variant.name.empty() || sample.outcome == Outcome::WRONG_KERNEL) {
                continue;
            }
            std::map<FindingKind, const Finding *> of_sample;
            for (const auto & finding : sample.findings) {
                of_sample.emplace(finding.kind, &finding);
            }
            for (const auto & [kind, finding] : of_sample) {
                const auto [entry, is_new] = of_variant.try_emplace(kind);
                if (!is_new) {
                    ++entry->second.count;
                    continue;
                }
                const auto rule =
                    variant.build == BuildRole::AGAINST ? policy.findings.end() : policy.findings.find(kind);
                entry->second.finding = *finding;
                entry->second.variant = variant.name;
                entry->second.release = variant.release;
                entry->second.build = variant.build;
                entry->second.sample = sample.index;
                entry->second.consequence = to_string(rule == policy.findings.end() ? Consequence::NOTE : rule->second);
            }
        }
        for (auto & [kind, entry] : of_variant) {
            reported.push_back(std::move(entry));
        }
    }
    return reported;
}

}  // namespace bootbudget::policy
