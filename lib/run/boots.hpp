// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "boot/boot.hpp"

#include <bootbudget/report.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <stop_token>
#include <vector>

namespace bootbudget::run {

/// A variant that is booted, with where its boots happen.
struct Series {
    Variant * variant = nullptr;  ///< samples are appended here
    boot::Bootable bootable;
};

/// One boot that is to be made.
struct PlannedBoot {
    const Series * series = nullptr;
    boot::Turn turn;
    std::filesystem::path log;  ///< where its console log goes
};

/// What happens meanwhile. All calls come from the thread that called make_boots(), one at a time.
struct BootEvents {
    std::function<void(const PlannedBoot &)> began;
    std::function<void(const PlannedBoot &, Sample &&, double seconds)> ended;
    std::function<void()> tick;  ///< now and then, and at each new phase
};

/// Makes the boots in their order, at most `jobs` at once and never two of one series: these share an appliance and a directory.
/// Throws what boot_once() throws, once all boots that had begun are ended.
void make_boots(
    const std::vector<PlannedBoot> & boots,
    int jobs,
    const boot::Settings & settings,
    const BootEvents & events,
    std::stop_token stop);

}  // namespace bootbudget::run
