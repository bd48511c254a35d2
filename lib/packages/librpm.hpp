// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/descriptor.hpp"

#include <rpm/header.h>
#include <rpm/rpmarchive.h>
#include <rpm/rpmcrypto.h>
#include <rpm/rpmds.h>
#include <rpm/rpmfi.h>
#include <rpm/rpmfiles.h>
#include <rpm/rpmio.h>
#include <rpm/rpmlib.h>
#include <rpm/rpmts.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <type_traits>

namespace bootbudget::packages::librpm {

/// Owners of librpm's reference-counted objects.
template <auto FREE>
struct Free {
    template <typename T>
    void operator()(T * object) const noexcept {
        FREE(object);
    }
};
using HeaderOwner = std::unique_ptr<std::remove_pointer_t<Header>, Free<headerFree>>;
using FileOwner = std::unique_ptr<std::remove_pointer_t<FD_t>, Free<Fclose>>;
using FilesOwner = std::unique_ptr<std::remove_pointer_t<rpmfiles>, Free<rpmfilesFree>>;
using IteratorOwner = std::unique_ptr<std::remove_pointer_t<rpmfi>, Free<rpmfiFree>>;
using DependenciesOwner = std::unique_ptr<std::remove_pointer_t<rpmds>, Free<rpmdsFree>>;
using StringOwner = std::unique_ptr<char, Free<std::free>>;

/// Reads librpm's configuration and takes its messages over, once in this process; whatever else is here does it by itself. SystemError if there is none.
void start();

/// What librpm had to say in this thread since forget_messages(), on one line and fit for a sentence; empty if nothing.
std::string messages();
void forget_messages();

/// A digest under construction.
class Digest {
public:
    /// `algorithm`: a hash of RFC 4880 9.4 as rpm numbers them, 8 for SHA-256. BugError for one that librpm does not have: ask knows() first.
    explicit Digest(int algorithm);
    ~Digest();
    Digest(const Digest &) = delete;
    Digest & operator=(const Digest &) = delete;

    static bool knows(int algorithm);
    void add(const void * bytes, std::size_t size);

    /// For functions of librpm that go on with a copy of it.
    DIGEST_CTX context() const noexcept { return context_; }

    /// Lower-case hex; the digest is used up.
    std::string hex();

private:
    DIGEST_CTX context_ = nullptr;
};

/// A package file, open at its payload, with its verified header.
struct Package {
    common::Descriptor file;
    FileOwner stream;  ///< at the payload's first byte, not yet decompressed
    HeaderOwner header;
    std::uint64_t size = 0;            ///< of the file
    std::uint64_t payload_offset = 0;  ///< from the file's begin
};

/// Opens a package and checks all but its payload: that lead, signature header and main header are whole, that the main header has a digest and the digest
/// is right, and that the file is as long as its header says. No signature is looked at, no keyring and no database is opened, and librpm prints nothing
/// (from here on its messages are kept for errors in this process). UserError naming the file and what is wrong with it; SystemError if it cannot be read.
Package open_package(const std::filesystem::path & path);

/// A string tag, empty where there is none.
std::string text(Header header, rpmTagVal tag);

/// The main header as its digest and its signature cover it: the bytes of the package's file, but taken from the header in memory, and so from what was
/// verified. UserError naming `path` for a header of before rpm 4.0, which has no part that is fixed.
std::string signed_bytes(Header header, const std::filesystem::path & path);

/// The package's files; UserError naming `path` if the header's lists of files contradict each other.
FilesOwner files_of(Header header, const std::filesystem::path & path);

}  // namespace bootbudget::packages::librpm
