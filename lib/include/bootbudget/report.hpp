// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bootbudget/sample.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bootbudget {

/// What a budget, and a whole check, came to.
enum class Verdict { SKIPPED, PASS, WARN, INCONCLUSIVE, ERROR, FAIL };

/// "skipped", "pass", "warn", "inconclusive", "error", "fail".
BOOTBUDGET_API std::string_view to_string(Verdict verdict) noexcept;

/// The worse of two: fail > error > inconclusive > warn > pass > skipped.
BOOTBUDGET_API Verdict worse(Verdict a, Verdict b) noexcept;

/// What a configuration makes a kernel; UNKNOWN where no configuration could be read.
enum class Kind { UNKNOWN, NODEBUG, DEBUG };
BOOTBUDGET_API std::string_view to_string(Kind kind) noexcept;

/// One RPM that took part in a build under test.
struct PackageUse {
    std::string nevra;
    std::string sha256;     ///< of the whole file, lower-case hex
    std::string signature;  ///< "not checked", "unsigned", or "good: FINGERPRINT (user ID)" of the key
};

enum class BuildRole { SUBJECT, AGAINST };
BOOTBUDGET_API std::string_view to_string(BuildRole role) noexcept;

struct Build {
    BuildRole role = BuildRole::SUBJECT;
    std::string where;  ///< as the user gave it
    std::string nvr;    ///< of the source package; empty for a tree
    std::vector<PackageUse> packages;
};

/// A summary of one metric over a variant's valid samples.
struct Summary {
    Unit unit = Unit::SECONDS;
    int n = 0;
    double mean = 0;
    double sd = 0;  ///< with n - 1; 0 for n = 1
    double min = 0;
    double median = 0;
    std::optional<double>
        interval_low;  ///< two-sided interval of the mean at the policy's confidence; absent for n = 1
    std::optional<double> interval_high;
};

/// One option in which two configurations differ.
struct ConfigDifference {
    std::string option;   ///< "CONFIG_PROVE_LOCKING"
    std::string value;    ///< in this variant: "y", "m", "n" (also for an option that is absent), a number or a string
    std::string against;  ///< in the peer
    bool decides_kind = false;  ///< is in the list of options that make a kernel "debug"
};

struct Variant {
    std::string name;  ///< of the policy's variant; empty for a kernel that the policy does not measure
    BuildRole build = BuildRole::SUBJECT;
    std::string release;  ///< uname -r
    std::string arch;
    Kind kind = Kind::UNKNOWN;
    std::string flavour;           ///< "base", "rt", "64k", …
    std::vector<std::string> why;  ///< why this kind, and why it is (not) measured; one sentence each
    std::string not_booted;        ///< why it could not be booted, empty if it could
    std::string peer;              ///< release that config_differs compares with, empty if none
    std::vector<ConfigDifference> config_differs;
    std::map<std::string, std::string>
        variables;  ///< the whole environment of the test tool in its boots; empty if it was not booted
    std::vector<Sample> samples;
    std::map<std::string, Summary> summary;  ///< by metric name
};

struct Waiver {
    std::string until;  ///< YYYY-MM-DD, inclusive, UTC
    std::string reason;
};

/// One budget applied to one variant.
struct BudgetResult {
    std::string name;
    std::string variant;
    std::string metric;
    std::string baseline;  ///< in words: "variant nodebug", "build against"; empty for an absolute limit
    Quantity limit;
    std::string on_exceed;           ///< "fail" or "warn"
    std::optional<double> estimate;  ///< in the limit's unit
    std::optional<double> interval_low;
    std::optional<double> interval_high;
    bool predicted = false;
    Verdict verdict = Verdict::SKIPPED;
    std::string why;  ///< one sentence
    std::optional<Waiver> waived;
};

/// A finding with where it was seen and what the policy makes of it.
struct ReportedFinding {
    Finding finding;
    std::string variant;
    std::string release;
    int sample = 0;
    std::string consequence;               ///< "fail", "warn" or "note"
    int count = 1;                         ///< boots of this variant that showed it
    BuildRole build = BuildRole::SUBJECT;  ///< of the kernel that showed it
};

struct Environment {
    std::string fingerprint;  ///< lower-case hex SHA-256 over what a boot's numbers depend on, see docs/report.md
    std::string arch;
    std::string qemu;
    std::string libguestfs;
    std::string supermin;
    std::string qemu_command;
    std::string guest_command_line;
    std::string
        counter;  ///< how guest instructions were counted; "unavailable: …" with the reason; empty if nobody asked
    std::map<std::string, std::string> host;       ///< kernel, cpu, cpus, memory, os, account
    std::map<std::string, std::string> variables;  ///< environment variables set for the test tool
};

/// In which order the boots were made.
struct SamplingUse {
    std::uint64_t seed = 0;  ///< of the shuffled order; --seed repeats it
    int jobs = 1;            ///< counted boots side by side, at most
};

struct PolicyUse {
    std::string file;
    std::string sha256;  ///< of text
    std::string text;    ///< after includes
};

/// The whole result of a check; docs/report.md describes its JSON form "bootbudget-report/1".
struct Report {
    std::string tool_version;
    std::string started;  ///< RFC 3339, UTC
    std::string finished;
    Verdict verdict = Verdict::SKIPPED;
    int exit_status = 0;
    std::vector<Build> builds;
    PolicyUse policy;
    Environment environment;
    SamplingUse sampling;
    std::vector<Variant> variants;
    std::vector<BudgetResult> budgets;
    std::vector<ReportedFinding> findings;
    std::vector<std::string> notes;
};

}  // namespace bootbudget
