// SPDX-License-Identifier: GPL-2.0-or-later
// What is called vmlinuz differs by architecture and distribution, and QEMU given anything else prints nothing and waits. So the magic bytes decide, and
// what is no kernel is told apart well enough that the user sees the mistake: an image that was not built, a text, a unified kernel image.
#include "common/descriptor.hpp"
#include "kernel/boot_tree.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <bootbudget/error.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <string_view>

namespace bootbudget::kernel {

namespace {

// The begin of the file: every magic number and the PE and ELF headers are in it.
constexpr std::size_t HEAD_SIZE = std::size_t{128} << 10U;

class Head {
public:
    explicit Head(std::string bytes) : bytes_(std::move(bytes)) {}

    std::size_t size() const { return bytes_.size(); }
    bool has(std::size_t offset, std::string_view magic) const {
        return offset <= bytes_.size() && std::string_view(bytes_).substr(offset, magic.size()) == magic;
    }
    /// 0 beyond the end.
    std::uint32_t number(std::size_t offset, std::size_t bytes, bool big_endian = false) const {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < bytes; ++i) {
            const std::size_t at = offset + (big_endian ? i : bytes - 1 - i);
            value = value << 8U | (at < bytes_.size() ? static_cast<unsigned char>(bytes_[at]) : 0U);
        }
        return value;
    }
    std::string_view all() const { return bytes_; }

private:
    std::string bytes_;
};

Head read_head(const std::filesystem::path & path) {
    const common::Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat status {};
    if (!file || ::fstat(file.number(), &status) != 0) {
        throw SystemError(fmt::format("cannot read the kernel image {}", path.string()), errno);
    }
    if (!S_ISREG(status.st_mode)) {
        throw UserError(fmt::format("{} is not a kernel image: it is no regular file.", path.string()));
    }
    std::string bytes(HEAD_SIZE, '\0');
    std::size_t have = 0;
    while (have < bytes.size()) {
        const auto got = ::read(file.number(), bytes.data() + have, bytes.size() - have);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            throw SystemError(fmt::format("cannot read the kernel image {}", path.string()), errno);
        }
        if (got == 0) {
            break;
        }
        have += static_cast<std::size_t>(got);
    }
    bytes.resize(have);
    return Head(std::move(bytes));
}

// The machine of a PE file (Microsoft's "PE Format", machine types), empty for an unknown one.
std::string pe_arch(std::uint32_t machine) {
    switch (machine) {
        case 0x8664:
            return "x86_64";
        case 0xaa64:
            return "aarch64";
        case 0x5064:
            return "riscv64";
        case 0x6264:
            return "loongarch64";
        case 0x014c:
            return "i686";
        default:
            return {};
    }
}

// The offset of the PE header, if this is a PE file.
std::optional<std::size_t> pe_header(const Head & head) {
    const std::size_t offset = head.number(0x3c, 4);
    return head.has(0, "MZ") && offset > 0 && head.has(offset, std::string_view("PE\0\0", 4)) ? std::optional(offset)
                                                                                              : std::nullopt;
}

// A unified kernel image, by its sections (UAPI.5).
bool is_unified(const Head & head) {
    const auto pe = pe_header(head);
    if (!pe) {
        return false;
    }
    constexpr std::size_t MAX_SECTIONS = 96;
    const std::size_t sections = std::min<std::size_t>(head.number(*pe + 6, 2), MAX_SECTIONS);
    const std::size_t table = *pe + 24 + head.number(*pe + 20, 2);
    bool linux_section = false;
    bool osrel_section = false;
    for (std::size_t i = 0; i < sections; ++i) {
        linux_section = linux_section || head.has(table + 40 * i, std::string_view(".linux\0", 7));
        osrel_section = osrel_section || head.has(table + 40 * i, std::string_view(".osrel\0", 7));
    }
    return linux_section && osrel_section;
}

// elf(5); machines from <elf.h>. Empty for an unknown one.
std::string elf_arch(const Head & head) {
    const bool big_endian = head.number(5, 1) == 2;
    switch (head.number(18, 2, big_endian)) {
        case 62:
            return "x86_64";
        case 3:
            return "i686";
        case 183:
            return "aarch64";
        case 21:
            return big_endian ? "ppc64" : "ppc64le";
        case 22:
            return "s390x";
        case 243:
            return "riscv64";
        case 258:
            return "loongarch64";
        default:
            return {};
    }
}

