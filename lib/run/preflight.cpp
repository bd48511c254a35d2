// SPDX-License-Identifier: GPL-2.0-or-later
// A boot by an account that cannot enter the work directory ends as an error of some tool deep inside; asked first, it is one sentence.
#include "run/preflight.hpp"

#include "boot/test_tool.hpp"
#include "common/process.hpp"

#include <fmt/format.h>
#include <bootbudget/error.hpp>

namespace bootbudget::run {

void require_means(const std::filesystem::path & work, const common::Account & account, std::stop_token stop) {
    boot::find_test_tool(common::plain_environment().at("PATH"));
    common::Command command;
    command.argv = {"test", "-x", work.string()};
    command.environment = common::plain_environment();
    command.account = account;
    const auto end = common::capture(command, std::move(stop)).end;
    if (end.signal != 0 || end.exit_status != 0) {
        throw SystemError(fmt::format(
            "The boots run as {}, who cannot enter the work directory {}; choose one that others can enter with "
            "--work-dir, such as /var/tmp, or another account with --user.",
            account.name,
            work.parent_path().string()));
    }
}

}  // namespace bootbudget::run
