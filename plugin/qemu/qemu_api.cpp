// SPDX-License-Identifier: GPL-2.0-or-later
// One object file for API 1 to 7: every call is looked up by name in the process that loaded us, and the callbacks exist in both shapes that the
// API has had. The version that we claim must lie within the QEMU's limits before we are called for the first time, so it is chosen from the
// calls that exist.
#include "qemu_api.hpp"

#include <dlfcn.h>

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace bootbudget::counter {
namespace {

template <typename Call>
bool find(Call & call, const char * name) {
    call = reinterpret_cast<Call>(::dlsym(RTLD_DEFAULT, name));
    return call != nullptr;
}

Callbacks wanted;

void translated_until_6(PluginId, Block * block) {
    wanted.translated(block);
}
void translated_from_7(Block * block, void *) {
    wanted.translated(block);
}
void cpu_started_until_6(PluginId, unsigned) {
    wanted.cpu_started();
}
void cpu_started_from_7(unsigned, void *) {
    wanted.cpu_started();
}
void ended_until_6(PluginId, void *) {
    wanted.ended();
}
void ended_from_7(void *) {
    wanted.ended();
}

}  // namespace

const char * resolve(QemuApi & api, int version) {
    api.version = version;
    if (!find(api.tb_n_insns, "qemu_plugin_tb_n_insns")) {
        return "qemu_plugin_tb_n_insns";
    }
    if (!find(api.tb_vaddr, "qemu_plugin_tb_vaddr")) {
        return "qemu_plugin_tb_vaddr";
    }
    if (!find(api.register_vcpu_tb_trans_cb, "qemu_plugin_register_vcpu_tb_trans_cb")) {
        return "qemu_plugin_register_vcpu_tb_trans_cb";
    }
    if (!find(api.register_vcpu_init_cb, "qemu_plugin_register_vcpu_init_cb")) {
        return "qemu_plugin_register_vcpu_init_cb";
    }
    if (!find(api.register_atexit_cb, "qemu_plugin_register_atexit_cb")) {
        return "qemu_plugin_register_atexit_cb";
    }
    if (api.has_scoreboards()) {
        if (!find(api.register_vcpu_tb_exec_inline_per_vcpu, "qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu")) {
            return "qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu";
        }
        if (!find(api.scoreboard_new, "qemu_plugin_scoreboard_new")) {
            return "qemu_plugin_scoreboard_new";
        }
        if (!find(api.u64_sum, "qemu_plugin_u64_sum")) {
            return "qemu_plugin_u64_sum";
        }
    } else if (!find(api.register_vcpu_tb_exec_inline, "qemu_plugin_register_vcpu_tb_exec_inline")) {
        return "qemu_plugin_register_vcpu_tb_exec_inline";
    }
    // Counting works without these; marks need the first three, the console's lines nearly all.
    find(api.tb_get_insn, "qemu_plugin_tb_get_insn");
    find(api.insn_vaddr, "qemu_plugin_insn_vaddr");
    find(api.register_vcpu_insn_exec_cb, "qemu_plugin_register_vcpu_insn_exec_cb");
    find(api.insn_data, "qemu_plugin_insn_data");
    find(api.get_registers, "qemu_plugin_get_registers");
    find(api.read_register, "qemu_plugin_read_register");
    find(api.g_byte_array_new, "g_byte_array_new");
    find(api.g_byte_array_set_size, "g_byte_array_set_size");
    find(api.g_array_get_element_size, "g_array_get_element_size");
    find(api.g_array_free, "g_array_free");
    return nullptr;
}

int version_to_claim() {
    if (const char * claim = std::getenv("BOOTBUDGET_COUNTER_API")) {
        int version = 0;
        const auto [end, error] = std::from_chars(claim, claim + std::strlen(claim), version);
        if (error == std::errc{} && *end == '\0' && version >= 1 && version <= 7) {
            return version;
        }
    }
    if (!::dlsym(RTLD_DEFAULT, "qemu_plugin_register_vcpu_tb_exec_inline_per_vcpu")) {
        return 1;
    }
    // QEMUs with API 2 to 5 accept 2; the filter came with API 6, and 7 cannot be told from it by names.
    return ::dlsym(RTLD_DEFAULT, "qemu_plugin_register_vcpu_syscall_filter_cb") ? 7 : 2;
}

void register_callbacks(const QemuApi & api, PluginId id, const Callbacks & callbacks) {
    wanted = callbacks;
    if (api.version >= 7) {
        using RegisterTranslated = void (*)(PluginId, void (*)(Block *, void *), void *);
        using RegisterCpu = void (*)(PluginId, void (*)(unsigned, void *), void *);
        using RegisterEnd = void (*)(PluginId, void (*)(void *), void *);
        reinterpret_cast<RegisterTranslated>(api.register_vcpu_tb_trans_cb)(id, translated_from_7, nullptr);
        reinterpret_cast<RegisterCpu>(api.register_vcpu_init_cb)(id, cpu_started_from_7, nullptr);
        reinterpret_cast<RegisterEnd>(api.register_atexit_cb)(id, ended_from_7, nullptr);
    } else {
        using RegisterTranslated = void (*)(PluginId, void (*)(PluginId, Block *));
        using RegisterCpu = void (*)(PluginId, void (*)(PluginId, unsigned));
        using RegisterEnd = void (*)(PluginId, void (*)(PluginId, void *), void *);
        reinterpret_cast<RegisterTranslated>(api.register_vcpu_tb_trans_cb)(id, translated_until_6);
        reinterpret_cast<RegisterCpu>(api.register_vcpu_init_cb)(id, cpu_started_until_6);
        reinterpret_cast<RegisterEnd>(api.register_atexit_cb)(id, ended_until_6, nullptr);
    }
}

}  // namespace bootbudget::counter
