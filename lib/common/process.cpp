// SPDX-License-Identifier: GPL-2.0-or-later
// The loop around a running program: its output to the watch, the watch's and the stop token's orders to the supervisor. It ends when the supervisor
// says that nobody is left, and not when the pipe does: a daemon can keep that open.
#include "common/process.hpp"

#include "common/descriptor.hpp"
#include "common/running.hpp"

#include <bootbudget/error.hpp>

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>

namespace bootbudget::common {

ProcessEnd run(const Command & command, const Watch & watch, std::stop_token stop, std::chrono::milliseconds grace) {
    if (stop.stop_requested()) {
        ProcessEnd never_started;
        never_started.signal = SIGTERM;
        never_started.stopped = true;
        never_started.cancelled = true;
        return never_started;
    }
    const Descriptor stop_event(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!stop_event) {
        throw SystemError(
            fmt::format("cannot watch over {}", command.argv.empty() ? "nothing" : command.argv.front()), errno);
    }
    const std::stop_callback on_stop(stop, [&] {
        const std::uint64_t one = 1;
        [[maybe_unused]] const ssize_t written = write(stop_event.number(), &one, sizeof one);
    });

    Running running(command, grace);
    const Tree tree = running.tree();
    bool stopped = false;
    bool cancelled = false;
    while (!running.finished()) {
        std::array<pollfd, 3> polled{{
            {running.output(), POLLIN, 0},
            {running.status(), POLLIN, 0},
            {stopped || running.program_ended() ? -1 : stop_event.number(), POLLIN, 0},
        }};
        poll(polled.data(), polled.size(), static_cast<int>(TICK.count()));
        constexpr int PIECES = 16;  // then the others have their turn, however much there is
        running.read_output(PIECES, watch.on_output);
        running.read_message();
        if (running.program_ended() || stopped) {
            continue;
        }
        cancelled = stop.stop_requested();
        stopped = cancelled || (watch.go_on && !watch.go_on(Clock::now(), tree));
        if (stopped) {
            running.end();
        }
    }
    constexpr int WHOLE_PIPE =
        64;  // a pipe holds a megabyte at most, unless root raised that, and nobody of the tree writes any more
    running.read_output(WHOLE_PIPE, watch.on_output);
    ProcessEnd end = running.result();
    end.stopped = stopped;
    end.cancelled = cancelled;
    return end;
}

}  // namespace bootbudget::common
