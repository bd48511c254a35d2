// SPDX-License-Identifier: GPL-2.0-or-later
// Long calls report only when something happens, which may be a minute apart. The bar therefore has a thread of its own that moves it between the
// reports by the time that has gone by.
#include "progress.hpp"

#include "terminal.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

namespace bootbudget::cli {

namespace {

using Clock = std::chrono::steady_clock;

void write_stderr(const std::string & text) {
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
}

class Lines final : public Progress {
public:
    explicit Lines(bool quiet) : quiet_(quiet) {}

    void step(const std::string & line) override {
        if (!quiet_) {
            write_stderr(fmt::format("bootbudget: {}\n", line));
        }
    }
    void advance(double, double, double) override {}
    void warn(const std::string & line) override { write_stderr(fmt::format("bootbudget: warning: {}\n", line)); }

private:
    bool quiet_;
};

std::string time_left(double seconds) {
    const long whole = std::lround(seconds);
    return whole >= 3600 ? fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60)
                         : fmt::format("{}:{:02}", whole / 60, whole % 60);
}

class Bar final : public Progress {
public:
    Bar() : painter_([this](std::stop_token stop) { paint_until(stop); }) {}

    ~Bar() override {
        painter_.request_stop();
        painter_.join();
        erase();
    }
    Bar(const Bar &) = delete;
    Bar & operator=(const Bar &) = delete;

    void step(const std::string & line) override {
        const std::lock_guard lock(mutex_);
        label_ = line;
        paint();
    }

    void advance(double done, double total, double seconds_left) override {
        const std::lock_guard lock(mutex_);
        done_ = done;
        total_ = total;
        seconds_left_ = seconds_left;
        told_ = Clock::now();
        paint();
    }

    void warn(const std::string & line) override {
        const std::lock_guard lock(mutex_);
        erase();
        write_stderr(fmt::format("bootbudget: warning: {}\n", line));
        paint();
    }

private:
    void paint_until(const std::stop_token & stop) {
        std::unique_lock lock(mutex_);
        while (!stop.stop_requested()) {
            changed_.wait_for(lock, stop, std::chrono::milliseconds(500), [] { return false; });
            paint();
        }
    }

    /// The caller holds the mutex.
    void paint() {
        std::string line = "\r\033[K";
        if (total_ > 0 && seconds_left_ >= 0) {
            const double since = std::chrono::duration<double>(Clock::now() - told_).count();
            const double share = std::clamp((done_ + std::min(since, seconds_left_)) / total_, 0.0, 1.0);
            constexpr int WIDTH = 24;
            const int full = static_cast<int>(share * WIDTH);
            line += fmt::format(
                "[{:#>{}}{:.>{}}] {:3.0f} % {} left  ",
                "",
                full,
                "",
                WIDTH - full,
                share * 100,
                time_left(std::max(seconds_left_ - since, 0.0)));
        }
        const auto used = line.size() - 4;
        const auto columns = static_cast<std::size_t>(columns_of(STDERR_FILENO));
        line += label_.substr(0, columns > used + 1 ? columns - used - 1 : 0);
        write_stderr(line);
    }

    static void erase() { write_stderr("\r\033[K"); }

    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::string label_;
    double done_ = 0;
    double total_ = 0;
    double seconds_left_ = -1;
    Clock::time_point told_;
    std::jthread painter_;  // last: it uses all of the above
};

}  // namespace

std::unique_ptr<Progress> make_progress(bool quiet) {
    if (!quiet && is_capable_terminal(STDERR_FILENO)) {
        return std::make_unique<Bar>();
    }
    return std::make_unique<Lines>(quiet);
}

}  // namespace bootbudget::cli
