// SPDX-License-Identifier: GPL-2.0-or-later
// bootbudget build: the variants of one source package, as a directory that check takes.
#include "common/file.hpp"
#include "progress.hpp"
#include "subcommand.hpp"
#include "usage.hpp"
#include "variants/engine.hpp"
#include "variants/switches.hpp"

#include <fmt/format.h>

#include <memory>

namespace bootbudget::cli {

namespace {

struct Options {
    variants::BuildRequest request;
    std::vector<std::string> variants;
    std::vector<std::string> with;
    std::vector<std::string> without;
    std::vector<std::string> defines;
    bool nodeps = false;
    bool json = false;
};

std::string to_text(const variants::BuildResult & result) {
    std::string text;
    for (const auto & variant : result.variants) {
        text += fmt::format("{}: {} packages in {:.0f} s\n", variant.name, variant.packages.size(), variant.seconds);
        for (const auto & package : variant.packages) {
            text += fmt::format("  {}\n", package);
        }
    }
    return text +
           fmt::format("Written to {}; next: bootbudget check '{}'\n", result.output.string(), result.output.string());
}

void run(Options & options, Surroundings & surroundings) {
    auto & request = options.request;
    request.check_dependencies = !options.nodeps;
    for (const auto & text : options.variants) {
        request.variants.push_back(variants::parse_variant(text));
    }
    if (request.variants.empty()) {
        request.variants.push_back({"all", {}});
    }
    for (auto & variant : request.variants) {
        auto & switches = variant.switches;
        switches.with.insert(switches.with.end(), options.with.begin(), options.with.end());
        switches.without.insert(switches.without.end(), options.without.begin(), options.without.end());
        for (const auto & define : options.defines) {
            switches.defines.insert(variants::parse_define(define));
        }
    }
    auto progress = make_progress(surroundings.quiet);
    const auto result = variants::build(request, *progress, surroundings.stop);
    progress.reset();
    print(options.json ? common::read_file(result.output / "manifest.json", std::size_t{16} << 20U) : to_text(result));
}

}  // namespace

void add_build(CLI::App & app, Surroundings & surroundings) {
    auto options = std::make_shared<Options>();
    auto & request = options->request;
    request.output = "RPMS";
    auto * command = app.add_subcommand("build", "Build a kernel package's variants with rpmbuild");
    command->add_option("SOURCE", request.source, "A .spec or a .src.rpm")->required();
    command->add_option("-o,--output", request.output, "Directory for the RPMs, manifest.json and the build logs")
        ->capture_default_str();
    command->add_option(
        "--variant",
        options->variants,
        "One rpmbuild run: NAME:with=X,without=Y (may be repeated; default: one run with the spec's defaults)");
    command->add_option("--with", options->with, "rpmbuild's --with, for every run");
    command->add_option("--without", options->without, "rpmbuild's --without, for every run");
    command->add_option("--define", options->defines, "rpmbuild's --define 'NAME VALUE', for every run");
    command->add_option(
        "--source-dir", request.source_directories, "Where else a spec's sources are looked up (may be repeated)");
    command->add_option("--work-dir", request.work_directory, "Where to build (default: $TMPDIR, else /var/tmp)");
    command->add_option(
        "-j,--jobs", request.jobs, "Compiler processes at once (default and most: the number of processors)");
    command->add_flag("--nodeps", options->nodeps, "Do not ask rpm whether build dependencies are installed");
    command->add_flag("--keep-work", request.keep_work, "Leave the build directory for a look");
    command->add_flag("--json", options->json, "Print the manifest as JSON");
    command->footer(
        std::string("Examples:\n"
                    "  bootbudget build kernel.spec                      both variants by the spec's own switches\n"
                    "  bootbudget build kernel.src.rpm --without debug   only the non-debug variant\n"
                    "  bootbudget build kernel.spec --variant debug:with=dbgonly --variant nodebug:without=debug\n\n"
                    "Exit status: 0 built, 2 the source does not build or the request is wrong, 3 the machine cannot "
                    "build it,\n"
                    "128 + N stopped by signal N.") +
        COMMON_OPTIONS);
    command->callback([options, &surroundings] { run(*options, surroundings); });
}

}  // namespace bootbudget::cli
