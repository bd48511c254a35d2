// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "boot/counter_page.hpp"
#include "parts.hpp"
#include "qemu_api.hpp"
#include "totals.hpp"

#include <cstddef>
#include <cstdint>

namespace bootbudget::counter {

/// Notes the total when an address is executed for the first time. Needs no registers, so that every API can do it.
class Marks {
public:
    using Addresses = std::uint64_t[boot::CounterPage::MARKS];

    /// False if no address is wanted, or this QEMU lacks a call.
    bool prepare(const Addresses & addresses, const QemuApi & api, boot::CounterPage & page, const Totals & totals);

    /// Puts a call at each address within a block that is being translated.
    void instrument(Block * block) const;

private:
    static void executed(unsigned cpu, void * context);
    void put_call(Block * block, std::size_t mark) const;

    const QemuApi * api_ = nullptr;
    boot::CounterPage * page_ = nullptr;
    const Totals * totals_ = nullptr;
    Addresses addresses_ = {};
};

}  // namespace bootbudget::counter
