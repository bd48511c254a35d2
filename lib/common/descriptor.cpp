// SPDX-License-Identifier: GPL-2.0-or-later
// Owning a descriptor: closed once, by whoever holds it last.
#include "common/descriptor.hpp"

#include <unistd.h>

namespace bootbudget::common {

Descriptor & Descriptor::operator=(Descriptor && other) noexcept {
    if (this != &other) {
        close();
        number_ = other.release();
    }
    return *this;
}

void Descriptor::close() noexcept {
    if (number_ >= 0) {
        ::close(std::exchange(number_, -1));
    }
}

}  // namespace bootbudget::common
