// SPDX-License-Identifier: GPL-2.0-or-later
// All that a check does with a repository before it downloads a package: reads the index, checks and reads the metadata, keeps them for the next time, chooses and
// solves. Prints the boot sets.   usage: load_repository URL CACHE
#include "packages/where.hpp"

#include <bootbudget/error.hpp>

#include <cstdio>

namespace {

class Silent : public bootbudget::Progress {
public:
    void step(const std::string & /*line*/) override {}
    void advance(double /*done*/, double /*total*/, double /*seconds_left*/) override {}
    void warn(const std::string & line) override { std::fprintf(stderr, "%s\n", line.c_str()); }
};

}  // namespace

int main(int argc, char ** argv) {
    if (argc != 3) {
        std::fputs("usage: load_repository URL CACHE\n", stderr);
        return 2;
    }
    try {
        Silent progress;
        const auto build = bootbudget::packages::find_build({argv[1], {}, argv[2]}, progress, {});
        for (const auto & kernel : build.kernels) {
            std::printf("%s:", kernel.release.c_str());
            for (const auto & package : kernel.boot_set) {
                std::printf(" %s", package.nevra.c_str());
            }
            std::printf("%s\n", kernel.not_bootable.c_str());
        }
        return 0;
    } catch (const bootbudget::Error & error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 3;
    }
}
