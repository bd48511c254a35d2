// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "net/answer.hpp"
#include "net/cache.hpp"
#include "net/failure.hpp"

#include <curl/curl.h>

#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace bootbudget::net {

/// libcurl's set of transfers that run in this thread.
struct CloseMulti {
    void operator()(CURLM * multi) const noexcept { curl_multi_cleanup(multi); }
};
using Multi = std::unique_ptr<CURLM, CloseMulti>;

/// What came of one attempt.
enum class End {
    COMPLETE,    ///< the part is the whole file, of the promised size; its checksum is not known yet
    UNCHANGED,   ///< the finished file of the cache is current
    START_OVER,  ///< the server has no rest that fits the part
    FAILED,
};

/// One attempt to get a file or the rest of it, into the part of its entry. Runs while curl_multi_perform() is called on its multi.
class Transfer {
public:
    /// `current`: validators of the finished file if the server is to send only a newer one, else empty. The part is continued if it is there.
    Transfer(
        CURLM * multi,
        CacheEntry & entry,
        const Download & download,
        const FetchOptions & options,
        const Validators & current);
    ~Transfer();
    Transfer(const Transfer &) = delete;
    Transfer & operator=(const Transfer &) = delete;

    CURL * handle() const noexcept { return easy_.get(); }

    std::uint64_t position() const noexcept { return position_; }  ///< bytes of the file that are there
    std::uint64_t received() const noexcept { return received_; }  ///< bytes of the file that this attempt brought
    std::optional<std::uint64_t> whole_size() const noexcept { return whole_size_; }  ///< as far as the server has told
    bool has_resumed() const noexcept { return use_ == Use::REST; }
    const Validators & validators() const noexcept { return validators_; }  ///< that the server gave with the file

    /// To be called once, with libcurl's verdict. Throws what writing to the cache threw.
    End finish(CURLcode code);
    const Failure & failure() const noexcept { return failure_; }  ///< after FAILED
    std::string led_to() const;                                    ///< where redirects led

private:
    struct CloseEasy {
        void operator()(CURL * easy) const noexcept { curl_easy_cleanup(easy); }
    };
    struct FreeList {
        void operator()(curl_slist * list) const noexcept { curl_slist_free_all(list); }
    };

    static std::size_t on_body(char * bytes, std::size_t one, std::size_t count, void * self) noexcept;
    template <typename T>
    void set(CURLoption option, T value);
    void set_up();
    void add_header(const std::string & line);
    std::string header(const char * name) const;
    void judge();
    bool take(std::string_view bytes);
    void write(std::string_view bytes);
    End fail(Failure failure);

    CURLM * multi_;
    CacheEntry & entry_;
    const Download & download_;
    const FetchOptions & options_;
    common::Descriptor part_;
    std::unique_ptr<CURL, CloseEasy> easy_;
    std::unique_ptr<curl_slist, FreeList> headers_;
    std::array<char, CURL_ERROR_SIZE> error_text_{};

    Question question_;
    std::optional<Use> use_;  // once the head of the answer was there
    std::optional<std::uint64_t> whole_size_;
    Validators validators_;
    std::uint64_t position_ = 0;
    std::uint64_t received_ = 0;
    std::uint64_t discarded_ = 0;
    bool too_long_ = false;
    std::exception_ptr broken_;
    Failure failure_;
};

}  // namespace bootbudget::net
