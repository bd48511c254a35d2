// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bootbudget/progress.hpp>

#include <memory>

namespace bootbudget::cli {

/// Progress on standard error: a bar with the time left on a terminal, plain lines elsewhere, only warnings when `quiet`.
///
/// The bar is ours because no C++ progress library is packaged in Debian 12 (indicators and its like are header files to copy); all it needs is one line
/// redrawn twice a second.
std::unique_ptr<Progress> make_progress(bool quiet);

}  // namespace bootbudget::cli
