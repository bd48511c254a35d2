// SPDX-License-Identifier: GPL-2.0-or-later
// The command: reads its arguments, calls the library, shows the result.
#include <CLI/CLI.hpp>

int main(int argc, char ** argv) {
    CLI::App app("Boot-time budgets for freshly built kernels", "bootbudget");
    app.set_version_flag("--version", "bootbudget " BOOTBUDGET_VERSION);
    CLI11_PARSE(app, argc, argv);
    return 0;
}
