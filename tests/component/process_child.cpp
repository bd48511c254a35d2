// SPDX-License-Identifier: GPL-2.0-or-later
// A program for tests that have to kill one of our own processes: runs a shell script below run() and passes its output on to stdout.
// process_child SCRIPT [GRACE_MS]
#include "common/process.hpp"

#include <bootbudget/error.hpp>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

int main(int argc, char ** argv) {
    namespace common = bootbudget::common;
    if (argc < 2) {
        return 64;
    }
    common::Command command;
    command.argv = {"/bin/sh", "-c", argv[1]};
    command.environment = common::plain_environment();
    command.cpu_group = true;
    common::Watch watch;
    watch.on_output = [](std::string_view bytes, common::Clock::time_point) {
        std::fwrite(bytes.data(), 1, bytes.size(), stdout);
        std::fflush(stdout);
    };
    try {
        const auto grace = std::chrono::milliseconds(argc > 2 ? std::atoi(argv[2]) : 2000);
        return common::run(command, watch, {}, grace).exit_status;
    } catch (const bootbudget::Error & error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 3;
    }
}
