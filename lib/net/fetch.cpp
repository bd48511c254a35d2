// SPDX-License-Identifier: GPL-2.0-or-later
// One thread turns the wheel: it begins what may begin, lets libcurl move bytes, and judges what has ended. A file waits while another process holds its
// entry, while it pauses before its next attempt, and while as many transfers run as may; it never holds an entry while waiting for another one,
// so two processes that want the same files cannot wait for each other for ever.
#include "common/digest.hpp"
#include "common/units.hpp"
#include "net/cache.hpp"
#include "net/download.hpp"
#include "net/failure.hpp"
#include "net/local_file.hpp"
#include "net/retry.hpp"
#include "net/transfer.hpp"
#include "net/url.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <random>
#include <utility>

namespace bootbudget::net {

namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds TURN{100};             // how often locks of other processes are tried
constexpr milliseconds PROGRESS_TURN{200};    // how often progress is told
constexpr std::uint64_t HEADWAY = 1U << 20U;  // what an attempt must bring not to be counted

void start_curl() {
    static std::once_flag once;
    std::call_once(once, [] {
        if (curl_global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) {
            throw SystemError("libcurl cannot be started; reinstall it.");
        }
    });
}

/// One file on its way.
struct Job {
    Download download;
    bool is_local = false;
    CachePlace place;
    fs::path path;  // once it is there

    std::optional<CacheEntry> entry;     // while this process works on it
    std::unique_ptr<Transfer> transfer;  // while an attempt runs
    Clock::time_point not_before{};
    unsigned failures = 0;  // in a row
    bool pieced = false;    // the part has come in several attempts
    bool started_over = false;
    bool told_waiting = false;
    std::uint64_t brought = 0;  // by earlier attempts

    bool is_done() const { return !path.empty(); }
};

class Fetching {
public:
    Fetching(
        const std::vector<Download> & downloads,
        const FetchOptions & options,
        Progress & progress,
        std::stop_token stop)
        : options_(options), progress_(progress), stop_(std::move(stop)), multi_(curl_multi_init()) {
        if (!multi_) {
            throw SystemError("libcurl has no memory left for transfers.");
        }
        for (const Download & download : downloads) {
            jobs_.push_back(job_of(download));
        }
    }

    std::vector<fs::path> run() {
        const std::stop_callback wake(stop_, [this] { curl_multi_wakeup(multi_.get()); });
        for (;;) {
            begin_what_may();
            if (std::all_of(jobs_.begin(), jobs_.end(), [](const Job & job) { return job.is_done(); })) {
                break;
            }
            turn();
            tell(false);
        }
        tell(true);
        std::vector<fs::path> paths;
        for (const Job & job : jobs_) {
            paths.push_back(job.path);
        }
        return paths;
    }

private:
    static Job job_of(const Download & download) {
        Job job;
        job.download = download;
        if (job.download.what.empty()) {
            job.download.what = file_name(download.url);
        }
        job.is_local = scheme_of(download.url) == "file";
        job.place = place_of(job.download);
        if (job.download.checksum) {
            job.download.checksum = checked(*job.download.checksum, job.download.what);
        }
        if (job.download.size && *job.download.size > job.download.max_size) {
            raise(too_large(job.download.max_size), job.download, "", 1);
        }
        return job;
    }

    void check_stop() const {
        if (stop_.stop_requested()) {
            throw Cancelled("the download was interrupted; it goes on from where it is when it is started again.");
        }
    }

    void begin_what_may() {
        auto running = static_cast<std::size_t>(
            std::count_if(jobs_.begin(), jobs_.end(), [](const Job & job) { return job.transfer != nullptr; }));
        for (Job & job : jobs_) {
            check_stop();
            if (job.is_done() || job.transfer || Clock::now() < job.not_before) {
                continue;
            }
            if (job.is_local) {
                job.path = check_local_file(job.download, stop_);
            } else if (running < std::max(1U, options_.parallel) && (job.entry || enter(job))) {
                start(job);
                ++running;
            }
        }
    }

    // Takes the file's entry in the cache. False if there is nothing to do for it now: another one has the entry, or the file is there already.
    bool enter(Job & job) {
        const bool is_ours = std::any_of(jobs_.begin(), jobs_.end(), [&](const Job & other) {
            return other.entry && other.place.directory == job.place.directory;
        });
        if (!is_ours) {
            job.entry = cache().enter(job.place);
            if (!job.entry && !std::exchange(job.told_waiting, true)) {
                progress_.step(fmt::format("waiting for another process that downloads {}", job.download.what));
            }
        }
        if (!job.entry) {
            job.not_before = Clock::now() + TURN;
            return false;
        }
        if (is_cached(job)) {
            complete(job);
            return false;
        }
        return true;
    }

