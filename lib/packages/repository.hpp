// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "packages/metadata.hpp"
#include "packages/where.hpp"

#include <stop_token>
#include <string>

namespace bootbudget::packages {

/// True for an http, https or file URL.
bool is_repository(const std::string & where);

/// A repository's address with what people leave at its end or forget taken care of: "…/repo/repodata/repomd.xml" and "…/repo" are "…/repo/", and characters that a
/// URL cannot have are percent-encoded. UserError for a query or a fragment.
std::string repository_url(const std::string & where);

/// All of a repository's packages, from the cache if its index has not changed since. UserErrors and SystemErrors of net::fetch(), parse_repomd() and load_metadata().
Universe load_repository(
    const std::string & url, const net::FetchOptions & options, Progress & progress, std::stop_token stop);

/// How things are fetched: into `cache`, or the default one if it is empty; certificates to trust are those of $CURL_CA_BUNDLE, as for curl(1), else the system's.
net::FetchOptions fetch_options(const std::filesystem::path & cache);

/// The kernels of the newest build for this machine's architecture, or of the one that is selected, as the metadata describe them: no package has been downloaded,
/// see obtain(). UserError for a repository without kernels of this architecture, and those of load_repository() and choose_build().
FoundBuild find_repository(const Place & place, Progress & progress, std::stop_token stop);

}  // namespace bootbudget::packages
