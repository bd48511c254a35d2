// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "totals.hpp"

#include <pthread.h>

#include <atomic>

namespace bootbudget::counter {

/// A thread that publishes the counters each millisecond, for QEMUs that cannot add to the shared page.
class Sampler {
public:
    /// False if there can be no thread.
    bool start(const Totals & totals);

    /// Returns when the thread has ended; nothing to do if none was started.
    void stop();

private:
    static void * run(void * self);

    const Totals * totals_ = nullptr;
    pthread_t thread_ = {};
    bool started_ = false;
    std::atomic<bool> stopping_ = false;
};

}  // namespace bootbudget::counter
