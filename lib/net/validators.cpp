// SPDX-License-Identifier: GPL-2.0-or-later
// One "name: value" a line. Values have no line breaks, as storable() refuses them.
#include "net/validators.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace bootbudget::net {

std::string storable(std::string_view value) {
    constexpr std::size_t LONGEST = 500;
    const bool fit =
        value.size() <= LONGEST && std::all_of(value.begin(), value.end(), [](char c) { return c >= ' ' && c <= '~'; });
    return fit ? std::string(value) : "";
}

std::string to_text(const Validators & validators) {
    return fmt::format(
        "etag: {}\nlast-modified: {}\nsha256: {}\n", validators.etag, validators.last_modified, validators.sha256);
}

Validators validators_from(std::string_view text) {
    Validators result;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        for (const auto & [name, value] :
             {std::pair{std::string_view("etag: "), &result.etag},
              std::pair{std::string_view("last-modified: "), &result.last_modified},
              std::pair{std::string_view("sha256: "), &result.sha256}}) {
            if (line.starts_with(name)) {
                *value = storable(line.substr(name.size()));
            }
        }
    }
    return result;
}

}  // namespace bootbudget::net
