// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

// The one file that the QEMU plugin and the library share. It depends on nothing else: the plugin is loaded into QEMU and links no library.
//
// The plugin's arguments (qemu-system-x86_64 -plugin bootbudget-counter.so,page=FILE,ram=BYTES[,lines=FILE]; a comma in a path is doubled, see qemu(1)):
//   page=FILE   an existing file of at least PAGE_BYTES bytes, all zero; mapped shared, holds a CounterPage at its start
//   ram=BYTES   the guest's memory, a decimal number
//   marks=A:B:… optional; up to MARKS virtual addresses in hexadecimal, 0 for none: the total is noted when each is executed for the first time
//   lines=FILE  optional; created or emptied, gets one line per line that the guest wrote to its first serial port, flushed at each:
//                   COUNT " " TEXT "\n"
//               COUNT is the total of guest instructions executed before the line's first byte left the guest (the `out` itself not counted).
//               TEXT is what the guest wrote without '\r' and '\0', cut at LINE_BYTES. A line that the firmware left unfinished ends where the kernel
//               writes its first byte, so that the kernel's first line has a COUNT of its own. An unfinished last line is written when QEMU ends in good order.
//               Needs API 3 and an x86-64 guest; what stands in the way otherwise is a flag, never an error.

namespace bootbudget::boot {

/// What the numbers in a CounterPage lack, or why there is no file of lines although one was asked for. Bits of CounterPage::flags.
enum CounterFlag : std::uint32_t {
    COUNTER_PARTS_NOT_TOLD_APART = 1U << 0U,  ///< not an x86-64 guest: everything is in `kernel`
    COUNTER_LINES_NEED_API_3 = 1U << 1U,      ///< this QEMU's plugins cannot read registers
    COUNTER_LINES_NEED_X86_64 = 1U << 2U,
    COUNTER_LINES_NO_REGISTERS = 1U << 3U,  ///< the calls are missing, or the CPU lists no registers "rax" and "rdx"
    COUNTER_LINES_NOT_WRITABLE = 1U << 4U,  ///< the file could not be created or written; lines before that are good
    COUNTER_LINES_TOO_MANY = 1U << 5U,      ///< the file reached LINES_FILE_BYTES; lines before that are good
    COUNTER_SAMPLER_MISSING = 1U << 6U,     ///< no thread could be started: the counters move only when the guest ends
};

/// The file's first bytes; native byte order, the reader being on the same machine. The counters are guest instructions executed, of all virtual
/// CPUs together, and live: on API 1 each is exact at any moment (with several virtual CPUs a few may be lost), from API 2 on at most about a
/// millisecond of host time old, and exact once `state` is ENDED. A QEMU that was killed leaves its last values and RUNNING.
struct CounterPage {
    static constexpr std::uint64_t MAGIC = 0x31'74'65'67'64'75'62'62;  ///< the bytes "bbudget1"
    static constexpr std::size_t PAGE_BYTES = 4096;
    static constexpr std::size_t LINE_BYTES = 4096;
    static constexpr std::size_t MARKS = 4;
    static constexpr std::uint64_t LINES_FILE_BYTES = 64ULL << 20U;

    enum State : std::uint32_t { NEVER_LOADED = 0, RUNNING = 1, ENDED = 2 };

    std::uint64_t magic;     ///< MAGIC, or 0 if no plugin has ever been installed on this file
    std::uint32_t api;       ///< the plugin API version of this QEMU (its current one)
    std::uint32_t state;     ///< a State
    std::uint64_t firmware;  ///< below 1 MiB or in the top 32 MiB of low memory, before the kernel proper has begun
    std::uint64_t decompression;  ///< other low addresses before the kernel proper has begun: boot loader, decompressor
    std::uint64_t kernel;         ///< everything else: kernel and user space
    std::uint32_t flags;          ///< CounterFlag bits
    std::uint32_t reserved;       ///< 0
    std::uint64_t marks[MARKS];   ///< the total before each mark's first execution; 0: not executed, or not wanted
};
static_assert(sizeof(CounterPage) == 80 && sizeof(CounterPage) <= CounterPage::PAGE_BYTES);

/// All guest instructions so far.
constexpr std::uint64_t total(const CounterPage & page) {
    return page.firmware + page.decompression + page.kernel;
}

}  // namespace bootbudget::boot
