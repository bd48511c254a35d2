// SPDX-License-Identifier: GPL-2.0-or-later
// The build from the request to the output directory: lay out the source, ask it what it needs, run rpmbuild once per variant in the same work
// directory, pool the packages, write down what was done. A run that fails ends the whole: half a set of variants cannot be compared.
#include "variants/engine.hpp"

#include "common/digest.hpp"
#include "common/machine.hpp"
#include "common/temporary_directory.hpp"
#include "common/units.hpp"
#include "variants/build_log.hpp"
#include "variants/build_progress.hpp"
#include "variants/built_packages.hpp"
#include "variants/manifest.hpp"
#include "variants/output.hpp"
#include "variants/rpmbuild.hpp"
#include "variants/sources.hpp"
#include "variants/workspace.hpp"

#include <bootbudget/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <set>

namespace bootbudget::variants {

namespace fs = std::filesystem;

namespace {

int jobs_for(int wanted, Progress & progress) {
    const int processors = common::processors();
    if (wanted < 0) {
        throw UserError(
            fmt::format("{} jobs cannot be run: give a number of jobs, or 0 for one per processor.", wanted));
    }
    if (wanted > processors) {
        progress.warn(fmt::format(
            "{} jobs were asked for, but there are {} processor{}: {} are used.",
            wanted,
            processors,
            processors == 1 ? "" : "s",
            processors));
    }
    return wanted == 0 ? processors : std::min(wanted, processors);
}

/// rpm takes any switch and ignores those that a spec does not know, so a typing error would build the wrong variant in silence.
void warn_of_unknown_switches(const fs::path & spec, const std::vector<VariantBuild> & variants, Progress & progress) {
    std::ifstream file(spec, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    for (const VariantBuild & variant : variants) {
        for (const auto * names : {&variant.switches.with, &variant.switches.without}) {
            for (const std::string & name : *names) {
                if (text.find(name) == std::string::npos) {
                    progress.warn(fmt::format(
                        "The spec {} does not mention the switch \"{}\" of the variant \"{}\"; it may have no effect.",
                        spec.filename().string(),
                        name,
                        variant.name));
                }
            }
        }
    }
}

/// Leaves the work directory where it is, however the build ends, if that was asked for.
class KeptWork {
public:
    KeptWork(Workspace & workspace, bool wanted, Progress & progress)
        : workspace_(workspace), wanted_(wanted), progress_(progress) {}
    ~KeptWork() {
        if (wanted_) {
            const std::string path = workspace_.keep().string();
            try {
                progress_.step("the work directory is kept: " + path);
            } catch (...) {  // a destructor may not throw; the directory was named at the start as well
            }
        }
    }
    KeptWork(const KeptWork &) = delete;
    KeptWork & operator=(const KeptWork &) = delete;

private:
    Workspace & workspace_;
    bool wanted_;
    Progress & progress_;
};

/// Why a run failed, in the words of whatever failed in it.
[[noreturn]] void throw_failure(
    const StagedSource & staged,
    const std::string & variant,
    const BuildLog & log,
    const common::ProcessEnd & end,
    const fs::path & kept_log) {
    const Failure & failure = log.failure();
    std::string message = fmt::format(
        "The variant \"{}\" of {} could not be built: rpmbuild {}{}.",
        variant,
        staged.file,
        end.signal != 0 ? fmt::format("was ended by signal {}", end.signal)
                        : fmt::format("ended with status {}", end.exit_status),
        log.stage().empty() ? "" : fmt::format(" in {}", log.stage()));
    message += " Its log says:";
    for (const std::string & line : failure.lines(20)) {
        message += "\n  " + line;
    }
    message += fmt::format("\nThe whole log is \"{}\".", kept_log.string());
    if (failure.is_out_of_space()) {
        throw SystemError(
            message + " There was no space left: free some, or choose another work directory with --work-dir.");
    }
    if (failure.lacks_dependencies()) {
        message += " Install what is missing (\"dnf builddep\" does it), or build without this check with --nodeps.";
    }
    throw UserError(message);
}

}  // namespace

BuildResult build(const BuildRequest & request, Progress & progress, std::stop_token stop) {
    std::vector<VariantBuild> variants = request.variants;
    if (variants.empty()) {
        variants.push_back({"all", {}});
    }
    check_variants(variants);
    const int jobs = jobs_for(request.jobs, progress);
    Output output(request.output);
    Workspace workspace(request.work_directory, jobs, progress);
    const KeptWork kept_work(workspace, request.keep_work, progress);
    common::remove_stale(workspace.top().parent_path());

    Manifest manifest;
    manifest.started = common::utc_now();
    manifest.jobs = jobs;
    manifest.rpmbuild = rpmbuild_version(workspace, stop);

    const StagedSource staged = stage(request.source, request.source_directories, workspace, stop);
    manifest.source = {staged.file, staged.sha256};
    std::set<std::string> sources;
    for (const VariantBuild & variant : variants) {
        sources.merge(sources_of(staged, variant.switches, workspace, stop));
    }
    require_sources(staged, sources, workspace);
    for (const std::string & name : sources) {
        manifest.sources.push_back({name, common::sha256_of_file(workspace.sources() / name)});
    }
    warn_of_unknown_switches(staged.spec, variants, progress);
    progress.step(
        fmt::format("building in {}, following logs in {}", workspace.top().string(), output.path().string()));

    BuildProgress build_progress(progress, variants.size());
    PackagePool pool(output.path(), workspace);
    for (const VariantBuild & variant : variants) {
        const std::string log_file = variant.name + ".log";
        BuildLog log(output.path() / log_file, [&](const std::string & stage) { build_progress.stage(stage); });
        workspace.clear_build();
        build_progress.begin(variant.name, to_text(variant.switches));
        const common::ProcessEnd end =
            run_rpmbuild(staged, variant.switches, request.check_dependencies, workspace, log, build_progress, stop);
        if (end.signal != 0 || end.exit_status != 0) {
            throw_failure(staged, variant.name, log, end, output.keep_failed_log(log_file));
        }
        ManifestVariant built{variant.name, variant.switches, pool.take(variant.name, stop), end.seconds, log_file};
        if (built.packages.empty()) {
            throw UserError(fmt::format(
                "The variant \"{}\" of {} has no packages: with {} its spec builds nothing. The whole log is \"{}\".",
                variant.name,
                staged.file,
                to_text(variant.switches),
                output.keep_failed_log(log_file).string()));
        }
        for (const BuiltPackage & package : built.packages) {
            if (!package.same_contents) {
                progress.warn(fmt::format(
                    "The variants \"{}\" and \"{}\" both build {}, not quite the same; that of \"{}\" is kept.",
                    package.kept_from,
                    variant.name,
                    package.file,
                    package.kept_from));
            }
        }
        build_progress.end(end.seconds, built.packages.size(), log.lines());
        manifest.variants.push_back(std::move(built));
    }
    manifest.finished = common::utc_now();

    std::ofstream file(output.path() / MANIFEST_FILE, std::ios::binary);
    file << to_json(manifest);
    file.close();
    if (!file) {
        throw SystemError(
            fmt::format("cannot write \"{}\"", (output.path() / MANIFEST_FILE).string()), errno != 0 ? errno : EIO);
    }
    output.commit();

    BuildResult result{output.final_path(), staged.file, staged.sha256, manifest.rpmbuild, {}};
    for (const ManifestVariant & variant : manifest.variants) {
        BuiltVariant built{variant.name, variant.switches, {}, variant.seconds, variant.log};
        for (const BuiltPackage & package : variant.packages) {
            if (package.kept_from.empty()) {
                built.packages.push_back(package.file);
            }
        }
        result.variants.push_back(std::move(built));
    }
    return result;
}

}  // namespace bootbudget::variants
