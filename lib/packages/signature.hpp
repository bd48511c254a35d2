// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "packages/librpm.hpp"

#include <filesystem>
#include <string>

namespace bootbudget::packages {

class Keyring;

/// What is known of the signature of a package's header, as reports have it: without a keyring "not checked" or "unsigned", with one
/// "good: FINGERPRINT (user ID)" of the key.
///
/// A good signature of the header is enough for the whole package, because the header holds the digest of the payload, which read_rpm() checks, and that of
/// each file, which unpack() checks. What is verified is the header in memory, so whatever is taken from it afterwards is what was signed.
///
/// UserError, naming package and key, unless one of the header's signatures is good, none made by a key of the keyring is bad, and the good one is over SHA-256 or
/// better.
std::string signature_of(Header header, const std::filesystem::path & path, const Keyring * keyring);

}  // namespace bootbudget::packages
