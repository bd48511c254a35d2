// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <atomic>
#include <cstdint>

namespace bootbudget::counter {

enum class Part { FIRMWARE, DECOMPRESSION, KERNEL };

/// Says which part of an x86-64 boot with SeaBIOS a translated block belongs to, by its virtual address alone; must be asked in the order of translation.
///
/// SeaBIOS starts at the top of 4 GiB, runs below 1 MiB, and its initialisation from a copy at the end of the memory below 4 GiB (SeaBIOS,
/// docs/Execution_and_code_flow.md). The kernel's setup code and decompressor run where the boot loader put them, identity mapped. The kernel proper is
/// linked into the top 2 GiB of the address space, with KASLR too (Documentation/arch/x86/x86_64/mm.rst), and once it has begun, low addresses
/// are user space.
class Parts {
public:
    /// The guest's memory in bytes; before anything is asked.
    void set_memory(std::uint64_t ram) { ram_ = ram; }

    Part of(std::uint64_t address) {
        if (kernel_has_begun_.load(std::memory_order_relaxed)) {
            return Part::KERNEL;
        }
        if (address >= KERNEL_TEXT) {
            kernel_has_begun_.store(true, std::memory_order_relaxed);
            return Part::KERNEL;
        }
        if (address < MIB || (address >= ROM && address < 4 * GIB) || in_top_of_low_memory(address)) {
            return Part::FIRMWARE;
        }
        return Part::DECOMPRESSION;
    }

private:
    static constexpr std::uint64_t MIB = 1ULL << 20U;
    static constexpr std::uint64_t GIB = 1ULL << 30U;
    static constexpr std::uint64_t ROM = 4 * GIB - 16 * MIB;
    static constexpr std::uint64_t TOP = 32 * MIB;
    static constexpr std::uint64_t KERNEL_TEXT = 0xffff'ffff'8000'0000;

    /// Large memories are split around the hole below 4 GiB: q35 keeps 2 GiB below it from 2.75 GiB on, pc 3 GiB from 3.5 GiB on (QEMU's
    /// hw/i386/pc_q35.c, pc_piix.c).
    bool in_top_of_low_memory(std::uint64_t address) const {
        const auto below = [address](std::uint64_t end) { return address < end && end - address <= TOP; };
        return below(ram_) || (ram_ >= 2 * GIB + 768 * MIB && below(2 * GIB)) ||
               (ram_ >= 3 * GIB + 512 * MIB && below(3 * GIB));
    }

    std::uint64_t ram_ = 0;
    std::atomic<bool> kernel_has_begun_ = false;  ///< blocks of several virtual CPUs are translated in their threads
};

}  // namespace bootbudget::counter
