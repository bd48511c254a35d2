// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace bootbudget::kernel {

/// True for a string fit to be a release (uname -r): 1 to 64 of [A-Za-z0-9._+~^-], beginning with a digit or letter, no "..".
bool is_release(std::string_view text) noexcept;

/// The release's suffix after '+' without "debug": "6.17.4-300.fc43.x86_64+rt-debug" → "rt", "…+debug" → "base", no suffix → "base".
std::string flavour_of(std::string_view release);

/// The name that goes before the kernel's architecture in a release ("x86_64"), or empty when the release does not end so.
std::string arch_of(std::string_view release);

}  // namespace bootbudget::kernel
