// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

// What the counter uses of QEMU's plugin API and of GLib, declared here because no distribution packages the header for all versions.
// Source: QEMU's include/plugins/qemu-plugin.h, whose list of versions says what changed; QEMU 7.2 has API 1, 10.0 has 4, 11.0 has 6, 11.1 has 7.

namespace bootbudget::counter {

using PluginId = std::uint64_t;
struct Block;
struct Instruction;
struct Register;
struct Scoreboard;

/// qemu_info_t, the same in all versions.
struct QemuInfo {
    const char * target_name;
    struct {
        int min;
        int cur;
    } version;
    bool system_emulation;
    struct {
        int smp_vcpus;
        int max_vcpus;
    } system;  ///< a union's only member in QEMU; valid with system_emulation
};

/// qemu_plugin_u64: one number in each virtual CPU's entry of a scoreboard (API 2).
struct ScoreField {
    Scoreboard * score;
    std::size_t offset;
};

/// The beginning of qemu_plugin_reg_descriptor. API 6 appends a member, so that the distance of two is GLib's to tell.
struct RegisterDescription {
    Register * handle;
    const char * name;
    const char * feature;
};

/// GLib's GArray and GByteArray, whose members are public (glib/garray.h).
struct GlibArray {
    char * data;
    unsigned length;
};

inline constexpr int INLINE_ADD_U64 = 0;  ///< enum qemu_plugin_op
inline constexpr int NO_REGISTERS = 0;    ///< enum qemu_plugin_cb_flags
inline constexpr int READ_REGISTERS = 1;

using CpuCallback = void (*)(unsigned cpu, void * context);

/// The running QEMU's calls, resolved by name. Members keep QEMU's names without "qemu_plugin_"; one is null where this QEMU has none.
struct QemuApi {
    int version =
        0;  ///< info->version.cur: decides the callbacks' shape (from 7 on without the plugin's id, the context last)

    // Since the beginning.
    std::size_t (*tb_n_insns)(const Block *) = nullptr;
    std::uint64_t (*tb_vaddr)(const Block *) = nullptr;
    Instruction * (*tb_get_insn)(const Block *, std::size_t) = nullptr;
    std::uint64_t (*insn_vaddr)(const Instruction *) = nullptr;
    void (*register_vcpu_insn_exec_cb)(Instruction *, CpuCallback, int flags, void * context) = nullptr;
    void (*register_vcpu_tb_trans_cb)() = nullptr;  ///< to be called through register_callback() only, as the next two
    void (*register_vcpu_init_cb)() = nullptr;
    void (*register_atexit_cb)() = nullptr;

    // API 0 and 1 only.
    void (*register_vcpu_tb_exec_inline)(Block *, int op, void * counter, std::uint64_t operand) = nullptr;

    // API 2: counters in scoreboards.
    void (*register_vcpu_tb_exec_inline_per_vcpu)(Block *, int op, ScoreField, std::uint64_t operand) = nullptr;
    Scoreboard * (*scoreboard_new)(std::size_t entry_bytes) = nullptr;
    std::uint64_t (*u64_sum)(ScoreField) = nullptr;

    // API 3: the bytes of an instruction are copied out (before, the call of this name returned a pointer). Registers came with API 2 in name, and
    // are used from 3 on.
    std::size_t (*insn_data)(const Instruction *, void * bytes, std::size_t size) = nullptr;
    GlibArray * (*get_registers)() = nullptr;
    int (*read_register)(Register *, GlibArray * bytes) = nullptr;  ///< API 6 made it a bool; nothing here looks at it

    // GLib's, of the library that QEMU itself is linked with.
    GlibArray * (*g_byte_array_new)() = nullptr;
    GlibArray * (*g_byte_array_set_size)(GlibArray *, unsigned) = nullptr;
    unsigned (*g_array_get_element_size)(GlibArray *) = nullptr;
    char * (*g_array_free)(GlibArray *, int free_segment) = nullptr;

    bool has_scoreboards() const { return version >= 2; }
    bool has_registers() const {
        return version >= 3 && insn_data && get_registers && read_register && g_byte_array_new &&
               g_byte_array_set_size && g_array_get_element_size && g_array_free;
    }
};

/// Resolves everything for a QEMU of this API version. Returns null, or the name of a call without which nothing can be counted.
const char * resolve(QemuApi & api, int version);

/// The API version to claim (the exported qemu_plugin_version): what CLAIM_VARIABLE of lib/boot/plugin_api.hpp says, or a guess by the calls that exist.
int version_to_claim();

/// What the counter wants to be called for.
struct Callbacks {
    void (*translated)(Block *);
    void (*cpu_started)();
    void (*ended)();
};

/// Registers them in the shape that the API's version demands. To be called once; `callbacks` is kept.
void register_callbacks(const QemuApi & api, PluginId id, const Callbacks & callbacks);

}  // namespace bootbudget::counter
