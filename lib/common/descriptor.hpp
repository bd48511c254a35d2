// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <utility>

namespace bootbudget::common {

/// A file descriptor that is closed with its owner.
class Descriptor {
public:
    Descriptor() = default;
    explicit Descriptor(int number) noexcept : number_(number) {}
    ~Descriptor() { close(); }
    Descriptor(Descriptor && other) noexcept : number_(std::exchange(other.number_, -1)) {}
    Descriptor & operator=(Descriptor && other) noexcept;
    Descriptor(const Descriptor &) = delete;
    Descriptor & operator=(const Descriptor &) = delete;

    /// -1 when there is none.
    int number() const noexcept { return number_; }
    explicit operator bool() const noexcept { return number_ >= 0; }

    /// Closes it now; errors of close(2) are of no use to anybody and are ignored.
    void close() noexcept;

    /// Gives it away; the caller closes it.
    int release() noexcept { return std::exchange(number_, -1); }

private:
    int number_ = -1;
};

}  // namespace bootbudget::common
