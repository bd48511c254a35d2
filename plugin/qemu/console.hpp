// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "boot/counter_page.hpp"
#include "parts.hpp"
#include "qemu_api.hpp"
#include "totals.hpp"

#include <pthread.h>

#include <cstddef>
#include <cstdint>

namespace bootbudget::counter {

/// Listens to the bytes that an x86-64 guest writes to its first serial port, and writes the file of lines (lib/boot/counter_page.hpp).
class Console {
public:
    /// Opens the file; false after a flag in `page` has said what is missing.
    bool open(
        const char * path, const char * target, const QemuApi & api, boot::CounterPage & page, const Totals & totals);

    /// Learns the registers' handles; in the start of a virtual CPU, which is the only place where QEMU tells them.
    void learn_registers();

    /// Puts a call at each `out %al,(%dx)` of a block that is being translated and belongs to `part`.
    void instrument(Block * block, Part part);

    /// Writes what is left of an unfinished line.
    void close();

private:
    /// What a call carries of its `out`, packed into one pointer.
    struct Place {
        std::uint64_t
            ahead;  ///< instructions of the block that have been counted and not executed yet: itself and what follows
        Part part;
    };
    static void * packed(Place place);
    static Place unpacked(void * context);

    static void output_executed(unsigned cpu, void * context);
    void out(std::uint16_t port, unsigned char byte, Place place);
    void add(unsigned char byte, Place place);
    void write_line();
    std::uint64_t read(Register * handle);

    const QemuApi * api_ = nullptr;
    boot::CounterPage * page_ = nullptr;
    const Totals * totals_ = nullptr;
    int file_ = -1;
    std::uint64_t written_ = 0;

    Register * rax_ = nullptr;
    Register * rdx_ = nullptr;
    GlibArray * bytes_ = nullptr;
    bool registers_learned_ = false;

    pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;  ///< virtual CPUs may write at once
    bool divisor_selected_ = false;
    bool line_begun_ = false;
    std::uint64_t line_start_ = 0;
    Part line_part_ = Part::FIRMWARE;
    std::size_t line_length_ = 0;
    char line_[boot::CounterPage::LINE_BYTES] = {};
};

}  // namespace bootbudget::counter
