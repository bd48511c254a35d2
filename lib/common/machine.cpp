// SPDX-License-Identifier: GPL-2.0-or-later
// Kernels are booted under their own architecture's QEMU on a host of the same architecture, so uname(2)'s word is the one to compare with.
#include "common/machine.hpp"

#include <sys/utsname.h>

namespace bootbudget::common {

std::string machine_arch() {
    utsname names{};
    ::uname(&names);
    return names.machine;
}

}  // namespace bootbudget::common
