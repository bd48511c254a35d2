// SPDX-License-Identifier: GPL-2.0-or-later
// libcurl moves the bytes; what they mean is decided when the first of them comes, from the head of the answer, and never by libcurl itself: its own resuming
// (CURLOPT_RESUME_FROM_LARGE) fails where a server sends the whole file, and does not look at the offset it gets.
#include "net/transfer.hpp"

#include "net/url.hpp"

#include <fmt/format.h>
#include <unistd.h>
#include <bootbudget/error.hpp>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace bootbudget::net {

namespace {

constexpr long MAX_REDIRECTS = 10;
constexpr long BUFFER_SIZE = 256L * 1024;
constexpr std::uint64_t MOST_DISCARDED = std::uint64_t{64} * 1024;  // of the text that comes with an error

}  // namespace

Transfer::Transfer(
    CURLM * multi,
    CacheEntry & entry,
    const Download & download,
    const FetchOptions & options,
    const Validators & current)
    : multi_(multi), entry_(entry), download_(download), options_(options), easy_(curl_easy_init()) {
    if (!easy_) {
        throw SystemError("libcurl has no memory left for a transfer.");
    }
    position_ = entry.part_size().value_or(0);
    question_ = {position_, !current.etag.empty() || !current.last_modified.empty(), download.size, download.max_size};
    if (!current.etag.empty()) {
        add_header("If-None-Match: " + current.etag);
    } else if (question_.conditional) {
        add_header("If-Modified-Since: " + current.last_modified);
    }
    if (position_ > 0) {
        set(CURLOPT_RANGE, fmt::format("{}-", position_).c_str());
        // With a checksum a part from one mirror may be continued from another, which will have other entity tags; without, nothing else tells whether it fits.
        if (!download.checksum) {
            add_header("If-Range: " + entry.part_validators().etag);
        }
    }
    set_up();
    if (const CURLMcode code = curl_multi_add_handle(multi_, easy_.get()); code != CURLM_OK) {
        throw SystemError(fmt::format("libcurl cannot begin a transfer ({}).", curl_multi_strerror(code)));
    }
}

Transfer::~Transfer() {
    curl_multi_remove_handle(multi_, easy_.get());
}

template <typename T>
void Transfer::set(CURLoption option, T value) {
    if (const CURLcode code = curl_easy_setopt(easy_.get(), option, value); code != CURLE_OK) {
        throw SystemError(fmt::format(
            "this libcurl lacks what is needed (option {}: {}); install one with https.",
            static_cast<int>(option),
            curl_easy_strerror(code)));
    }
}

void Transfer::set_up() {
    set(CURLOPT_URL, download_.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_REDIR_PROTOCOLS_STR, scheme_of(download_.url) == "https" ? "https" : "http,https");
    set(CURLOPT_FOLLOWLOCATION, 1L);
    set(CURLOPT_MAXREDIRS, MAX_REDIRECTS);
    set(CURLOPT_SSL_VERIFYPEER, 1L);
    set(CURLOPT_SSL_VERIFYHOST, 2L);
    set(CURLOPT_SSLVERSION, static_cast<long>(CURL_SSLVERSION_TLSv1_2));
    if (!options_.ca_file.empty()) {
        set(CURLOPT_CAINFO, options_.ca_file.c_str());
        set(CURLOPT_CAPATH, static_cast<const char *>(nullptr));  // else the system's are trusted, too
    }
    const long stall = std::max<long>(1, static_cast<long>(options_.stall.count()));
    set(CURLOPT_CONNECTTIMEOUT, stall);
    set(CURLOPT_LOW_SPEED_TIME, stall);
    set(CURLOPT_LOW_SPEED_LIMIT, static_cast<long>(options_.low_speed));
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_QUICK_EXIT, 1L);  // a name server that does not answer must not delay the end
    set(CURLOPT_USERAGENT, "bootbudget/" BOOTBUDGET_VERSION);
    set(CURLOPT_BUFFERSIZE, BUFFER_SIZE);
    set(CURLOPT_ERRORBUFFER, error_text_.data());
    set(CURLOPT_WRITEFUNCTION, &Transfer::on_body);
    set(CURLOPT_WRITEDATA, static_cast<void *>(this));
    set(CURLOPT_PRIVATE, static_cast<void *>(this));
    if (headers_) {
        set(CURLOPT_HTTPHEADER, headers_.get());
    }
}

void Transfer::add_header(const std::string & line) {
    curl_slist * const longer = curl_slist_append(headers_.get(), line.c_str());
    if (longer == nullptr) {
        throw SystemError("libcurl has no memory left for a request.");
    }
    static_cast<void>(headers_.release());
    headers_.reset(longer);
}

std::string Transfer::header(const char * name) const {
    constexpr int LAST_ANSWER = -1;
    curl_header * found = nullptr;
    return curl_easy_header(easy_.get(), name, 0, CURLH_HEADER, LAST_ANSWER, &found) == CURLHE_OK ? found->value : "";
}

