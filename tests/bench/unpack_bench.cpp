// SPDX-License-Identifier: GPL-2.0-or-later
// Unpacks all of a package as a check does: one run of what tests/bench/unpack measures.
#include "packages/package_header.hpp"
#include "packages/payload.hpp"

#include <bootbudget/error.hpp>

#include <iostream>
#include <string>

int main(int argc, char ** argv) {
    using namespace bootbudget;
    const std::string what = argc == 4 ? argv[1] : "";
    if (what != "unpack" && what != "verify") {
        std::cerr << "usage: unpack_bench unpack|verify PACKAGE DIRECTORY\n"
                     "  unpack  check the header, unpack, check the digest of each file\n"
                     "  verify  check header and payload and compute the file's SHA-256, then the same\n";
        return 2;
    }
    try {
        const packages::RpmFile package =
            what == "verify" ? packages::read_rpm(argv[2]) : packages::read_header(argv[2]).package;
        packages::unpack(package, argv[3], [](std::string_view) { return true; }, {}, {});
    } catch (const Error & error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
    return 0;
}