    Cache & cache() {
        if (!cache_) {
            cache_.emplace(fs::absolute(options_.cache));
            cache_->remove_unused();
        }
        return *cache_;
    }

    // Whether the file is there; only known where its checksum is. Leaves no file that is damaged, and no part that cannot be continued.
    bool is_cached(Job & job) {
        CacheEntry & entry = *job.entry;
        const Download & download = job.download;
        if (download.checksum && entry.file_size()) {
            if (is_promised(entry.file(), download)) {
                return true;
            }
            entry.remove_file();
        }
        const auto part_size = entry.part_size();
        if (!part_size) {
            return false;
        }
        if (download.checksum && part_size == download.size) {
            if (is_promised(entry.part(), download)) {
                entry.finish({});
                return true;
            }
            entry.remove_part();
        } else if (
            *part_size >= download.size.value_or(download.max_size) ||
            (!download.checksum && !entry.part_validators().is_strong())) {
            entry.remove_part();
        }
        return false;
    }

    bool is_promised(const fs::path & path, const Download & download) const {
        std::error_code error;
        return (!download.size || fs::file_size(path, error) == *download.size) &&
               common::digest_of_file(path, download.checksum->algorithm, stop_) == download.checksum->hex;
    }

    // By which the server can tell whether the finished file is current.
    Validators current(const Job & job) const {
        if (job.download.checksum || !job.entry->file_size()) {
            return {};
        }
        Validators validators = job.entry->validators();
        if (validators.sha256.empty() ||
            common::digest_of_file(job.entry->file(), "sha256", stop_) != validators.sha256 ||
            (job.download.size && job.download.size != job.entry->file_size())) {
            return {};
        }
        return validators;
    }

    void start(Job & job) {
        job.transfer = std::make_unique<Transfer>(multi_.get(), *job.entry, job.download, options_, current(job));
    }

    void turn() {
        int running = 0;
        CURLMcode code = curl_multi_perform(multi_.get(), &running);
        int left = 0;
        bool has_ended = false;
        while (CURLMsg * const message = curl_multi_info_read(multi_.get(), &left)) {
            if (message->msg == CURLMSG_DONE) {
                end(message->easy_handle, message->data.result);
                has_ended = true;
            }
        }
        check_stop();
        if (code == CURLM_OK && !has_ended) {  // else another file may begin at once
            code = curl_multi_poll(multi_.get(), nullptr, 0, static_cast<int>(wait().count()), nullptr);
        }
        if (code != CURLM_OK) {
            throw SystemError(fmt::format("libcurl cannot go on with the transfers ({}).", curl_multi_strerror(code)));
        }
    }

    // Until something may begin; libcurl itself comes back earlier when bytes do.
    milliseconds wait() const {
        const Clock::time_point now = Clock::now();
        milliseconds longest = TURN;
        for (const Job & job : jobs_) {
            if (!job.is_done() && job.not_before > now) {
                longest = std::min(longest, std::chrono::ceil<milliseconds>(job.not_before - now));
            }
        }
        return longest;
    }

    void end(CURL * handle, CURLcode code) {
        const auto job = std::find_if(jobs_.begin(), jobs_.end(), [&](const Job & candidate) {
            return candidate.transfer && candidate.transfer->handle() == handle;
        });
        if (job == jobs_.end()) {
            throw BugError("libcurl has ended a transfer that was not begun; please report this.");
        }
        const End how = job->transfer->finish(code);
        const std::unique_ptr<Transfer> transfer = std::move(job->transfer);
        job->brought += transfer->received();
        job->pieced = job->pieced || transfer->has_resumed();
        switch (how) {
            case End::COMPLETE:
                accept(*job, *transfer);
                break;
            case End::UNCHANGED:
                job->entry->remove_part();
                complete(*job);
                break;
            case End::START_OVER:
                start_over(
                    *job,
                    *transfer,
                    {Blame::SYSTEM,
                     Again::ALWAYS,
                     "the server does not send the part of the file that it was asked for",
                     "try again later, or use another mirror"});
                break;
            case End::FAILED:
                retry(*job, *transfer, transfer->failure());
                break;
        }
    }

