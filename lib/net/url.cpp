// SPDX-License-Identifier: GPL-2.0-or-later
// Nothing here takes a URL apart by itself, except to show one that libcurl refuses: its text may still hold a password, so it is cut generously.
#include "net/url.hpp"

#include "common/units.hpp"

#include <curl/curl.h>
#include <fmt/format.h>
#include <bootbudget/error.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

namespace bootbudget::net {

namespace {

constexpr std::size_t LONGEST_SHOWN = 300;
constexpr std::size_t LONGEST_NAME = 200;
constexpr std::string_view QUERY_MARK = "?…";

struct FreeText {
    void operator()(char * text) const noexcept { curl_free(text); }
};
using Text = std::unique_ptr<char, FreeText>;

/// A parsed URL.
class Parts {
public:
    Parts() : handle_(curl_url()) {
        if (handle_ == nullptr) {
            throw SystemError("libcurl has no memory left for a URL.");
        }
    }
    ~Parts() { curl_url_cleanup(handle_); }
    Parts(const Parts &) = delete;
    Parts & operator=(const Parts &) = delete;

    CURLUcode set(CURLUPart part, const char * text) {
        return curl_url_set(handle_, part, text, part == CURLUPART_URL ? CURLU_NON_SUPPORT_SCHEME : 0U);
    }
    CURLUcode get(CURLUPart part, std::string & value, unsigned flags = 0) const {
        char * text = nullptr;
        const CURLUcode code = curl_url_get(handle_, part, &text, flags);
        const Text owner(text);
        value = code == CURLUE_OK && text != nullptr ? text : "";
        return code;
    }
    std::string get(CURLUPart part) const {
        std::string value;
        get(part, value);
        return value;
    }

private:
    CURLU * handle_;
};

[[noreturn]] void refuse(const std::string & url, CURLUcode code) {
    throw UserError(
        fmt::format("\"{}\" is not a URL that can be used ({}); check it.", shown(url), curl_url_strerror(code)));
}

void parse(Parts & parts, const std::string & url) {
    if (const CURLUcode code = parts.set(CURLUPART_URL, url.c_str()); code != CURLUE_OK) {
        refuse(url, code);
    }
    const std::string scheme = parts.get(CURLUPART_SCHEME);
    if (scheme != "http" && scheme != "https" && scheme != "file") {
        throw UserError(
            fmt::format("the URL {} is neither of http, https nor of file; give one of these.", shown(url)));
    }
}

bool is_hex(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool is_letter_or_digit(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_whole_url(const std::string & reference) {
    const std::size_t end = reference.find("://");
    return end != std::string::npos && end > 0 &&
           std::all_of(reference.begin(), reference.begin() + static_cast<std::ptrdiff_t>(end), [](char c) {
               return is_letter_or_digit(c) || c == '+' || c == '-' || c == '.';
           });
}

// Of a string that libcurl does not take for a URL: what surely is neither name, password nor query.
std::string without_secrets(const std::string & text) {
    const std::size_t scheme_end = text.find("://");
    const std::size_t begin = scheme_end == std::string::npos ? 0 : scheme_end + 3;
    const std::size_t at = text.rfind('@');
    std::string rest = at == std::string::npos || at < begin ? text.substr(begin) : text.substr(at + 1);
    if (const std::size_t query = rest.find_first_of("?#"); query != std::string::npos) {
        rest.resize(query);
        rest += QUERY_MARK;
    }
    return text.substr(0, begin) + rest;
}

}  // namespace

std::string shown(const std::string & url) {
    Parts parts;
    if (parts.set(CURLUPART_URL, url.c_str()) != CURLUE_OK) {
        return common::printable(without_secrets(url), LONGEST_SHOWN);
    }
    const bool has_query = !parts.get(CURLUPART_QUERY).empty();
    for (const CURLUPart secret :
         {CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_QUERY, CURLUPART_FRAGMENT}) {
        parts.set(secret, nullptr);
    }
    return common::printable(parts.get(CURLUPART_URL) + std::string(has_query ? QUERY_MARK : ""), LONGEST_SHOWN);
}

std::string scheme_of(const std::string & url) {
    Parts parts;
    parse(parts, url);
    return parts.get(CURLUPART_SCHEME);
}

std::string percent_encoded(std::string_view path) {
    constexpr std::string_view KEPT = "-._~!$&'()*,;=:@/";  // pchar of RFC 3986 without '+', and the slash
    std::string encoded;
    for (std::size_t i = 0; i < path.size(); ++i) {
        const char c = path[i];
        const bool escape = c == '%' && i + 2 < path.size() && is_hex(path[i + 1]) && is_hex(path[i + 2]);
        if (escape || is_letter_or_digit(c) || KEPT.find(c) != std::string_view::npos) {
            encoded += c;
        } else {
            encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        }
    }
    return encoded;
}

std::string join(const std::string & directory, const std::string & reference) {
    Parts parts;
    parse(parts, directory);
    const std::string scheme = parts.get(CURLUPART_SCHEME);
    if (is_whole_url(reference)) {
        Parts other;
        parse(other, reference);
        const std::string other_scheme = other.get(CURLUPART_SCHEME);
        if ((other_scheme == "file" && scheme != "file") || (other_scheme == "http" && scheme == "https")) {
            throw UserError(fmt::format(
                "the index at {} names a file at {}, which is not followed, as it is less safe than {}; fetch the "
                "files "
                "another way and give their directory.",
                shown(directory),
                shown(reference),
                scheme));
        }
        return other.get(CURLUPART_URL);
    }
    std::string path = parts.get(CURLUPART_PATH);
    if (path.empty() || path.back() != '/') {
        path += '/';
    }
    path += percent_encoded(
        std::string_view(reference).substr(std::min(reference.size(), reference.find_first_not_of('/'))));
    if (const CURLUcode code = parts.set(CURLUPART_PATH, path.c_str()); code != CURLUE_OK) {
        refuse(directory, code);
    }
    Parts joined;  // parsed again, which resolves ".."
    parse(joined, parts.get(CURLUPART_URL));
    return joined.get(CURLUPART_URL);
}

std::string file_name(const std::string & url) {
    Parts parts;
    parse(parts, url);
    const std::string path = parts.get(CURLUPART_PATH);
    const std::string last = path.substr(path.rfind('/') + 1);
    int size = 0;
    const Text decoded(curl_easy_unescape(nullptr, last.c_str(), static_cast<int>(last.size()), &size));
    std::string name = decoded ? std::string(decoded.get(), static_cast<std::size_t>(size)) : "";
    std::replace_if(
        name.begin(),
        name.end(),
        [](char c) { return !is_letter_or_digit(c) && std::string_view("._+-~^").find(c) == std::string_view::npos; },
        '_');
    if (name.empty()) {
        return "index";
    }
    if (name.size() > LONGEST_NAME) {
        name.erase(0, name.size() - LONGEST_NAME);  // what tells the kind is at the end
    }
    if (name.front() == '.') {
        name.front() = '_';
    }
    return name;
}

std::filesystem::path local_path(const std::string & url) {
    Parts parts;
    parse(parts, url);
    std::string path;
    if (const CURLUcode code = parts.get(CURLUPART_PATH, path, CURLU_URLDECODE); code != CURLUE_OK) {
        refuse(url, code);
    }
    return path;
}

std::string identity(const std::string & url) {
    Parts parts;
    parse(parts, url);
    for (const CURLUPart part : {CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_FRAGMENT}) {
        parts.set(part, nullptr);
    }
    return parts.get(CURLUPART_URL);
}

}  // namespace bootbudget::net
