// SPDX-License-Identifier: GPL-2.0-or-later
// Results go to standard output and nowhere else. A reader that has gone away (head, a closed pager) is no failure; a full disk behind a redirection is.
#include "subcommand.hpp"

#include <unistd.h>
#include <bootbudget/error.hpp>

#include <cerrno>

namespace bootbudget::cli {

void print(const std::string & text) {
    std::size_t written = 0;
    while (written < text.size()) {
        const auto n = ::write(STDOUT_FILENO, text.data() + written, text.size() - written);
        if (n >= 0) {
            written += static_cast<std::size_t>(n);
        } else if (errno == EPIPE) {
            return;
        } else if (errno != EINTR) {
            throw SystemError("cannot write to the standard output", errno);
        }
    }
}

}  // namespace bootbudget::cli
