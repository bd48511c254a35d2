// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "kernel/boot_tree.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace bootbudget::kernel {

/// The addresses of functions by the tree's System.map ("ffffffff81000000 T start_kernel", the output of nm(1); a kernel built with RANDOMIZE_BASE runs
/// elsewhere unless told nokaslr). Names that it does not have, or has at several addresses, are left out; so are all where there is no System.map
/// or none that can be read.
std::map<std::string, std::uint64_t> addresses_of(const BootTree & tree, const std::vector<std::string> & functions);

}  // namespace bootbudget::kernel
