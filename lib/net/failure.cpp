// SPDX-License-Identifier: GPL-2.0-or-later
// What went wrong, in the words of somebody who has to do something about it. What libcurl says is kept in parentheses, as it may name the host's address or
// the certificate's fault.
#include "net/failure.hpp"

#include "common/units.hpp"
#include "net/url.hpp"

#include <fmt/format.h>
#include <bootbudget/error.hpp>

namespace bootbudget::net {

namespace {

constexpr const char * CHECK_URL = "check the URL";
constexpr const char * LATER = "try again later, or use another mirror";

std::string of_curl(const std::string & sentence, CURLcode code, const std::string & detail) {
    constexpr std::size_t LONGEST = 200;
    std::string said = common::printable(detail.empty() ? curl_easy_strerror(code) : detail, LONGEST);
    while (!said.empty() && (said.back() == '.' || said.back() == ' ')) {
        said.pop_back();
    }
    return fmt::format("{} ({})", sentence, said);
}

std::string where_promises_fail(bool is_local) {
    return is_local ? "make the repository's index again, or fetch the file again"
                    : "the repository may be changing just now or be damaged: try again later, or use another mirror";
}

}  // namespace

Failure failure_of_status(long status) {
    const auto with = [&](const char * sentence) { return fmt::format("{} (HTTP status {})", sentence, status); };
    switch (status) {
        case 404:
        case 410:
            return {
                Blame::USER,
                Again::NEVER,
                with("the server has no such file"),
                "check the URL, and whether the repository has changed meanwhile"};
        case 401:
            return {
                Blame::USER,
                Again::NEVER,
                with("the server asks for another name and password"),
                "give them in the URL, as https://NAME:PASSWORD@HOST/"};
        case 403:
            return {
                Blame::USER,
                Again::NEVER,
                with("the server refuses access"),
                "check the URL, and what you may read there"};
        case 407:
            return {
                Blame::USER,
                Again::NEVER,
                with("the proxy asks for a name and password"),
                "give them in the proxy's URL in the environment (https_proxy)"};
        case 408:
        case 429:
            return {Blame::SYSTEM, Again::ALWAYS, with("the server has no time for it"), LATER};
        default:
            break;
    }
    if (status >= 500 && status <= 599) {
        return {Blame::SYSTEM, Again::ALWAYS, with("the server failed"), LATER};
    }
    if (status >= 400 && status <= 499) {
        return {Blame::USER, Again::NEVER, with("the server refuses the request"), CHECK_URL};
    }
    return {Blame::SYSTEM, Again::ALWAYS, with("the server's answer is of no use"), LATER};
}

Failure failure_of_curl(CURLcode code, const std::string & detail, const FetchOptions & options) {
    switch (code) {
        case CURLE_COULDNT_RESOLVE_HOST:
            return {
                Blame::USER,
                Again::ONCE,
                of_curl("the host is not known", code, detail),
                "check the URL and this machine's network"};
        case CURLE_COULDNT_RESOLVE_PROXY:
            return {
                Blame::USER,
                Again::ONCE,
                of_curl("the proxy is not known", code, detail),
                "check https_proxy, http_proxy and no_proxy in the environment"};
        case CURLE_PEER_FAILED_VERIFICATION:
        case CURLE_SSL_ISSUER_ERROR:
            return {
                Blame::USER,
                Again::NEVER,
                of_curl("its certificate does not prove that it is this host", code, detail),
                options.ca_file.empty()
                    ? std::string(
                          "check the host's name in the URL, and that this system trusts who signed the certificate")
                    : fmt::format(
                          "check the host's name in the URL, and that {} has the certificate of who signed the host's",
                          options.ca_file.string())};
        case CURLE_SSL_CACERT_BADFILE:
            return {
                Blame::USER,
                Again::NEVER,
                of_curl("the certificates to trust cannot be read", code, detail),
                options.ca_file.empty() ? std::string("install the package \"ca-certificates\"")
                                        : fmt::format("check the file {}", options.ca_file.string())};
        case CURLE_TOO_MANY_REDIRECTS:
            return {
                Blame::USER, Again::NEVER, of_curl("the server sends from place to place", code, detail), CHECK_URL};
        case CURLE_UNSUPPORTED_PROTOCOL:
            return {
                Blame::USER,
                Again::NEVER,
                of_curl("it leads to a protocol that is not followed from here", code, detail),
                "check the URL, and use https where the server offers it"};
        case CURLE_URL_MALFORMAT:
            return {Blame::USER, Again::NEVER, of_curl("it is, or leads to, a malformed URL", code, detail), CHECK_URL};
        case CURLE_COULDNT_CONNECT:
            return {
                Blame::SYSTEM,
                Again::ALWAYS,
                of_curl("the server cannot be reached", code, detail),
                "check the URL and this machine's network, or try again later"};
        case CURLE_OPERATION_TIMEDOUT:
            return {Blame::SYSTEM, Again::ALWAYS, of_curl("the server is too slow", code, detail), LATER};
        case CURLE_PARTIAL_FILE:
        case CURLE_RECV_ERROR:
        case CURLE_SEND_ERROR:
        case CURLE_GOT_NOTHING:
        case CURLE_HTTP2:
        case CURLE_HTTP2_STREAM:
            return {Blame::SYSTEM, Again::ALWAYS, of_curl("the connection was cut", code, detail), LATER};
        case CURLE_SSL_CONNECT_ERROR:
            return {
                Blame::SYSTEM,
                Again::ALWAYS,
                of_curl("no secure connection (TLS 1.2 or newer) can be made", code, detail),
                "check that the URL and its port are of a server that speaks https, or try again later"};
        case CURLE_WEIRD_SERVER_REPLY:
        case CURLE_BAD_CONTENT_ENCODING:
            return {Blame::SYSTEM, Again::ALWAYS, of_curl("the server's answer is of no use", code, detail), LATER};
        default:
            return {
                Blame::SYSTEM,
                Again::NEVER,
                of_curl("the transfer failed", code, detail),
                "try it with curl(1) to see more"};
    }
}

Failure wrong_size(std::uint64_t promised, std::uint64_t found, bool is_local) {
    return {
        Blame::USER,
        Again::NEVER,
        fmt::format("it has {} bytes, and {} were promised", found, promised),
        where_promises_fail(is_local)};
}

Failure longer_than_promised(std::uint64_t promised) {
    return {
        Blame::USER,
        Again::NEVER,
        fmt::format("it has more than the {} bytes that were promised", promised),
        where_promises_fail(false)};
}

Failure wrong_checksum(const Checksum & promised, const std::string & found, bool is_local) {
    return {
        Blame::USER,
        Again::NEVER,
        fmt::format("its {} is {}, and {} was promised", promised.algorithm, found, promised.hex),
        where_promises_fail(is_local)};
}

Failure too_large(std::uint64_t allowed) {
    return {
        Blame::USER,
        Again::NEVER,
        fmt::format("it is larger than {} bytes, the most that is accepted", allowed),
        "check that the URL is that of the right file"};
}

void raise(const Failure & failure, const Download & download, const std::string & led_to, unsigned attempts) {
    const std::string url = shown(download.url);
    const std::string destination = led_to.empty() ? "" : shown(led_to);
    std::string where = url;
    if (!destination.empty() && destination != url) {
        where += fmt::format(" (which leads to {})", destination);
    }
    const std::string sentence = fmt::format(
        "cannot {} {} from {}: {}{}; {}.",
        scheme_of(download.url) == "file" ? "take" : "download",
        download.what,
        where,
        failure.happened,
        attempts > 1 ? fmt::format(", after {} attempts", attempts) : "",
        failure.next_step);
    if (failure.blame == Blame::USER) {
        throw UserError(sentence);
    }
    throw SystemError(sentence);
}

}  // namespace bootbudget::net
