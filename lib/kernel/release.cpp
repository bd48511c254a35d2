// SPDX-License-Identifier: GPL-2.0-or-later
// A release (uname -r) is only ever looked at as text that somebody else made: it is checked before it becomes part of a path, and its flavour
// is what stands after the '+', as Fedora writes it. The kind of a kernel is deliberately not read from here.
#include "kernel/release.hpp"

#include <algorithm>
#include <array>

namespace bootbudget::kernel {

namespace {

// Locale-free, unlike isalnum(3).
bool is_letter_or_digit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

constexpr std::array ARCHES{
    std::string_view("x86_64"),
    std::string_view("aarch64"),
    std::string_view("ppc64le"),
    std::string_view("s390x"),
    std::string_view("riscv64"),
    std::string_view("loongarch64"),
    std::string_view("armv7hl"),
    std::string_view("i686"),
};

// The part before the suffix, and the suffix without its '+' (empty: none).
std::pair<std::string_view, std::string_view> split_suffix(std::string_view release) {
    const auto plus = release.rfind('+');
    if (plus == std::string_view::npos) {
        return {release, {}};
    }
    return {release.substr(0, plus), release.substr(plus + 1)};
}

}  // namespace

bool is_release(std::string_view text) noexcept {
    constexpr std::size_t MAX_LENGTH = 64;  // __NEW_UTS_LEN of <linux/utsname.h>
    if (text.empty() || text.size() > MAX_LENGTH || !is_letter_or_digit(text.front()) ||
        text.find("..") != std::string_view::npos) {
        return false;
    }
    return std::all_of(text.begin(), text.end(), [](char c) {
        return is_letter_or_digit(c) || std::string_view("._+~^-").find(c) != std::string_view::npos;
    });
}

std::string flavour_of(std::string_view release) {
    // "rt-debug", and "rt_debug" as provides write it; each word counts for itself, so that "debugfs" would stay.
    std::string flavour;
    std::string_view rest = split_suffix(release).second;
    while (!rest.empty()) {
        const auto end = std::min(rest.find_first_of("-_"), rest.size());
        const std::string_view word = rest.substr(0, end);
        if (!word.empty() && word != "debug") {
            flavour += (flavour.empty() ? "" : "-") + std::string(word);
        }
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return flavour.empty() ? "base" : flavour;
}

std::string arch_of(std::string_view release) {
    const std::string_view base = split_suffix(release).first;
    const auto dot = base.find_last_of(".-");
    if (dot == std::string_view::npos) {
        return {};
    }
    const std::string_view last = base.substr(dot + 1);
    return std::find(ARCHES.begin(), ARCHES.end(), last) != ARCHES.end() ? std::string(last) : std::string();
}

}  // namespace bootbudget::kernel
