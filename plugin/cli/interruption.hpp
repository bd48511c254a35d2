// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <stop_token>

namespace bootbudget::cli {

/// Turns SIGINT, SIGTERM and SIGHUP into a stop request, so that everything started is ended in order; those that are ignored already
/// (nohup, background jobs) stay ignored. Call once, in main(), before any thread is started.
class Interruption {
public:
    Interruption();
    ~Interruption() = default;
    Interruption(const Interruption &) = delete;
    Interruption & operator=(const Interruption &) = delete;

    std::stop_token token() const;

    /// The signal that came, 0 if none did.
    int signal() const;
};

}  // namespace bootbudget::cli
