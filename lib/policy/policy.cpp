// SPDX-License-Identifier: GPL-2.0-or-later
// Each file is read by itself first, so that a mistake is told even where another file's value replaces it; then the merged whole is read and
// checked, and becomes the policy if nothing was wrong anywhere.
#include "policy/policy.hpp"

#include "policy/include.hpp"
#include "policy/schema.hpp"

#include <fmt/format.h>

namespace bootbudget::policy {

Loaded load(const std::filesystem::path & file) {
    Mistakes mistakes;
    const Sources sources = read_sources(file, mistakes);
    for (const auto & document : sources.documents) {
        read_schema(document, mistakes);
    }
    Loaded loaded;
    if (sources.merged && sources.merged->kind == Node::Kind::MAPPING) {
        Reading reading = read_schema(*sources.merged, mistakes);
        check_whole(*sources.merged, reading, mistakes);
        if (mistakes.empty()) {
            Policy policy = std::move(reading.policy);
            policy.file = file;
            policy.text = write_document(*sources.merged);
            for (auto & item : reading.variants) {
                policy.variants.push_back(std::move(item.rule));
            }
            for (auto & item : reading.budgets) {
                policy.budgets.push_back(std::move(item.rule));
            }
            for (auto & item : reading.waivers) {
                policy.waivers.push_back(std::move(item.rule));
            }
            loaded.policy = std::move(policy);
        }
    }
    loaded.mistakes = mistakes.sorted();
    return loaded;
}

Policy load_or_throw(const std::filesystem::path & file) {
    Loaded loaded = load(file);
    if (loaded.policy) {
        return std::move(*loaded.policy);
    }
    const std::size_t number = loaded.mistakes.size();
    std::string text = number == 1 ? "The policy has a mistake:" : fmt::format("The policy has {} mistakes:", number);
    for (const auto & mistake : loaded.mistakes) {
        text += fmt::format("\n{}:{}:{}: {}", mistake.file, mistake.line, mistake.column, mistake.text);
    }
    throw UserError(text);
}

}  // namespace bootbudget::policy
