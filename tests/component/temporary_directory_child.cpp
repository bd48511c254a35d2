// SPDX-License-Identifier: GPL-2.0-or-later
// A program for tests that need a second owner of temporary directories.
// temporary_directory_child BASE own       makes one, prints its path, sleeps
// temporary_directory_child BASE run       the same, with a program below run() that ignores SIGTERM; it has BASE in its command line
// temporary_directory_child BASE make N    makes N, one after the other; fails if one is gone while it is in use
// temporary_directory_child BASE sweep     removes stale ones until killed
#include "common/process.hpp"
#include "common/temporary_directory.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

int main(int argc, char ** argv) {
    namespace common = bootbudget::common;
    if (argc < 3) {
        return 64;
    }
    const std::string mode = argv[2];
    if (mode == "own" || mode == "run") {
        const common::TemporaryDirectory directory(argv[1]);
        std::printf("%s\n", directory.path().c_str());
        std::fflush(stdout);
        common::Command command;
        command.argv = {"/bin/sh", "-c", "trap '' TERM; sleep 1000; sleep 1000", argv[1]};
        command.environment = common::plain_environment();
        if (mode == "run") {
            common::run(command, {}, {}, std::chrono::milliseconds(1500));
        }
        pause();
    } else if (mode == "make" && argc > 3) {
        for (int left = std::atoi(argv[3]); left > 0; --left) {
            const common::TemporaryDirectory directory(argv[1]);
            std::ofstream(directory.path() / "file") << "x";
            if (!std::ifstream(directory.path() / "file")) {
                return 1;
            }
        }
    } else if (mode == "sweep") {
        for (;;) {
            common::remove_stale(argv[1]);
        }
    }
    return 0;
}
