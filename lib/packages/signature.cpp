// SPDX-License-Identifier: GPL-2.0-or-later
// rpmReadPackageFile() with a keyring says that nothing was wrong, not that anything was signed: it is content with a package that has no signature, or one of a kind
// that it does not look at. So each signature of the header is taken by itself and must be good by its own.
#include "packages/signature.hpp"

#include "common/units.hpp"
#include "packages/keyring.hpp"

#include <fmt/format.h>
#include <rpm/rpmbase64.h>
#include <rpm/rpmkeyring.h>
#include <rpm/rpmpgp.h>
#include <rpm/rpmtd.h>
#include <bootbudget/error.hpp>

#include <algorithm>
#include <array>
#include <vector>

namespace bootbudget::packages {

namespace {

// Newer than some versions of librpm, which do not name it (rpmtag.h): one or more signatures in base64.
constexpr rpmTagVal OPENPGP = 278;
constexpr std::array<rpmTagVal, 3> OVER_HEADER{RPMTAG_RSAHEADER, RPMTAG_DSAHEADER, OPENPGP};
// Over header and payload, as rpm 3 made them.
constexpr std::array<rpmTagVal, 2> OVER_ALL{RPMTAG_SIGPGP, RPMTAG_SIGGPG};

using SignatureOwner = std::unique_ptr<std::remove_pointer_t<pgpDigParams>, librpm::Free<pgpDigParamsFree>>;

template <typename Tags>
bool has_any(Header header, const Tags & tags) {
    return std::any_of(tags.begin(), tags.end(), [header](rpmTagVal tag) { return headerIsEntry(header, tag) != 0; });
}

// The OpenPGP packets of all signatures of the header.
std::vector<std::string> packets_of(Header header) {
    std::vector<std::string> result;
    for (const rpmTagVal tag : OVER_HEADER) {
        rpmtd_s value{};
        if (headerGet(header, tag, &value, HEADERGET_MINMEM) == 0) {
            continue;
        }
        if (value.type == RPM_BIN_TYPE) {
            result.emplace_back(static_cast<const char *>(value.data), value.count);
        }
        for (const char * text = rpmtdNextString(&value); text != nullptr; text = rpmtdNextString(&value)) {
            void * bytes = nullptr;
            std::size_t size = 0;
            if (rpmBase64Decode(text, &bytes, &size) == 0) {
                result.emplace_back(static_cast<const char *>(bytes), size);
            } else {
                result.emplace_back();  // told like any other that cannot be read
            }
            std::free(bytes);
        }
        rpmtdFreeData(&value);
    }
    return result;
}

// One package and what is demanded of it.
class Examination {
public:
    Examination(Header header, const std::filesystem::path & path, const Keyring & keyring)
        : header_(header), path_(path), keyring_(keyring), bytes_(librpm::signed_bytes(header, path)) {}

    std::string run() {
        const std::vector<std::string> signatures = packets_of(header_);
        if (signatures.empty()) {
            refuse(
                has_any(header_, OVER_ALL)
                    ? "has no signature of its header, only one as rpm 3 made them; sign it again (rpmsign --addsign)"
                    : "is not signed, and a good signature is demanded (--keyring); sign it (rpmsign --addsign)");
        }
        std::string good;
        for (const std::string & packets : signatures) {
            const std::string owner = examine(packets);
            if (good.empty()) {
                good = owner;
            }
        }
        if (good.empty()) {
            std::string beside;
            for (const std::string & file : keyring_.unusable()) {
                beside += (beside.empty() ? "" : ", ") + common::printable(file, 100);
            }
            refuse(fmt::format(
                "is signed by the key {}, which is not in {}{}; put that key there if you trust it",
                stranger_,
                keyring_.directory().string(),
                beside.empty() ? "" : fmt::format(" (this librpm cannot use keys in {})", beside)));
        }
        return "good: " + good;
    }

private:
    [[noreturn]] void refuse(const std::string & what) const {
        throw UserError(fmt::format(
            "the package {} ({}) {}.",
            common::printable(librpm::text(header_, RPMTAG_NEVRA), 300),
            path_.string(),
            what));
    }

    // The owner of the key that made it; empty if it is not a key of ours.
    std::string examine(const std::string & packets) {
        pgpDigParams parsed = nullptr;
        const int failed = pgpPrtParams(
            reinterpret_cast<const std::uint8_t *>(packets.data()), packets.size(), PGPTAG_SIGNATURE, &parsed);
        const SignatureOwner signature(parsed);
        if (failed != 0 || !signature || pgpSignatureType(signature.get()) != PGPSIGTYPE_BINARY) {
            refuse("has a signature that this librpm cannot read; use a newer rpm, or fetch or sign the package again");
        }
        std::string key_id;
        for (std::size_t i = 0; i < PGP_KEYID_LEN; ++i) {
            key_id += fmt::format("{:02x}", pgpDigParamsSignID(signature.get())[i]);
        }
        const std::string owner = keyring_.owner_of(key_id);
        if (owner.empty()) {
            stranger_ = key_id;
            return {};
        }
        const auto algorithm = static_cast<int>(pgpDigParamsAlgo(signature.get(), PGPVAL_HASHALGO));
        constexpr std::array STRONG{RPM_HASH_SHA256, RPM_HASH_SHA384, RPM_HASH_SHA512};
        if (std::find(STRONG.begin(), STRONG.end(), algorithm) == STRONG.end()) {
            refuse(fmt::format(
                "is signed by the key {} over a digest of a kind (number {}) that can be forged or that is not known; "
                "sign it again",
                owner,
                algorithm));
        }
        librpm::Digest digest(algorithm);
        digest.add(bytes_.data(), bytes_.size());
        librpm::forget_messages();
        if (rpmKeyringVerifySig(keyring_.handle(), signature.get(), digest.context()) != RPMRC_OK) {
            const std::string why = librpm::messages();
            refuse(fmt::format(
                "has a bad signature by the key {}{}; fetch or sign it again",
                owner,
                why.empty() ? "" : fmt::format(" ({})", why)));
        }
        return owner;
    }

    Header header_;
    const std::filesystem::path & path_;
    const Keyring & keyring_;
    std::string bytes_;
    std::string stranger_;  ///< the last key ID that is not in the keyring
};

}  // namespace

std::string signature_of(Header header, const std::filesystem::path & path, const Keyring * keyring) {
    if (keyring != nullptr) {
        return Examination(header, path, *keyring).run();
    }
    return has_any(header, OVER_HEADER) || has_any(header, OVER_ALL) ? "not checked" : "unsigned";
}

}  // namespace bootbudget::packages
