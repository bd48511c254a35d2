// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "boot/counter_page.hpp"
#include "parts.hpp"
#include "qemu_api.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace bootbudget::counter {

/// The three counters: where the guest's blocks add to them, and how they are read.
///
/// On API 1 QEMU adds to any address, so that is the shared page itself. From API 2 on it adds to a scoreboard's entry of the virtual CPU, which is
/// summed up and copied.
class Totals {
public:
    /// Makes the scoreboard where there are any. Returns false if QEMU gives none.
    bool prepare(const QemuApi & api, boot::CounterPage & page) {
        api_ = &api;
        page_ = &page;
        if (api.has_scoreboards()) {
            score_ = api.scoreboard_new(sizeof(Entry));
            return score_ != nullptr;
        }
        return true;
    }

    /// Lets a block, while it is translated, add its number of instructions whenever it begins.
    void count(Block * block, Part part) const {
        const std::size_t instructions = api_->tb_n_insns(block);
        if (score_) {
            api_->register_vcpu_tb_exec_inline_per_vcpu(block, INLINE_ADD_U64, field(part), instructions);
        } else {
            api_->register_vcpu_tb_exec_inline(block, INLINE_ADD_U64, &counter(part), instructions);
        }
    }

    /// Guest instructions so far. Only once all virtual CPUs have started.
    std::uint64_t total() const { return now(Part::FIRMWARE) + now(Part::DECOMPRESSION) + now(Part::KERNEL); }

    /// Copies the counters into the page; nothing to do on API 1.
    void publish() const {
        if (score_) {
            for (const Part part : {Part::FIRMWARE, Part::DECOMPRESSION, Part::KERNEL}) {
                std::atomic_ref(counter(part)).store(now(part), std::memory_order_relaxed);
            }
        }
    }

private:
    struct Entry {
        std::uint64_t counters[3];
    };

    ScoreField field(Part part) const { return {score_, static_cast<std::size_t>(part) * sizeof(std::uint64_t)}; }

    std::uint64_t & counter(Part part) const {
        switch (part) {
            case Part::FIRMWARE:
                return page_->firmware;
            case Part::DECOMPRESSION:
                return page_->decompression;
            case Part::KERNEL:
                break;
        }
        return page_->kernel;
    }

    std::uint64_t now(Part part) const {
        return score_ ? api_->u64_sum(field(part)) : std::atomic_ref(counter(part)).load(std::memory_order_relaxed);
    }

    const QemuApi * api_ = nullptr;
    boot::CounterPage * page_ = nullptr;
    Scoreboard * score_ = nullptr;
};

}  // namespace bootbudget::counter
