// SPDX-License-Identifier: GPL-2.0-or-later
// Whether instructions can be counted is a question of two files and whether they fit: the counter, which is ours but a package of its own, and a QEMU that may
// have been built without plugins or with an API that did not exist when this was written. QEMU is asked with the counter itself.
#include "boot/boot.hpp"
#include "boot/counter_place.hpp"
#include "boot/icount.hpp"
#include "boot/plugin_api.hpp"
#include "boot/qemu_choice.hpp"
#include "common/machine.hpp"
#include "common/process.hpp"
#include "common/temporary_directory.hpp"
#include "common/units.hpp"

#include <bootbudget/error.hpp>

#include <fmt/format.h>

#include <system_error>

namespace bootbudget::boot {

namespace fs = std::filesystem;

namespace {

constexpr int FIRST_WITH_EXACT_LINES = 3;  // plugins can read registers since this API version

CounterSupport unavailable(CounterObstacle obstacle, std::string reason) {
    CounterSupport support;
    support.obstacle = obstacle;
    support.unavailable = std::move(reason);
    return support;
}

/// What QEMU prints when it is to load the counter in a probe.
std::string ask(
    const fs::path & qemu,
    const fs::path & counter,
    const fs::path & place,
    int claim,
    const common::Account & account,
    std::stop_token stop) {
    // the boots' account need not be able to walk to where the counter lies
    const common::TemporaryDirectory own(place);
    const auto copy = copy_counter(counter, own.path());
    common::Command command;
    command.argv = {
        qemu.string(), "-machine", "none,accel=tcg", "-display", "none", "-plugin", doubled_commas(copy.string())};
    command.environment = common::plain_environment();
    command.environment[PROBE_VARIABLE] = "1";
    if (claim != 0) {
        command.environment[CLAIM_VARIABLE] = std::to_string(claim);
    }
    command.account = account;
    return common::capture(command, std::move(stop), std::chrono::seconds(30)).output;
}

/// "1", or "8 to 9".
std::string versions(PluginApi api) {
    return api.min == api.current ? fmt::format("version {}", api.current)
                                  : fmt::format("versions {} to {}", api.min, api.current);
}

}  // namespace

CounterSupport probe_counter(
    const fs::path & qemu, const fs::path & place, const common::Account & account, std::stop_token stop) {
    const auto file = choose_qemu(qemu, account, stop);
    if (file.empty()) {
        return unavailable(
            CounterObstacle::NO_QEMU,
            qemu.empty() ? std::string("no QEMU is installed")
                         : fmt::format("{} is no program that can be run", qemu.string()));
    }
    const auto counter = find_counter();
    if (counter.path.empty()) {
        return unavailable(CounterObstacle::NO_COUNTER, counter.missing);
    }
    std::string output;
    std::optional<PluginApi> api;
    try {
        output = ask(file, counter.path, place, 0, account, stop);
        api = plugin_api_in(output);
        if (api && knows(*api)) {
            // Some refuse what the counter takes them for, and name one limit only. Asked as in a boot, each has to accept it.
            output = ask(file, counter.path, place, claimed_version(*api), account, stop);
            api = plugin_api_in(output);
        }
    } catch (const SystemError & error) {
        std::string reason =
            fmt::format("the QEMU {} cannot be asked for its plugin API: {}", file.string(), error.what());
        reason.erase(reason.find_last_not_of('.') + 1);
        return unavailable(CounterObstacle::NO_PLUGINS, reason);
    }
    if (!api) {
        const auto said = common::printable(output.substr(0, output.find('\n')));
        return unavailable(
            CounterObstacle::NO_PLUGINS,
            fmt::format(
                "the QEMU {} has no plugin support{}",
                file.string(),
                said.empty() ? "" : fmt::format(" (it says \"{}\")", said)));
    }
    if (!knows(*api)) {
        return unavailable(
            CounterObstacle::UNKNOWN_API,
            fmt::format(
                "the QEMU {} has plugin API {}, which this version of bootbudget does not know",
                file.string(),
                versions(*api)));
    }
    CounterSupport support;
    support.counting = Counting{
        counter.path,
        file,
        api->current,
        claimed_version(*api),
        api->current >= FIRST_WITH_EXACT_LINES && common::machine_arch() == "x86_64"};
    return support;
}

std::string describe(const CounterSupport & support) {
    if (!support.counting) {
        return "unavailable: " + support.unavailable;
    }
    return fmt::format(
        "QEMU plugin API {}, {}, -icount {}",
        support.counting->api,
        support.counting->exact_lines ? "exact counts at each console line"
                                      : "counts at the kernel's own functions, elsewhere as lines arrive",
        icount_option());
}

}  // namespace bootbudget::boot
