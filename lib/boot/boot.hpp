// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/account.hpp"
#include "kernel/boot_tree.hpp"

#include <bootbudget/report.hpp>
#include <bootbudget/sample.hpp>

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <stop_token>
#include <string>

namespace bootbudget::boot {

/// How guest instructions are counted in counted boots.
struct Counting {
    std::filesystem::path plugin;  ///< the counter, a QEMU TCG plugin (plugin/qemu)
    std::filesystem::path qemu;    ///< the QEMU that was asked and that counted boots run, absolute
    int api = 0;                   ///< QEMU's plugin API version, qemu_plugin_version of its own
    int claim = 0;                 ///< the version that the counter has to claim there
    bool exact_lines =
        false;  ///< the count at each console line is exact; else it is read as lines arrive, or exact at the functions that System.map names
};

/// What stands in the way of counting, for the remedy.
enum class CounterObstacle { NONE, NO_QEMU, NO_COUNTER, NO_PLUGINS, UNKNOWN_API };

/// Whether instructions can be counted on this machine.
struct CounterSupport {
    std::optional<Counting> counting;
    CounterObstacle obstacle = CounterObstacle::NONE;
    std::string unavailable;  ///< the reason as half a sentence, empty if `counting` is there
};

/// Asks the QEMU that boots would use (`qemu`, empty: libguestfs's own choice) for its plugin API. Starts no guest. The counter is tried from a copy in
/// `place`, an existing directory that the account can enter, because one may be mounted noexec. What is missing is said in the result; throws Cancelled only.
CounterSupport probe_counter(
    const std::filesystem::path & qemu,
    const std::filesystem::path & place,
    const common::Account & account,
    std::stop_token stop);

/// For the report: "QEMU plugin API 1, counts at the kernel's own functions, elsewhere as lines arrive, -icount shift=0,sleep=on", or "unavailable: …" with the reason.
std::string describe(const CounterSupport & support);

/// A counted boot may take this many times as long as a timed one before it is ended: icount costs up to 1.8 times the CPU time, and counted boots may
/// run side by side.
inline constexpr int COUNTED_PATIENCE = 3;

/// Limits and settings of every boot of a run (the policy's `boot`).
struct Settings {
    std::chrono::milliseconds timeout{
        600000};  ///< bounds the whole tool from outside; times COUNTED_PATIENCE for counted boots
    std::chrono::milliseconds stall{180000};  ///< no console output for so long; likewise
    std::uint64_t memory_bytes = std::uint64_t{1280} << 20U;
    std::string append;                ///< extra kernel command line
    std::filesystem::path qemu;        ///< the QEMU to boot with; empty: libguestfs's own choice
    std::optional<Counting> counting;  ///< needed for counted boots
};

/// Which boot of its variant this is.
struct Turn {
    int index = 0;
    Mode mode = Mode::TIMED;
    bool warmup = false;
};

/// One variant ready to boot: its tree, its private appliance cache, the account.
struct Bootable {
    kernel::BootTree tree;
    std::filesystem::path cache;  ///< private to this tree's content; owned by the account
    std::filesystem::path
        temporary;  ///< TMPDIR of each boot, owned by the account, short (a UNIX socket's name must fit into 108 bytes)
    std::filesystem::path home;  ///< HOME, owned by the account
    std::filesystem::path
        counter;  ///< for the files of counted boots; owned by this process, open for the account to enter
    common::Account account;
};

/// The whole environment that the test tool gets: all five kernel-choice variables, force_tcg, LIBGUESTFS_HV if a QEMU is given, and nothing of the
/// caller's. In a counted boot LIBGUESTFS_HV is a wrapper of that boot's instead.
std::map<std::string, std::string> boot_environment(const Bootable & bootable, const Settings & settings);

/// True if libguestfs can make its UNIX sockets below `temporary`: sun_path holds 108 bytes (unix(7)). It would make them in /tmp otherwise.
bool fits_sockets(const std::filesystem::path & temporary);

/// Boots once. The console log is written to `log` while it comes. A failed boot is a Sample with its outcome, not an exception;
/// SystemError only if the log or a counted boot's files cannot be written or the test tool is not installed; Cancelled on stop. `on_phase` is told when a
/// phase begins (for progress). A counted boot runs under icount, and with nokaslr where its kernel would choose its place by chance. It needs `settings.counting` (BugError); it is valid only if its launch was counted.
/// Boots of different Bootables may run in several threads at once.
Sample boot_once(
    const Bootable & bootable,
    const Settings & settings,
    const std::filesystem::path & log,
    const Turn & turn,
    const std::function<void(Phase)> & on_phase,
    std::stop_token stop);

/// What the machine's tools are and say of themselves; fingerprint left empty. `qemu` as in Settings.
Environment probe_environment(
    const std::filesystem::path & qemu, const common::Account & account, std::stop_token stop);

/// SHA-256 over all that a boot's counts depend on but its kernel: the versions of QEMU, libguestfs and supermin, the machine, CPU model, memory and processors,
/// every firmware file, -icount (also where only timed boots were made), the appliance's packages, and the guest's command line without the root UUID and with
/// lpj= without its number. `sample` is any valid sample of the run, timed or counted. `appliance_packages`: digest of what supermin put into the appliance.
std::string fingerprint(const Environment & environment, const Sample & sample, const std::string & appliance_packages);

/// A digest of the appliance's content other than the kernel: supermin.d's files and the versions of the host's packages it names (or the built appliance's file list). Empty if it cannot be known.
std::string appliance_digest(const std::filesystem::path & cache);

}  // namespace bootbudget::boot
