// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <optional>
#include <string_view>

namespace bootbudget::boot {

/// The plugin API versions that a QEMU accepts, both inclusive (QEMU's include/plugins/qemu-plugin.h). Where QEMU named one limit only,
/// both are that limit.
struct PluginApi {
    int min = 0;
    int current = 0;

    friend bool operator==(const PluginApi &, const PluginApi &) = default;
};

/// Set (to anything) in QEMU's environment, it makes the counter say the API's limits when QEMU installs it, and refuse to be installed:
///     BOOTBUDGET_COUNTER_PROBE=1 qemu-system-x86_64 -M none -plugin …/bootbudget-counter.so
/// ends within a tenth of a second, with status 1 and on stderr what plugin_api_in() reads.
inline constexpr const char * PROBE_VARIABLE = "BOOTBUDGET_COUNTER_PROBE";

/// In QEMU's environment, the version that the counter claims to be made for (claimed_version() as a decimal number). Without it the counter guesses
/// by the calls that QEMU has, and takes QEMU 11.0 (API 6) for its successor (API 7), which has the same ones.
inline constexpr const char * CLAIM_VARIABLE = "BOOTBUDGET_COUNTER_API";

/// Reads the limits out of what QEMU printed in a probe: the counter's own sentence with both limits, or QEMU's refusal of the claimed version
/// (plugins/loader.c), which names one. Nothing if neither is there: QEMU was built without plugins, has none yet (before 4.2), or did not start.
std::optional<PluginApi> plugin_api_in(std::string_view qemu_output);

/// Whether the counter can work with such a QEMU: it knows API 1 to 7.
bool knows(PluginApi api);

/// What to put into CLAIM_VARIABLE for a QEMU that is known.
int claimed_version(PluginApi api);

}  // namespace bootbudget::boot
