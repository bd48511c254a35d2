// SPDX-License-Identifier: GPL-2.0-or-later
// SeaBIOS and Linux's 8250 driver write each byte to the port with one `out %al,(%dx)` (0xEE), never with the string forms or in words. So a call at
// these instructions, which reads the two registers, sees every byte at the very instruction that writes it.
//
// QEMU adds a block's instructions when the block begins. What lies between the `out` and its block's end is known when the block is translated, and is
// handed to the call to be taken off again.
#include "console.hpp"

#include "page.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace bootbudget::counter {
namespace {

constexpr unsigned char OUT_AL_DX = 0xEE;
// The 16550's registers at the first port's usual address, and the line control's bit that lays the divisor over the data register.
constexpr std::uint16_t PORT_DATA = 0x3F8;
constexpr std::uint16_t PORT_LINE_CONTROL = 0x3FB;
constexpr unsigned char DIVISOR_LATCH = 0x80;

/// QEMU's calls carry one pointer, which is taken by the number.
Console * listening = nullptr;

bool write_all(int file, const char * bytes, std::size_t length) {
    while (length > 0) {
        const ssize_t written = ::write(file, bytes, length);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        bytes += written;
        length -= static_cast<std::size_t>(written);
    }
    return true;
}

}  // namespace

bool Console::open(
    const char * path, const char * target, const QemuApi & api, boot::CounterPage & page, const Totals & totals) {
    if (std::strcmp(target, "x86_64") != 0) {
        set_flag(page, boot::COUNTER_LINES_NEED_X86_64);
        return false;
    }
    if (api.version < 3) {
        set_flag(page, boot::COUNTER_LINES_NEED_API_3);
        return false;
    }
    if (!api.has_registers()) {
        set_flag(page, boot::COUNTER_LINES_NO_REGISTERS);
        return false;
    }
    file_ = ::open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file_ < 0) {
        set_flag(page, boot::COUNTER_LINES_NOT_WRITABLE);
        return false;
    }
    api_ = &api;
    page_ = &page;
    totals_ = &totals;
    bytes_ = api.g_byte_array_new();
    listening = this;
    return true;
}

void Console::learn_registers() {
    if (registers_learned_) {
        return;
    }
    registers_learned_ = true;
    GlibArray * const registers = api_->get_registers();
    const std::size_t distance = api_->g_array_get_element_size(registers);
    for (unsigned index = 0; index < registers->length; ++index) {
        RegisterDescription description;
        std::memcpy(&description, registers->data + index * distance, sizeof description);
        if (std::strcmp(description.name, "rax") == 0) {
            rax_ = description.handle;
        } else if (std::strcmp(description.name, "rdx") == 0) {
            rdx_ = description.handle;
        }
    }
    api_->g_array_free(registers, 1);
    if (!rax_ || !rdx_) {
        set_flag(*page_, boot::COUNTER_LINES_NO_REGISTERS);
    }
}

void * Console::packed(Place place) {
    const std::uintptr_t value = place.ahead << 2U | static_cast<unsigned>(place.part);
    // NOLINTNEXTLINE(performance-no-int-to-ptr): QEMU carries it as a pointer, and nobody follows it
    return reinterpret_cast<void *>(value);
}

Console::Place Console::unpacked(void * context) {
    const auto value = reinterpret_cast<std::uintptr_t>(context);
    return {value >> 2U, static_cast<Part>(value & 3U)};
}

void Console::instrument(Block * block, Part part) {
    if (!rax_ || !rdx_) {
        return;
    }
    const std::size_t count = api_->tb_n_insns(block);
    for (std::size_t index = 0; index < count; ++index) {
        Instruction * const instruction = api_->tb_get_insn(block, index);
        unsigned char first[2];
        if (api_->insn_data(instruction, first, sizeof first) == 1 && first[0] == OUT_AL_DX) {
            void * const context = packed({count - index, part});
            api_->register_vcpu_insn_exec_cb(instruction, output_executed, READ_REGISTERS, context);
        }
    }
}

void Console::output_executed(unsigned, void * context) {
    Console & console = *listening;
    ::pthread_mutex_lock(&console.mutex_);
    const auto port = static_cast<std::uint16_t>(console.read(console.rdx_));
    if (port == PORT_DATA || port == PORT_LINE_CONTROL) {
        console.out(port, static_cast<unsigned char>(console.read(console.rax_)), unpacked(context));
    }
    ::pthread_mutex_unlock(&console.mutex_);
}

std::uint64_t Console::read(Register * handle) {
    // A register's bytes are appended; they come in the guest's order, which is also that of the only hosts with registers this wide and no swap.
    api_->g_byte_array_set_size(bytes_, 0);
    api_->read_register(handle, bytes_);
    std::uint64_t value = 0;
    for (unsigned index = 0; index < bytes_->length && index < sizeof value; ++index) {
        value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes_->data[index])) << (8 * index);
    }
    return value;
}

void Console::out(std::uint16_t port, unsigned char byte, Place place) {
    if (port == PORT_LINE_CONTROL) {
        divisor_selected_ = (byte & DIVISOR_LATCH) != 0;
    } else if (!divisor_selected_ && file_ >= 0) {
        add(byte, place);
    }
}

void Console::add(unsigned char byte, Place place) {
    if (line_begun_ && line_part_ != place.part) {
        write_line();  // SeaBIOS leaves the cursor behind its escape sequences, where the kernel's first line then begins
        line_begun_ = false;
        if (file_ < 0) {
            return;
        }
    }
    if (!line_begun_) {
        line_begun_ = true;
        line_part_ = place.part;
        line_start_ = totals_->total() - place.ahead;
        line_length_ = 0;
    }
    if (byte == '\n') {
        write_line();
        line_begun_ = false;
    } else if (byte != '\r' && byte != '\0' && line_length_ < sizeof line_) {
        line_[line_length_++] = static_cast<char>(byte);
    }
}

void Console::write_line() {
    char whole[32 + sizeof line_];
    const int digits = std::snprintf(whole, 32, "%llu ", static_cast<unsigned long long>(line_start_));
    std::size_t length = static_cast<std::size_t>(digits);
    std::memcpy(whole + length, line_, line_length_);
    length += line_length_;
    whole[length++] = '\n';
    if (written_ + length > boot::CounterPage::LINES_FILE_BYTES) {
        set_flag(*page_, boot::COUNTER_LINES_TOO_MANY);
    } else if (!write_all(file_, whole, length)) {
        set_flag(*page_, boot::COUNTER_LINES_NOT_WRITABLE);
    } else {
        written_ += length;
        return;
    }
    ::close(file_);
    file_ = -1;
}

void Console::close() {
    ::pthread_mutex_lock(&mutex_);
    if (file_ >= 0 && line_begun_) {
        write_line();
        line_begun_ = false;
    }
    ::pthread_mutex_unlock(&mutex_);
}

}  // namespace bootbudget::counter
