// SPDX-License-Identifier: GPL-2.0-or-later
// The real gpg and the real rpmsign, as a packager has them, away from the user's own keys.
#include "support/signing.hpp"

#include <algorithm>
#include <stdexcept>

namespace bootbudget::tests {

namespace {

std::string quoted(const std::filesystem::path & path) {
    return "'" + path.string() + "'";
}

}  // namespace

bool Signer::is_possible() {
    return std::system(
               "gpg --version >/dev/null 2>&1 && gpgconf --version >/dev/null 2>&1 && command -v rpmsign >/dev/null") ==
           0;
}

Signer::~Signer() {
    std::system(("gpgconf --homedir " + quoted(scratch_.path()) + " --kill all >/dev/null 2>&1").c_str());
}

std::string Signer::run(const std::string & command) {
    std::filesystem::permissions(scratch_.path(), std::filesystem::perms(0700));
    const auto out = scratch_.path() / "out";
    const auto err = scratch_.path() / "err";
    const std::string whole = "GNUPGHOME=" + quoted(scratch_.path()) + " " + command + " >" + quoted(out) + " 2>" +
                              quoted(err) + " </dev/null";
    if (std::system(whole.c_str()) != 0) {
        throw std::runtime_error(command + ": " + content_of(err));
    }
    return content_of(out);
}

std::string Signer::make_key(const std::string & user, const std::string & algorithm) {
    run("gpg --batch --passphrase '' --quick-generate-key '" + user + "' " + algorithm + " sign never");
    const std::string list = run("gpg --batch --with-colons --fingerprint '" + user + "'");
    const auto begin = list.find_first_not_of(':', list.find("\nfpr:") + 4);
    std::string fingerprint = list.substr(begin, list.find(':', begin) - begin);
    std::transform(fingerprint.begin(), fingerprint.end(), fingerprint.begin(), [](unsigned char c) {
        return static_cast<char>(std::tolower(c));
    });
    return fingerprint;
}

void Signer::add_subkey(const std::string & fingerprint) {
    run("gpg --batch --passphrase '' --quick-add-key " + fingerprint + " rsa2048 sign never");
}

std::string Signer::exported(const std::string & fingerprint, bool armored) {
    return run(std::string("gpg --batch ") + (armored ? "--armor" : "--no-armor") + " --export " + fingerprint);
}

std::string Signer::exported_secret(const std::string & fingerprint) {
    return run("gpg --batch --passphrase '' --pinentry-mode loopback --armor --export-secret-keys " + fingerprint);
}

void Signer::sign(const std::filesystem::path & package, const std::string & fingerprint, const std::string & digest) {
    run("rpmsign --addsign --define \"__gpg $(command -v gpg)\" --define '_gpg_name " + fingerprint +
        "' --define '_gpg_digest_algo " + digest + "' " + quoted(package));
}

}  // namespace bootbudget::tests
