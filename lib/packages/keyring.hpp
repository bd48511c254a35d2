// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct rpmKeyring_s;  // librpm's

namespace bootbudget::packages {

/// The OpenPGP public keys of one directory (such as /etc/pki/rpm-gpg), and no others: no RPM database and no GnuPG home is asked.
///
/// What makes a key good is librpm's judgement: with Sequoia (Fedora) keys that have expired, were revoked or are too weak are refused, with its older parser
/// (Debian 12) they are not.
class Keyring {
public:
    /// Reads the directory's files: armored, with one key or several, or binary. Directories in it and hidden files are passed over, links to files are followed.
    /// UserError if there is no such directory, if it holds no key, or if it holds a file that is something else, which is named; SystemError if one cannot be read.
    explicit Keyring(const std::filesystem::path & directory);

    const std::filesystem::path & directory() const noexcept { return directory_; }

    /// "FINGERPRINT (user ID)" of the primary key to which the key ID (16 lower-case hexadecimal digits), its own or a subkey's, belongs; empty if that key is not here.
    std::string owner_of(const std::string & key_id) const;

    /// Files here with keys that this librpm cannot use: too new, too old or too weak.
    const std::vector<std::string> & unusable() const noexcept { return unusable_; }

    rpmKeyring_s * handle() const noexcept { return keys_.get(); }

private:
    struct Free {
        void operator()(rpmKeyring_s * keys) const noexcept;
    };

    void read(const std::filesystem::path & file);
    bool add(const std::string & certificate);

    std::filesystem::path directory_;
    std::unique_ptr<rpmKeyring_s, Free> keys_;
    std::map<std::string, std::string> owners_;
    std::vector<std::string> unusable_;
};

}  // namespace bootbudget::packages
