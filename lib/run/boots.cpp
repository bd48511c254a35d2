// SPDX-License-Identifier: GPL-2.0-or-later
// Each boot runs in a thread of its own, which only waits for its test tool; what it has to say goes through one queue to the calling thread, so that nobody else
// needs a lock. A boot that throws stops the others: a half-made run is worth nothing.
#include "run/boots.hpp"

#include "common/process.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace bootbudget::run {

namespace {

constexpr auto TICK = std::chrono::milliseconds(500);

/// How one boot ended.
struct End {
    std::size_t boot = 0;
    Sample sample;
    std::exception_ptr error;
    double seconds = 0;
};

class Crew {
public:
    Crew(
        const std::vector<PlannedBoot> & boots,
        const boot::Settings & settings,
        const BootEvents & events,
        std::stop_token stop)
        : boots_(boots), settings_(settings), events_(events), waiting_(boots.size()), on_stop_(stop, [this] {
              halt_.request_stop();
          }) {
        for (std::size_t i = 0; i < boots.size(); ++i) {
            waiting_[i] = i;
        }
    }

    ~Crew() { halt_.request_stop(); }  // if an event threw, the boots that are under way end now
    Crew(const Crew &) = delete;
    Crew & operator=(const Crew &) = delete;

    void run(std::size_t jobs) {
        while (!waiting_.empty() || !threads_.empty()) {
            while (threads_.size() < jobs && !error_ && begin_next()) {
            }
            if (threads_.empty()) {
                break;
            }
            take_ends();
            events_.tick();
        }
        if (error_) {
            std::rethrow_exception(error_);
        }
    }

private:
    /// Begins the first waiting boot whose series is idle; false if there is none.
    bool begin_next() {
        const auto next = std::find_if(waiting_.begin(), waiting_.end(), [&](std::size_t i) {
            return std::none_of(threads_.begin(), threads_.end(), [&](const auto & running) {
                return boots_[running.first].series == boots_[i].series;
            });
        });
        if (next == waiting_.end()) {
            return false;
        }
        const std::size_t i = *next;
        waiting_.erase(next);
        events_.began(boots_[i]);
        threads_.emplace_back(i, std::jthread([this, i] { boot(i); }));
        return true;
    }

    void boot(std::size_t i) {
        const auto start = common::Clock::now();
        End end;
        end.boot = i;
        try {
            const auto & boot = boots_[i];
            end.sample = boot::boot_once(
                boot.series->bootable, settings_, boot.log, boot.turn, [this](Phase) { wake(); }, halt_.get_token());
        } catch (...) {
            end.error = std::current_exception();
        }
        end.seconds = std::chrono::duration<double>(common::Clock::now() - start).count();
        const std::lock_guard lock(mutex_);
        ends_.push_back(std::move(end));
        something_new_ = true;
        news_.notify_one();
    }

    void wake() {
        const std::lock_guard lock(mutex_);
        something_new_ = true;
        news_.notify_one();
    }

    void take_ends() {
        std::vector<End> ends;
        {
            std::unique_lock lock(mutex_);
            news_.wait_for(lock, TICK, [this] { return something_new_; });
            something_new_ = false;
            ends = std::exchange(ends_, {});
        }
        for (auto & end : ends) {
            std::erase_if(threads_, [&](const auto & running) { return running.first == end.boot; });  // joins
            if (!end.error) {
                events_.ended(boots_[end.boot], std::move(end.sample), end.seconds);
            } else if (!error_) {
                error_ = end.error;
                halt_.request_stop();
            }
        }
    }

    const std::vector<PlannedBoot> & boots_;
    const boot::Settings & settings_;
    const BootEvents & events_;
    std::vector<std::size_t> waiting_;
    std::stop_source halt_;
    std::stop_callback<std::function<void()>> on_stop_;
    std::mutex mutex_;
    std::condition_variable news_;
    bool something_new_ = false;
    std::vector<End> ends_;
    std::exception_ptr error_;
    std::vector<std::pair<std::size_t, std::jthread>> threads_;  // last: their boots use all of the above
};

}  // namespace

void make_boots(
    const std::vector<PlannedBoot> & boots,
    int jobs,
    const boot::Settings & settings,
    const BootEvents & events,
    std::stop_token stop) {
    Crew(boots, settings, events, std::move(stop)).run(static_cast<std::size_t>(std::max(jobs, 1)));
}

}  // namespace bootbudget::run