// A program asks for its interpreter; a kernel has none. ELF of 64 bits.
bool is_elf_program(const Head & head) {
    const bool big_endian = head.number(5, 1) == 2;
    const bool shared_or_executable = head.number(16, 2, big_endian) == 2 || head.number(16, 2, big_endian) == 3;
    const std::size_t table = head.number(big_endian ? 36 : 32, 4, big_endian);
    const std::size_t entry = head.number(54, 2, big_endian);
    const std::size_t count = std::min<std::size_t>(head.number(56, 2, big_endian), 128);
    constexpr std::uint32_t PT_INTERP_TYPE = 3;
    for (std::size_t i = 0; i < count; ++i) {
        if (head.number(table + i * entry, 4, big_endian) == PT_INTERP_TYPE) {
            return true;
        }
    }
    return !shared_or_executable;
}

std::string look_of(const Head & head) {
    const std::string_view bytes = head.all();
    if (bytes.empty()) {
        return "it is empty";
    }
    constexpr std::array MAGICS{
        std::pair{std::string_view("\x1f\x8b"), "gzip-compressed data"},
        std::pair{
            std::string_view("\xfd"
                             "7zXZ"),
            "xz-compressed data"},
        std::pair{std::string_view("\x28\xb5\x2f\xfd"), "zstd-compressed data"},
        std::pair{std::string_view("\xed\xab\xee\xdb"), "an RPM package"},
        std::pair{std::string_view("070701"), "a cpio archive"},
        std::pair{
            std::string_view("\x7f"
                             "ELF"),
            "an ELF program or object"},
        std::pair{std::string_view("MZ"), "a PE program"},
    };
    for (const auto & [magic, name] : MAGICS) {
        if (head.has(0, magic)) {
            return fmt::format("it looks like {}", name);
        }
    }
    if (std::all_of(bytes.begin(), bytes.end(), [](char c) { return c == '\0'; })) {
        return "it holds only zero bytes";
    }
    const std::string_view begin = bytes.substr(0, 512);
    if (std::all_of(begin.begin(), begin.end(), [](char c) {
            const auto byte = static_cast<unsigned char>(c);
            return byte >= ' ' || c == '\n' || c == '\t' || c == '\r';
        })) {
        return "it looks like text";
    }
    return fmt::format(
        "its first bytes are {:02x} {:02x} {:02x} {:02x}",
        head.number(0, 1),
        head.number(1, 1),
        head.number(2, 1),
        head.number(3, 1));
}

std::optional<ImageFormat> format_of(const Head & head) {
    // x86: the boot sector's signature and the setup header; bit 0 of xloadflags, since protocol 2.12, says 64 bits.
    if (head.has(0x1fe, "\x55\xaa") && head.has(0x202, "HdrS")) {
        const bool wide = head.number(0x206, 2) >= 0x020c && (head.number(0x236, 2) & 1U) != 0;
        return ImageFormat{wide ? "x86_64" : "i686", "bzImage"};
    }
    if (head.has(56, "ARMd")) {
        return ImageFormat{"aarch64", "arm64 Image"};
    }
    // drivers/firmware/efi/libstub/zboot-header.S
    if (head.has(0, "MZ") && head.has(4, "zimg")) {
        const auto pe = pe_header(head);
        const std::string arch = pe ? pe_arch(head.number(*pe + 4, 2)) : std::string();
        if (!arch.empty()) {
            return ImageFormat{arch, "EFI zboot"};
        }
    }
    if (head.has(
            0,
            "\x7f"
            "ELF") &&
        !is_elf_program(head)) {
        const std::string arch = elf_arch(head);
        if (!arch.empty()) {
            return ImageFormat{arch, "ELF vmlinux"};
        }
    }
    // arch/s390/boot/head.S
    if (head.has(0x10008, "S390EP")) {
        return ImageFormat{"s390x", "s390 image"};
    }
    return std::nullopt;
}

}  // namespace

ImageFormat identify_image(const std::filesystem::path & image) {
    const Head head = read_head(image);
    if (is_unified(head)) {
        throw UserError(fmt::format(
            "{} is a unified kernel image (kernel, initramfs and command line in one file), which cannot be booted "
            "with another initramfs; give "
            "the kernel's -core package, which holds the plain vmlinuz.",
            image.string()));
    }
    if (auto format = format_of(head)) {
        return *std::move(format);
    }
    throw UserError(fmt::format("{} is not a kernel image: {}.", image.string(), look_of(head)));
}

}  // namespace bootbudget::kernel
