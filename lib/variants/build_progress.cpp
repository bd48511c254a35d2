// SPDX-License-Identifier: GPL-2.0-or-later
// rpmbuild knows nothing of percents. A kernel's time is nearly all %build, so the stages get fixed shares, and a time left is only named once a first
// variant has shown how long one takes.
#include "variants/build_progress.hpp"

#include "common/units.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bootbudget::variants {

namespace {

double share_before(const std::string & stage) {
    if (stage == "%prep") {
        return 0.0;
    }
    if (stage == "%build") {
        return 0.05;
    }
    if (stage == "%install" || stage == "%check") {
        return 0.9;
    }
    return stage == "packages" ? 0.95 : 0.0;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

void BuildProgress::begin(const std::string & variant, const std::string & switches) {
    variant_ = variant;
    part_ = 0;
    began_ = std::chrono::steady_clock::now();
    ticked_ = began_;
    progress_.step(fmt::format("{} ({} of {}): rpmbuild -bb, {}", variant, done_ + 1, variants_, switches));
    advance();
}

void BuildProgress::stage(const std::string & stage) {
    part_ = std::max(part_, share_before(stage));
    progress_.step(fmt::format("{}: {}", variant_, stage));
    advance();
}

void BuildProgress::end(double seconds, std::size_t packages, std::size_t log_lines) {
    ++done_;
    done_seconds_ += seconds;
    part_ = 0;
    progress_.step(fmt::format(
        "{}: {} package{} in {}, {} log line{}",
        variant_,
        packages,
        packages == 1 ? "" : "s",
        common::format_quantity({seconds, Unit::SECONDS}),
        log_lines,
        log_lines == 1 ? "" : "s"));
    advance();
}

void BuildProgress::tick() {
    if (seconds_since(ticked_) >= 1.0) {
        ticked_ = std::chrono::steady_clock::now();
        advance();
    }
}

void BuildProgress::advance() {
    double left = -1;
    if (done_ > 0) {
        const double each = done_seconds_ / static_cast<double>(done_);
        const double current = done_ < variants_ ? std::min(seconds_since(began_), each) : 0;
        left = std::max(0.0, each * static_cast<double>(variants_ - done_) - current);
    }
    progress_.advance(static_cast<double>(done_) + part_, static_cast<double>(variants_), left);
}

}  // namespace bootbudget::variants
