// SPDX-License-Identifier: GPL-2.0-or-later
// An index names the metadata, with checksums; the metadata name the packages, with checksums; so what is booted in the end is what the index promised,
// whoever served it. Only the index itself is fetched every time.
#include "packages/repository.hpp"

#include "common/digest.hpp"
#include "common/file.hpp"
#include "common/machine.hpp"
#include "common/units.hpp"
#include "net/url.hpp"
#include "packages/boot_set.hpp"
#include "packages/repomd.hpp"
#include "packages/solv_cache.hpp"

#include <fmt/format.h>
#include <bootbudget/error.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <string_view>

namespace bootbudget::packages {

namespace fs = std::filesystem;

namespace {

constexpr std::array SCHEMES{std::string_view("https://"), std::string_view("http://"), std::string_view("file://")};
constexpr std::uint64_t MAX_PACKAGE = std::uint64_t{4} << 30U;

// xml:base is mostly absent, and is not always a proper URL.
std::string address(const std::string & directory, const std::string & base, const std::string & href) {
    if (base.empty()) {
        return net::join(directory, href);
    }
    return net::join(net::join(directory, is_repository(base) ? repository_url(base) : base), href);
}

net::Download download_of(const std::string & directory, const MetadataFile & file, const std::string & what) {
    net::Download download;
    download.url = address(directory, file.base, file.href);
    download.what = what;
    download.size = file.size;
    download.checksum = file.checksum;
    download.max_size = MAX_METADATA;
    return download;
}

std::string fetch_index(
    const std::string & url, const net::FetchOptions & options, Progress & progress, std::stop_token stop) {
    net::Download index;
    index.url = net::join(url, "repodata/repomd.xml");
    index.what = "repomd.xml";
    index.max_size = MAX_REPOMD;
    return common::read_file(net::fetch({index}, options, progress, std::move(stop)).at(0), MAX_REPOMD);
}

Universe parse_repository(
    const std::string & url,
    const Repomd & repomd,
    const net::FetchOptions & options,
    Progress & progress,
    std::stop_token stop) {
    const std::vector<net::Download> downloads{
        download_of(url, repomd.primary, "primary"), download_of(url, repomd.filelists, "filelists")};
    const auto files = net::fetch(downloads, options, progress, stop);
    const auto source = [&](std::size_t i, const MetadataFile & file) {
        return MetadataSource{files.at(i), net::shown(downloads[i].url), file.open_size.value_or(MAX_OPEN_METADATA)};
    };
    progress.step("reading the repository's metadata");
    Universe universe;
    load_metadata(universe, source(0, repomd.primary), source(1, repomd.filelists), std::move(stop));
    return universe;
}

std::string names_of_others(const std::vector<KernelBuild> & builds, const KernelBuild & chosen) {
    std::vector<std::string> names;
    for (const KernelBuild & build : builds) {
        if (build.nvr != chosen.nvr) {
            names.push_back(build.nvr);
        }
    }
    return list_of(names);
}

// The packages of the boot sets are looked up by name when they are to be had.
std::map<std::string, net::Download> downloads_of(
    const std::vector<RepositoryPackage> & packages,
    const std::vector<FoundKernel> & kernels,
    const std::string & url) {
    std::map<std::string, net::Download> result;
    for (const FoundKernel & kernel : kernels) {
        for (const RpmFile & chosen : kernel.boot_set) {
            const auto found = std::find_if(packages.begin(), packages.end(), [&](const RepositoryPackage & one) {
                return one.package.nevra == chosen.nevra;
            });
            if (found->checksum.hex.empty() || found->href.empty()) {
                throw UserError(fmt::format(
                    "the repository {} gives no {} of {}; the repository is damaged.",
                    net::shown(url),
                    found->href.empty() ? "address" : "checksum",
                    chosen.nevra));
            }
            net::Download download;
            download.url = address(url, found->base, found->href);
            download.what = chosen.nevra + ".rpm";
            download.checksum = found->checksum;
            download.max_size = MAX_PACKAGE;
            if (found->size != 0) {
                download.size = found->size;
            }
            result.emplace(chosen.nevra, std::move(download));
        }
    }
    return result;
}

}  // namespace

bool is_repository(const std::string & where) {
    return std::any_of(
        SCHEMES.begin(), SCHEMES.end(), [&](std::string_view scheme) { return where.starts_with(scheme); });
}

std::string repository_url(const std::string & where) {
    const std::size_t path = where.find('/', where.find("://") + 3);
    std::string url = path == std::string::npos ? where : where.substr(0, path);
    if (path != std::string::npos) {
        if (where.find_first_of("?#", path) != std::string::npos) {
            throw UserError(fmt::format(
                "the repository's address {} has a query or a fragment in it; give the address of the directory above "
                "repodata/.",
                net::shown(where)));
        }
        url += net::percent_encoded(where.substr(path));
    }
    for (const std::string_view end : {"repodata/repomd.xml", "repodata/"}) {
        if (url.ends_with(std::string("/").append(end))) {
            url.erase(url.size() - end.size());
        }
    }
    return url.ends_with('/') ? url : url + "/";
}

net::FetchOptions fetch_options(const fs::path & cache) {
    net::FetchOptions options;
    options.cache = cache.empty() ? net::default_cache() : fs::absolute(cache);
    const char * const certificates = std::getenv("CURL_CA_BUNDLE");  // NOLINT(concurrency-mt-unsafe)
    if (certificates != nullptr && *certificates != '\0') {
        options.ca_file = certificates;
    }
    return options;
}

Universe load_repository(
    const std::string & url, const net::FetchOptions & options, Progress & progress, std::stop_token stop) {
    const std::string index = fetch_index(url, options, progress, stop);
    const SolvCache solv(options.cache / "solv", net::identity(url), common::sha256(index));
    {
        Universe universe;
        if (solv.load(universe)) {
            return universe;
        }
    }
    const Repomd repomd = parse_repomd(index, net::shown(net::join(url, "repodata/repomd.xml")));
    Universe universe = parse_repository(url, repomd, options, progress, std::move(stop));
    try {
        solv.store(universe);
    } catch (const SystemError & error) {
        progress.warn(
            fmt::format("The next check will read the metadata of {} again: {}", net::shown(url), error.what()));
    }
    return universe;
}

FoundBuild find_repository(const Place & place, Progress & progress, std::stop_token stop) {
    const std::string url = repository_url(place.where);
    const std::string shown = net::shown(url);
    const std::string arch = common::machine_arch();
    const net::FetchOptions options = fetch_options(place.cache);
    Universe universe = load_repository(url, options, progress, std::move(stop));
    const std::vector<KernelBuild> builds = kernel_builds(universe, arch);
    if (builds.empty()) {
        throw UserError(fmt::format(
            "there is no kernel for {} in the repository {}: none of its packages provides kernel-uname-r or holds an "
            "image; give the repository that the kernel's build is in.",
            arch,
            shown));
    }
    const KernelBuild chosen = choose_build(builds, place.select, Several::NEWEST, shown);

    FoundBuild build;
    build.where = net::shown(place.where);
    const auto packages = admit_build(universe, chosen, arch, shown);
    Kernels found = find_kernels(universe, shown);
    build.nvr = chosen.nvr;
    build.kernels = std::move(found.kernels);
    build.notes = std::move(found.notes);
    build.remote = Remote{downloads_of(packages, build.kernels, url), options, nullptr};
    if (builds.size() > 1) {
        build.notes.insert(
            build.notes.begin(),
            fmt::format(
                "{} was taken{}; passed over: {} (--select takes another).",
                chosen.nvr,
                place.select.empty() ? ", the newest build" : " as selected",
                names_of_others(builds, chosen)));
    }
    return build;
}

}  // namespace bootbudget::packages
