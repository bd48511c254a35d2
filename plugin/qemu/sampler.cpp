// SPDX-License-Identifier: GPL-2.0-or-later
#include "sampler.hpp"

#include <signal.h>
#include <time.h>

namespace bootbudget::counter {

bool Sampler::start(const Totals & totals) {
    totals_ = &totals;
    // QEMU's main thread waits for signals with a signalfd; none may end up here instead.
    sigset_t all;
    sigset_t before;
    ::sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    started_ = ::pthread_create(&thread_, nullptr, run, this) == 0;
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return started_;
}

void Sampler::stop() {
    if (started_) {
        stopping_.store(true, std::memory_order_relaxed);
        ::pthread_join(thread_, nullptr);
        started_ = false;
    }
}

void * Sampler::run(void * self) {
    Sampler & sampler = *static_cast<Sampler *>(self);
    constexpr timespec MILLISECOND = {.tv_sec = 0, .tv_nsec = 1'000'000};
    while (!sampler.stopping_.load(std::memory_order_relaxed)) {
        sampler.totals_->publish();
        ::nanosleep(&MILLISECOND, nullptr);
    }
    return nullptr;
}

}  // namespace bootbudget::counter
