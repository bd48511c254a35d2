// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "packages/block_queue.hpp"
#include "packages/entries.hpp"
#include "packages/librpm.hpp"
#include "packages/rpm_file.hpp"

#include <cstddef>
#include <span>
#include <stop_token>
#include <vector>

namespace bootbudget::packages {

/// All names of the content that belongs to this file in the package's header: itself, or all hard links to it.
std::span<const int> names_of(rpmfiles files, const int & file);

/// Reads the payload of an opened package once and passes on the contents of the files that have a place, each by the index of the file that the archive has it
/// under, until the last of them; what follows is not read. Nothing is passed on once the queue is aborted. UserError if the payload is not what the header
/// says, Cancelled on stop; the queue is neither finished nor aborted then.
void read_archive(
    librpm::Package & opened,
    rpmfiles files,
    const std::vector<Entry> & entries,
    const RpmFile & package,
    BlockQueue & queue,
    std::stop_token stop);

}  // namespace bootbudget::packages
