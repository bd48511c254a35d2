// SPDX-License-Identifier: GPL-2.0-or-later
// A stop source cannot be triggered inside a signal handler (it takes locks), so the signals are blocked in every thread and one thread waits for them
// with sigwait(3). It is detached: it has nothing to clean up and must not keep the program from ending.
#include "interruption.hpp"

#include <pthread.h>
#include <bootbudget/error.hpp>
#include <csignal>

#include <atomic>
#include <cerrno>
#include <thread>

namespace bootbudget::cli {

namespace {

std::atomic<int> received{0};

std::stop_source & source() {
    static auto & kept = *new std::stop_source;  // outlives static destruction: the waiting thread may still use it
    return kept;
}

}  // namespace

Interruption::Interruption() {
    std::signal(SIGPIPE, SIG_IGN);  // a closed pager must not end a check that is half-way through
    sigset_t set;
    sigemptyset(&set);
    bool waits = false;
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
        // nohup(1) and shells that put a job into the background have some ignored. A blocked signal arrives at sigwait even so: leave those alone.
        struct sigaction current {};
        if (::sigaction(number, nullptr, &current) != 0) {
            throw SystemError("cannot query signals", errno);
        }
        if ((current.sa_flags & SA_SIGINFO) != 0 || current.sa_handler != SIG_IGN) {
            sigaddset(&set, number);
            waits = true;
        }
    }
    if (const int error = ::pthread_sigmask(SIG_BLOCK, &set, nullptr); error != 0) {
        throw SystemError("cannot block signals", error);
    }
    source();
    if (!waits) {
        return;
    }
    std::thread([set] {
        int number = 0;
        while (::sigwait(&set, &number) == 0) {
            received = number;
            source().request_stop();
        }
    }).detach();
}

std::stop_token Interruption::token() const {
    return source().get_token();
}

int Interruption::signal() const {
    return received;
}

}  // namespace bootbudget::cli
