// SPDX-License-Identifier: GPL-2.0-or-later
// The tools are asked what they are and what they have. None of that is needed to boot, so that no answer is an answer.
#include "boot/answer.hpp"

#include "common/process.hpp"

#include <bootbudget/error.hpp>

namespace bootbudget::boot {

std::string answer_of(std::vector<std::string> argv, const common::Account & account, std::stop_token stop) {
    common::Command command;
    command.argv = std::move(argv);
    command.environment = common::plain_environment();
    command.account = account;
    try {
        return common::capture(command, std::move(stop), std::chrono::seconds(30)).output;
    } catch (const SystemError &) {
        return "";
    }
}

}  // namespace bootbudget::boot
