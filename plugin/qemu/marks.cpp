// SPDX-License-Identifier: GPL-2.0-or-later
// A block's instructions are added when it begins, so that at an address within it those that are still ahead have to be taken off again. How many these are
// travels with the call, in its context.
#include "marks.hpp"

#include <atomic>
#include <cstring>

namespace bootbudget::counter {
namespace {

constexpr unsigned MARK_BITS = 3;
static_assert(boot::CounterPage::MARKS <= 1U << MARK_BITS);

constexpr std::uint64_t MAX_BLOCK_BYTES = 8192;  // a block lies in two pages at most (QEMU, accel/tcg/translator.c)

const Marks * watching = nullptr;

}  // namespace

bool Marks::prepare(const Addresses & addresses, const QemuApi & api, boot::CounterPage & page, const Totals & totals) {
    bool wanted = false;
    for (const std::uint64_t address : addresses) {
        wanted = wanted || address != 0;
    }
    if (!wanted || !api.tb_get_insn || !api.insn_vaddr || !api.register_vcpu_insn_exec_cb) {
        return false;
    }
    api_ = &api;
    page_ = &page;
    totals_ = &totals;
    std::memcpy(addresses_, addresses, sizeof addresses_);
    watching = this;
    return true;
}

void Marks::instrument(Block * block) const {
    const std::uint64_t begin = api_->tb_vaddr(block);
    for (std::size_t mark = 0; mark < boot::CounterPage::MARKS; ++mark) {
        if (addresses_[mark] != 0 && addresses_[mark] - begin < MAX_BLOCK_BYTES) {
            put_call(block, mark);
        }
    }
}

void Marks::put_call(Block * block, std::size_t mark) const {
    const std::size_t count = api_->tb_n_insns(block);
    for (std::size_t index = 0; index < count; ++index) {
        Instruction * const instruction = api_->tb_get_insn(block, index);
        if (api_->insn_vaddr(instruction) == addresses_[mark]) {
            const std::uintptr_t context = (count - index) << MARK_BITS | mark;
            // QEMU carries it as a pointer, and nobody follows it.
            void * const pointer = reinterpret_cast<void *>(context);  // NOLINT(performance-no-int-to-ptr)
            api_->register_vcpu_insn_exec_cb(instruction, executed, NO_REGISTERS, pointer);
        }
    }
}

void Marks::executed(unsigned, void * context) {
    const auto value = reinterpret_cast<std::uintptr_t>(context);
    const std::uint64_t ahead = value >> MARK_BITS;
    std::atomic_ref noted(watching->page_->marks[value & ((1U << MARK_BITS) - 1)]);
    std::uint64_t never = 0;
    if (noted.load(std::memory_order_relaxed) == never) {
        noted.compare_exchange_strong(never, watching->totals_->total() - ahead, std::memory_order_relaxed);
    }
}

}  // namespace bootbudget::counter
