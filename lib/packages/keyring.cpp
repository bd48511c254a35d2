// SPDX-License-Identifier: GPL-2.0-or-later
// librpm parses the keys and looks for the one that a signature names; which files are keys, and whose they are in words, is told here. A file that is no key is
// not passed over: who demands signatures should know which keys are trusted.
#include "packages/keyring.hpp"

#include "common/file.hpp"
#include "common/units.hpp"
#include "packages/librpm.hpp"

#include <fmt/format.h>
#include <rpm/rpmkeyring.h>
#include <rpm/rpmpgp.h>
#include <bootbudget/error.hpp>

#include <algorithm>
#include <string_view>
#include <system_error>

namespace bootbudget::packages {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t MAX_FILES = 1000;
constexpr std::size_t MAX_FILE_SIZE = std::size_t{4} << 20U;

using KeyOwner = std::unique_ptr<std::remove_pointer_t<rpmPubkey>, librpm::Free<rpmPubkeyFree>>;

const std::uint8_t * octets(const std::string & bytes) {
    return reinterpret_cast<const std::uint8_t *>(bytes.data());
}

std::string hex(const std::uint8_t * bytes, std::size_t size) {
    std::string result;
    for (std::size_t i = 0; i < size; ++i) {
        result += fmt::format("{:02x}", bytes[i]);
    }
    return result;
}

std::string key_id_of(rpmPubkey key) {
    return hex(pgpDigParamsSignID(rpmPubkeyPgpDigParams(key)), PGP_KEYID_LEN);
}

[[noreturn]] void refuse(const fs::path & file, const std::string & what) {
    throw UserError(fmt::format(
        "the file {} in the directory of keys {}; leave only files of public keys there, as \"gpg --export --armor\" "
        "writes them.",
        file.string(),
        what));
}

// The packets of each armored block, or the file as it is.
std::vector<std::string> blocks_of(const std::string & content, const fs::path & file) {
    constexpr std::string_view BEGIN = "-----BEGIN PGP PUBLIC KEY BLOCK-----";
    constexpr std::string_view END = "-----END PGP PUBLIC KEY BLOCK-----";
    if (content.find("-----BEGIN PGP PRIVATE KEY BLOCK-----") != std::string::npos) {
        refuse(file, "holds a private key");
    }
    std::vector<std::string> blocks;
    for (auto begin = content.find(BEGIN); begin != std::string::npos; begin = content.find(BEGIN, begin + 1)) {
        const auto end = content.find(END, begin);
        std::uint8_t * packets = nullptr;
        std::size_t size = 0;
        if (end == std::string::npos ||
            pgpParsePkts((content.substr(begin, end + END.size() - begin) + "\n").c_str(), &packets, &size) !=
                PGPARMOR_PUBKEY) {
            refuse(file, "is damaged: a block of it is not a whole public key");
        }
        const std::unique_ptr<std::uint8_t, librpm::Free<std::free>> owner(packets);
        blocks.emplace_back(reinterpret_cast<const char *>(packets), size);
    }
    if (blocks.empty()) {
        blocks.push_back(content);
    }
    return blocks;
}

// A file may hold several keys one after the other.
std::vector<std::string> certificates_in(std::string packets, const fs::path & file) {
    std::vector<std::string> result;
    while (!packets.empty()) {
        std::size_t size = 0;
        if (pgpPubKeyCertLen(octets(packets), packets.size(), &size) != 0 || size == 0 || size > packets.size()) {
            refuse(file, "is no OpenPGP public key");
        }
        result.push_back(packets.substr(0, size));
        packets.erase(0, size);
    }
    return result;
}

}  // namespace

void Keyring::Free::operator()(rpmKeyring_s * keys) const noexcept {
    rpmKeyringFree(keys);
}

Keyring::Keyring(const fs::path & directory) : directory_(directory) {
    librpm::start();
    keys_.reset(rpmKeyringNew());
    std::error_code error;
    if (!fs::is_directory(directory, error)) {
        throw UserError(fmt::format(
            "there is no directory {} to take keys from; --keyring names a directory of public keys, such as "
            "/etc/pki/rpm-gpg.",
            directory.string()));
    }
    std::vector<fs::path> files;
    for (fs::directory_iterator entry(directory, error), end; !error && entry != end; entry.increment(error)) {
        std::error_code ignored;
        if (entry->path().filename().string().front() != '.' && !entry->is_directory(ignored)) {
            files.push_back(entry->path());
        }
        if (files.size() > MAX_FILES) {
            throw UserError(
                fmt::format("{} holds more than {} files: it is no directory of keys.", directory.string(), MAX_FILES));
        }
    }
    if (error) {
        throw SystemError(fmt::format("cannot list the directory of keys {}", directory.string()), error.value());
    }
    std::sort(files.begin(), files.end());
    for (const fs::path & file : files) {
        read(file);
    }
    if (owners_.empty()) {
        throw UserError(fmt::format(
            "there is no {}public key in the directory {}; export the keys that you trust into it (gpg --export "
            "--armor).",
            files.empty() ? "" : "usable ",
            directory.string()));
    }
}

void Keyring::read(const fs::path & file) {
    const std::string content = common::read_file(file, MAX_FILE_SIZE);
    if (content.empty()) {
        refuse(file, "is empty");
    }
    bool all = true;
    for (const std::string & block : blocks_of(content, file)) {
        for (const std::string & certificate : certificates_in(block, file)) {
            all = add(certificate) && all;
        }
    }
    if (!all) {
        unusable_.push_back(file.filename().string());
    }
}

bool Keyring::add(const std::string & certificate) {
    const KeyOwner key(rpmPubkeyNew(octets(certificate), certificate.size()));
    std::uint8_t * fingerprint = nullptr;
    std::size_t size = 0;
    if (!key || pgpPubkeyFingerprint(octets(certificate), certificate.size(), &fingerprint, &size) != 0) {
        return false;
    }
    const std::unique_ptr<std::uint8_t, librpm::Free<std::free>> owner(fingerprint);
    const char * user = pgpDigParamsUserID(rpmPubkeyPgpDigParams(key.get()));
    const std::string name = fmt::format(
        "{} ({})",
        hex(fingerprint, size),
        user == nullptr || *user == '\0' ? "no user ID" : common::printable(user, 200));
    rpmKeyringAddKey(keys_.get(), key.get());
    owners_.emplace(key_id_of(key.get()), name);
    int count = 0;
    rpmPubkey * subkeys = rpmGetSubkeys(key.get(), &count);
    const std::unique_ptr<rpmPubkey, librpm::Free<std::free>> list(subkeys);
    for (int i = 0; i < count; ++i) {
        const KeyOwner subkey(subkeys[i]);
        rpmKeyringAddKey(keys_.get(), subkey.get());
        owners_.emplace(key_id_of(subkey.get()), name);
    }
    return true;
}

std::string Keyring::owner_of(const std::string & key_id) const {
    const auto owner = owners_.find(key_id);
    return owner == owners_.end() ? std::string() : owner->second;
}

}  // namespace bootbudget::packages
