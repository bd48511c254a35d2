// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bootbudget/progress.hpp>
#include <bootbudget/report.hpp>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace bootbudget {

/// What to check, by which policy.
struct Request {
    std::string where;    ///< a directory of RPMs, a repository's URL (https, http, file), "tree:DIR" or "installed"
    std::string select;   ///< which of several builds (NVR or source package) or kernels (release) at `where`
    std::string against;  ///< a second build, booted in turn with the first; same forms as `where`, empty: none
    std::string select_against;   ///< as `select`, at `against`
    std::filesystem::path cache;  ///< for what is downloaded; empty: this account's own (below ~/.cache)
    std::filesystem::path
        keyring;  ///< directory of OpenPGP public keys, one of which must have signed each package; empty: no signature is checked
    std::filesystem::path policy;  ///< bootbudget-policy/1
    std::filesystem::path
        output;  ///< directory for the report and the logs; must not exist yet, or be an earlier output
    std::filesystem::path work_directory;  ///< for boot trees and appliances; empty: $TMPDIR, else /var/tmp
    std::string user;                   ///< account for the boots when started as root; empty: SUDO_UID, else "nobody"
    bool keep_work = false;             ///< leave the boot trees for a look
    std::filesystem::path qemu;         ///< the QEMU to boot with; empty: libguestfs's own choice
    std::optional<std::uint64_t> seed;  ///< of the order of the boots, to repeat a run's order; absent: a new one
};

/// One kernel of the plan.
struct PlannedVariant {
    std::string name;  ///< policy's variant; empty when not measured
    BuildRole build = BuildRole::SUBJECT;
    std::string release;
    std::string arch;
    Kind kind = Kind::UNKNOWN;
    std::string flavour;
    std::vector<std::string> packages;  ///< NEVRAs of its boot set
    std::vector<std::string> why;
    std::string not_booted;  ///< why it is not booted; empty if it is
    int warmup_boots = 0;
    int boots_min = 0;  ///< timed boots; 0 if its budgets need none
    int boots_max = 0;
    int counted_min = 0;  ///< counted boots; 0 if its budgets need none
    int counted_max = 0;
};

/// What check() would do; for --dry-run.
struct Plan {
    std::string where;
    std::string policy;
    std::vector<PlannedVariant> variants;
    int counted_jobs = 1;             ///< counted boots side by side, at most
    double expected_seconds_min = 0;  ///< a rough guess from typical boots of this kind
    double expected_seconds_max = 0;
    std::vector<std::string> notes;
};

/// Reads the packages and the policy, boots nothing. Throws UserError for a mistake in either.
BOOTBUDGET_API Plan plan(const Request & request, Progress & progress, std::stop_token stop = {});

/// Boots each variant of the build at `request.where` as the policy says, judges, and writes the report directory (report.json,
/// report.txt, junit.xml, logs/) under a temporary name that is renamed when complete.
///
/// A boot that fails is a result, not an exception. Throws UserError (nothing was booted: bad policy, damaged packages, …), SystemError (no
/// report could be made) or Cancelled (no report, nothing left behind).
BOOTBUDGET_API Report check(const Request & request, Progress & progress, std::stop_token stop = {});

}  // namespace bootbudget