void Transfer::judge() {
    Answer answer;
    curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &answer.status);
    curl_off_t length = -1;
    curl_easy_getinfo(easy_.get(), CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    if (length >= 0) {
        answer.length = static_cast<std::uint64_t>(length);
    }
    answer.range = parse_content_range(header("Content-Range"));
    use_ = use_of(question_, answer);
    whole_size_ = size_by(question_, answer);
    if (use_ == Use::WHOLE) {
        position_ = 0;
    }
    if (use_ != Use::WHOLE && use_ != Use::REST) {
        return;
    }
    part_ = entry_.open_part();
    if (::ftruncate(part_.number(), static_cast<off_t>(position_)) != 0 ||
        ::lseek(part_.number(), static_cast<off_t>(position_), SEEK_SET) < 0) {
        throw SystemError(fmt::format("cannot write {}", entry_.part().string()), errno);
    }
    if (!download_.checksum) {
        validators_ = {storable(header("ETag")), storable(header("Last-Modified")), ""};
        entry_.write_part_validators(validators_);
    }
}

void Transfer::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(part_.number(), bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count < 0) {
            const int error_number = errno;
            throw SystemError(
                fmt::format(
                    "cannot write {} (make room there, or choose another place with --cache)", entry_.part().string()),
                error_number);
        }
        bytes.remove_prefix(static_cast<std::size_t>(count));
        position_ += static_cast<std::uint64_t>(count);
        received_ += static_cast<std::uint64_t>(count);
    }
}

bool Transfer::take(std::string_view bytes) {
    if (!use_) {
        judge();
    }
    if (use_ == Use::NONE) {
        discarded_ += bytes.size();
        return discarded_ <= MOST_DISCARDED;
    }
    if (use_ != Use::WHOLE && use_ != Use::REST) {
        return false;
    }
    if (bytes.size() > question_.size.value_or(question_.max_size) - position_) {
        too_long_ = true;
        return false;
    }
    write(bytes);
    return true;
}

std::size_t Transfer::on_body(char * bytes, std::size_t one, std::size_t count, void * self) noexcept {
    auto & transfer = *static_cast<Transfer *>(self);
    const std::size_t size = one * count;
    try {
        return transfer.take({bytes, size}) ? size : CURL_WRITEFUNC_ERROR;
    } catch (...) {
        transfer.broken_ = std::current_exception();  // thrown by finish(): nothing may be thrown through libcurl
        return CURL_WRITEFUNC_ERROR;
    }
}

End Transfer::fail(Failure failure) {
    failure_ = std::move(failure);
    return End::FAILED;
}

End Transfer::finish(CURLcode code) {
    if (broken_) {
        std::rethrow_exception(broken_);
    }
    if (!use_ && code == CURLE_OK) {
        judge();  // an answer without a body
    }
    const bool has_answer = use_.has_value();
    if (has_answer && use_ == Use::UNCHANGED) {
        return End::UNCHANGED;
    }
    if (has_answer && use_ == Use::START_OVER) {
        return End::START_OVER;
    }
    if (has_answer && use_ == Use::WRONG_SIZE) {
        return fail(wrong_size(*question_.size, *whole_size_, false));
    }
    if (too_long_ && question_.size) {
        return fail(longer_than_promised(*question_.size));
    }
    if (too_long_ || (has_answer && use_ == Use::TOO_LARGE)) {
        return fail(too_large(question_.max_size));
    }
    if (has_answer && use_ == Use::NONE) {
        long status = 0;
        curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &status);
        Failure failure = failure_of_status(status);
        curl_off_t seconds = 0;
        curl_easy_getinfo(easy_.get(), CURLINFO_RETRY_AFTER, &seconds);
        failure.retry_after = std::chrono::seconds(seconds);
        return fail(std::move(failure));
    }
    if (code != CURLE_OK) {
        return fail(failure_of_curl(code, error_text_.data(), options_));
    }
    if (question_.size && position_ != *question_.size) {
        // Where the server had not told the length, it may as well have been cut off.
        return whole_size_
                   ? fail(wrong_size(*question_.size, position_, false))
                   : fail(failure_of_curl(
                         CURLE_PARTIAL_FILE, fmt::format("{} of {} bytes came", position_, *question_.size), options_));
    }
    return End::COMPLETE;
}

std::string Transfer::led_to() const {
    const char * url = nullptr;
    long redirects = 0;
    curl_easy_getinfo(easy_.get(), CURLINFO_REDIRECT_COUNT, &redirects);
    curl_easy_getinfo(easy_.get(), CURLINFO_EFFECTIVE_URL, &url);
    return url == nullptr || redirects == 0 ? "" : url;
}

}  // namespace bootbudget::net
