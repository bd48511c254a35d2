// SPDX-License-Identifier: GPL-2.0-or-later
// A plugin for QEMU's translator: each block of guest code, when it is translated, is made to add its number of instructions to one of three counters,
// by the part of the boot it belongs to. Whatever this QEMU lacks besides counting switches off what needs it, with a flag in the page; where nothing can
// be counted, QEMU is told so before the guest starts.
#include "arguments.hpp"
#include "console.hpp"
#include "marks.hpp"
#include "page.hpp"
#include "parts.hpp"
#include "qemu_api.hpp"
#include "sampler.hpp"
#include "totals.hpp"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#define BOOTBUDGET_EXPORT extern "C" __attribute__((visibility("default")))

namespace bootbudget::counter {
namespace {

/// All there is in this process; QEMU never unloads an installed plugin, and calls it until the process is gone.
struct Counter {
    QemuApi api;
    boot::CounterPage * page = nullptr;
    Totals totals;
    Parts parts;
    bool tells_parts = false;
    Console console;
    bool has_console = false;
    Marks marks;
    bool has_marks = false;
    Sampler sampler;
    std::atomic<int> cpus_missing = 0;  ///< of those that the guest starts with
    bool samples = false;
};

alignas(Counter) unsigned char storage[sizeof(Counter)];
Counter * counter = nullptr;

void translated(Block * block) {
    const Part part = counter->tells_parts ? counter->parts.of(counter->api.tb_vaddr(block)) : Part::KERNEL;
    counter->totals.count(block, part);
    if (counter->has_console) {
        counter->console.instrument(block, part);
    }
    if (counter->has_marks) {
        counter->marks.instrument(block);
    }
}

void cpu_started() {
    if (counter->has_console) {
        counter->console.learn_registers();
    }
    // A scoreboard moves when it grows with a new virtual CPU, so nobody may read one before the last has come.
    if (counter->cpus_missing.fetch_sub(1) == 1 && counter->samples && !counter->sampler.start(counter->totals)) {
        set_flag(*counter->page, boot::COUNTER_SAMPLER_MISSING);
    }
}

void ended() {
    counter->sampler.stop();
    if (counter->has_console) {
        counter->console.close();
    }
    if (counter->cpus_missing.load() <= 0) {
        counter->totals.publish();
    }
    end(*counter->page);
}

int install(PluginId id, const QemuInfo & qemu, int argc, char ** argv) {
    if (std::getenv("BOOTBUDGET_COUNTER_PROBE")) {
        std::fprintf(
            stderr, "bootbudget-counter: this QEMU has plugin API %d to %d.\n", qemu.version.min, qemu.version.cur);
        return 1;
    }
    if (!qemu.system_emulation) {
        std::fputs("bootbudget-counter: only whole machines are counted; use qemu-system-*.\n", stderr);
        return 1;
    }
    Arguments arguments;
    if (!read_arguments(argc, argv, arguments)) {
        return 1;
    }
    counter = ::new (storage) Counter;
    if (const char * missing = resolve(counter->api, qemu.version.cur)) {
        std::fprintf(
            stderr,
            "bootbudget-counter: this QEMU (plugin API %d to %d) has no %s, so nothing can be counted.\n",
            qemu.version.min,
            qemu.version.cur,
            missing);
        return 1;
    }
    counter->page = map_page(arguments.page);
    if (!counter->page) {
        return 1;
    }
    boot::CounterPage & page = *counter->page;
    if (!counter->totals.prepare(counter->api, page)) {
        std::fputs("bootbudget-counter: QEMU made no scoreboard, so nothing can be counted.\n", stderr);
        return 1;
    }
    page.api = static_cast<std::uint32_t>(qemu.version.cur);
    counter->parts.set_memory(arguments.ram);
    counter->tells_parts = std::strcmp(qemu.target_name, "x86_64") == 0;
    if (!counter->tells_parts) {
        set_flag(page, boot::COUNTER_PARTS_NOT_TOLD_APART);
    }
    counter->has_console =
        arguments.lines &&
        counter->console.open(arguments.lines, qemu.target_name, counter->api, page, counter->totals);
    counter->has_marks = counter->marks.prepare(arguments.marks, counter->api, page, counter->totals);
    counter->cpus_missing = qemu.system.smp_vcpus;
    counter->samples = counter->api.has_scoreboards();
    if (counter->samples && qemu.system.max_vcpus > qemu.system.smp_vcpus) {
        counter->samples = false;  // one that is plugged in later may move the scoreboard at any time
        set_flag(page, boot::COUNTER_SAMPLER_MISSING);
    }
    announce(page);
    register_callbacks(counter->api, id, {translated, cpu_started, ended});
    return 0;
}

}  // namespace
}  // namespace bootbudget::counter

BOOTBUDGET_EXPORT int qemu_plugin_version;
int qemu_plugin_version = 1;

/// QEMU compares the version when it has loaded this object, which is after its constructors.
__attribute__((constructor)) static void claim_version() {
    qemu_plugin_version = bootbudget::counter::version_to_claim();
}

BOOTBUDGET_EXPORT int qemu_plugin_install(
    bootbudget::counter::PluginId id, const bootbudget::counter::QemuInfo * qemu, int argc, char ** argv) {
    return bootbudget::counter::install(id, *qemu, argc, argv);
}
