// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <string_view>

namespace bootbudget::kernel {

/// The text of policies/kinds.yaml at build time.
extern const std::string_view KINDS_YAML;

}  // namespace bootbudget::kernel
