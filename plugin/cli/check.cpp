// SPDX-License-Identifier: GPL-2.0-or-later
// bootbudget check: the main job.
#include <bootbudget/check.hpp>

#include "progress.hpp"
#include "report/writers.hpp"
#include "subcommand.hpp"
#include "usage.hpp"

#include <unistd.h>

#include <cstdint>
#include <limits>
#include <memory>

namespace bootbudget::cli {

namespace {

struct Options {
    Request request;
    std::string policy = "developer";
    bool dry_run = false;
    bool json = false;
};

void run(Options & options, Surroundings & surroundings) {
    options.request.policy = find_policy(options.policy);
    const auto style = style_for(STDOUT_FILENO, surroundings.colour);
    auto progress = make_progress(surroundings.quiet);
    if (options.dry_run) {
        const auto made = plan(options.request, *progress, surroundings.stop);
        progress.reset();
        print(options.json ? report::to_json(made) : report::to_text(made, style));
        return;
    }
    const auto made = check(options.request, *progress, surroundings.stop);
    progress.reset();
    print(options.json ? report::to_json(made) : report::to_text(made, style));
    surroundings.exit_status = made.exit_status;
}

}  // namespace

void add_check(CLI::App & app, Surroundings & surroundings) {
    auto options = std::make_shared<Options>();
    options->request.output = "bootbudget-report";
    auto * command = app.add_subcommand("check", "Boot each kernel under software emulation and judge it by a policy");
    command
        ->add_option(
            "WHERE",
            options->request.where,
            "A directory of RPMs, the URL of a repository (https, http, file), tree:DIR for an unpacked tree or "
            "buildroot, or installed for this machine's kernel")
        ->required();
    command->add_option(
        "--select",
        options->request.select,
        "Which one, where WHERE has several: a build (NVR of the source package), a source package (its newest build), "
        "or for tree:DIR and installed a release (uname -r)");
    auto * against = command->add_option(
        "--against",
        options->request.against,
        "A second build, such as the last good one, booted in turn with the first; forms as WHERE");
    command->add_option("--select-against", options->request.select_against, "As --select, for --against")
        ->needs(against);
    command->add_option(
        "--cache",
        options->request.cache,
        "Where downloads are kept for the next time (default: ~/.cache/bootbudget, for root /var/cache/bootbudget)");
    command->add_option(
        "--keyring",
        options->request.keyring,
        "Demand that every package has a good signature by one of the public keys in this directory");
    command->add_option("-p,--policy", options->policy, "Policy file, or the name of a ready policy")
        ->capture_default_str();
    command
        ->add_option(
            "-o,--output", options->request.output, "Directory for report.json, report.txt, junit.xml and logs/")
        ->capture_default_str();
    command->add_option(
        "--work-dir",
        options->request.work_directory,
        "Where boot trees are unpacked (default: $TMPDIR, else /var/tmp)");
    command->add_option(
        "--user",
        options->request.user,
        "Account for the boots when started as root (default: $SUDO_UID, else nobody)");
    command->add_option("--qemu", options->request.qemu, "The QEMU to boot with (default: libguestfs's own choice)");
    command->add_option("--seed", options->request.seed, "Repeat the order of the boots of an earlier report")
        ->check(CLI::Range(std::uint64_t{1}, std::numeric_limits<std::uint64_t>::max()));
    command->add_flag("-n,--dry-run", options->dry_run, "Only say what would be booted and why");
    command->add_flag("--keep-work", options->request.keep_work, "Leave the boot trees for a look");
    command->add_flag("--json", options->json, "Print the report (or the plan) as JSON");
    command->footer(
        std::string("Examples:\n"
                    "  bootbudget check RPMS/                          with the developer's policy\n"
                    "  bootbudget check RPMS/ -p policy.yaml -o out    with yours; the report goes to out/\n"
                    "  bootbudget check tree:/path/to/buildroot -p policy.yaml\n"
                    "  bootbudget check https://example.org/repo/      the newest kernel of a repository\n"
                    "  bootbudget check https://example.org/repo/ --select kernel-6.17.4-300.fc43\n"
                    "  bootbudget check installed                      the kernel that runs on this machine\n"
                    "  bootbudget check RPMS/ --against last-good/     each kernel beside its predecessor, in one run\n"
                    "  bootbudget check RPMS/ --dry-run                what would be booted, and how often\n\n"
                    "Exit status: 0 within budget (warnings included), 1 over budget, 2 wrong usage or policy,\n"
                    "3 could not measure, 4 inconclusive where the policy says fail, 128 + N stopped by signal N.") +
        COMMON_OPTIONS);
    command->callback([options, &surroundings] { run(*options, surroundings); });
}

}  // namespace bootbudget::cli