    void accept(Job & job, const Transfer & transfer) {
        Validators validators = transfer.validators();
        if (job.download.checksum) {
            const Checksum & promised = *job.download.checksum;
            const std::string found = common::digest_of_file(job.entry->part(), promised.algorithm, stop_);
            if (found != promised.hex) {
                const Failure failure = wrong_checksum(promised, found, false);
                if (job.pieced) {
                    start_over(job, transfer, failure);
                    return;
                }
                job.entry->remove_part();
                raise(failure, job.download, transfer.led_to(), 1);
            }
        } else if (!validators.etag.empty() || !validators.last_modified.empty()) {
            validators.sha256 = common::digest_of_file(job.entry->part(), "sha256", stop_);
        }
        job.entry->finish(validators);
        complete(job);
        progress_.step(fmt::format("downloaded {} ({})", job.download.what, size_text(transfer.position())));
    }

    static std::string size_text(std::uint64_t bytes) {
        return common::format_quantity({static_cast<double>(bytes), Unit::BYTES});
    }

    // Drops the part, and asks for the whole file: at once the first time, after that it is a failure like others.
    void start_over(Job & job, const Transfer & transfer, const Failure & failure) {
        job.entry->remove_part();
        job.pieced = false;
        if (std::exchange(job.started_over, true)) {
            retry(job, transfer, failure);
        }
    }

    void retry(Job & job, const Transfer & transfer, const Failure & failure) {
        job.failures = transfer.received() >= HEADWAY ? 0 : job.failures + 1;
        const unsigned allowed = failure.again == Again::NEVER  ? 0
                                 : failure.again == Again::ONCE ? std::min(2U, options_.attempts)
                                                                : options_.attempts;
        if (failure.again == Again::NEVER || job.failures >= allowed) {
            raise(failure, job.download, transfer.led_to(), job.failures);
        }
        if (!job.download.checksum && job.entry->part_size() && !job.entry->part_validators().is_strong()) {
            job.entry->remove_part();
        }
        const milliseconds pause = pause_before(
            std::max(1U, job.failures),
            options_.first_pause,
            std::uniform_real_distribution<double>(0, 1)(random_),
            failure.retry_after);
        job.not_before = Clock::now() + pause;
        progress_.step(fmt::format(
            "{} of {}: {}; trying again in {}",
            job.download.what,
            shown(job.download.url),
            failure.happened,
            common::format_quantity({std::chrono::duration<double>(pause).count(), Unit::SECONDS})));
    }

    static void complete(Job & job) {
        job.path = job.entry->file();
        job.entry.reset();
    }

    void tell(bool at_end) {
        const Clock::time_point now = Clock::now();
        if (!at_end && now < told_ + PROGRESS_TURN) {
            return;
        }
        told_ = now;
        double done = 0;
        double total = 0;
        double brought = 0;
        bool is_known = true;
        for (const Job & job : jobs_) {
            const std::uint64_t have = bytes_there(job);
            const auto whole = job.is_done()       ? std::optional(have)
                               : job.download.size ? job.download.size
                               : job.transfer      ? job.transfer->whole_size()
                                                   : std::nullopt;
            is_known = is_known && whole.has_value();
            done += static_cast<double>(have);
            total += static_cast<double>(std::max(have, whole.value_or(0)));
            brought += static_cast<double>(job.brought + (job.transfer ? job.transfer->received() : 0));
        }
        if (total <= 0) {
            return;
        }
        const double seconds = std::chrono::duration<double>(now - begun_).count();
        constexpr double SOME_TIME = 1;
        const bool can_tell = is_known && brought > 0 && seconds > SOME_TIME;
        progress_.advance(done, total, can_tell ? (total - done) * seconds / brought : -1);
    }

    static std::uint64_t bytes_there(const Job & job) {
        if (job.is_done()) {
            std::error_code error;
            const std::uintmax_t size = fs::file_size(job.path, error);
            return error ? 0 : size;
        }
        return job.transfer ? job.transfer->position() : 0;
    }

    const FetchOptions & options_;
    Progress & progress_;
    std::stop_token stop_;
    std::optional<Cache> cache_;
    Multi multi_;
    std::vector<Job> jobs_;  // after multi_: transfers leave it before it goes
    std::minstd_rand random_{std::random_device{}()};
    Clock::time_point begun_ = Clock::now();
    Clock::time_point told_{};
};

}  // namespace

std::vector<fs::path> fetch(
    const std::vector<Download> & downloads, const FetchOptions & options, Progress & progress, std::stop_token stop) {
    start_curl();
    return Fetching(downloads, options, progress, std::move(stop)).run();
}

}  // namespace bootbudget::net
