// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "support/scratch.hpp"

#include <filesystem>
#include <string>

namespace bootbudget::tests {

/// A GnuPG home of its own, whose agent ends with it: makes keys and signs packages with rpmsign(8).
class Signer {
public:
    Signer() = default;
    ~Signer();
    Signer(const Signer &) = delete;
    Signer & operator=(const Signer &) = delete;

    /// True if gpg, gpgconf and rpmsign are installed.
    static bool is_possible();

    /// A new key without a password; `algorithm` as gpg's --quick-generate-key takes it. Returns its fingerprint in lower case.
    std::string make_key(const std::string & user, const std::string & algorithm = "rsa2048");

    /// A new signing subkey of the key, which gpg prefers from then on.
    void add_subkey(const std::string & fingerprint);

    /// gpg's export of a public key.
    std::string exported(const std::string & fingerprint, bool armored = true);
    std::string exported_secret(const std::string & fingerprint);

    void sign(
        const std::filesystem::path & package, const std::string & fingerprint, const std::string & digest = "sha256");

private:
    /// Runs it in a shell with this home; its output. std::runtime_error with what it said if it fails.
    std::string run(const std::string & command);

    Scratch scratch_;
};

}  // namespace bootbudget::tests
