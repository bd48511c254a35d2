// SPDX-License-Identifier: GPL-2.0-or-later
// MISSING is what makes the task impossible, WARNING what makes it fail for some kernels or some people only. Package names are those of Debian 12 and
// Fedora 40; where Fedora moved a program between packages it is asked for by its path, which dnf resolves.
#include "doctor/judgement.hpp"

#include "boot/qemu_choice.hpp"
#include "common/shell_word.hpp"
#include "common/units.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace bootbudget::doctor {

namespace {

constexpr std::uint64_t GIB = std::uint64_t{1} << 30U;
constexpr std::uint64_t MEMORY_WANTED = 2 * GIB;  // a guest of 1280 MiB, its QEMU, and the appliance in the page cache
constexpr std::uint64_t SPACE_WANTED = 2 * GIB;   // boot trees and appliances of two full-sized kernels
constexpr std::uint64_t SPACE_NEEDED = GIB;
constexpr std::uint64_t BUILD_SPACE_WANTED = 8 * GIB;  // a full kernel's object files

constexpr const char * CHECK = "check";
constexpr const char * BUILD = "build";

std::string bytes(std::uint64_t count) {
    return common::format_quantity({static_cast<double>(count), Unit::BYTES});
}

/// dpkg's name of an architecture, for the names of its kernel packages.
std::string debian_arch(const std::string & arch) {
    if (arch == "x86_64") {
        return "amd64";
    }
    if (arch == "aarch64") {
        return "arm64";
    }
    return arch == "ppc64le" ? "ppc64el" : arch;
}

Packages qemu_packages(const std::string & arch) {
    if (arch == "x86_64" || (arch.size() == 4 && arch[0] == 'i' && arch.ends_with("86"))) {
        return {"qemu-system-x86", "qemu-system-x86-core"};
    }
    if (arch == "aarch64") {
        return {"qemu-system-arm", "qemu-system-aarch64-core"};
    }
    if (arch == "ppc64le") {
        return {"qemu-system-ppc", "qemu-system-ppc-core"};
    }
    return {"qemu-system-misc", fmt::format("qemu-system-{}-core", arch)};
}

/// The examinations of one task.
class Task {
public:
    Task(const Machine & machine, const char * name, std::vector<Examination> & examinations)
        : machine_(machine), name_(name), examinations_(examinations) {}

    void ok(const std::string & what, const std::string & found) { add(what, Health::OK, found, ""); }
    void warn(const std::string & what, const std::string & found, const std::string & remedy) {
        add(what, Health::WARNING, found, remedy);
    }
    void missing(const std::string & what, const std::string & found, const std::string & remedy) {
        add(what, Health::MISSING, found, remedy);
    }
    std::string install(const Packages & packages) const {
        return install_command(machine_.distribution.family, packages);
    }

    /// A program that is there or is not.
    void program(const std::string & name, const Packages & packages, Health without = Health::MISSING) {
        const auto found = machine_.programs.find(name);
        if (found == machine_.programs.end()) {
            add(name, without, "not found", install(packages));
        } else {
            ok(name,
               found->second.version.empty()
                   ? found->second.path.string()
                   : fmt::format("{} ({})", found->second.version, found->second.path.string()));
        }
    }

private:
    void add(const std::string & what, Health health, const std::string & found, const std::string & remedy) {
        examinations_.push_back({name_, what, health, found, remedy});
    }

    const Machine & machine_;
    const char * name_;
    std::vector<Examination> & examinations_;
};

void judge_emulator(const Machine & machine, Task & task) {
    const std::string wanted = boot::qemu_names(machine.arch).front();
    if (machine.qemu.empty()) {
        task.missing(wanted, "not found", task.install(qemu_packages(machine.arch)));
        return;
    }
    const Program & qemu = machine.programs.at(machine.qemu);
    if (machine.has_tcg) {
        task.ok(wanted, fmt::format("{} ({}), with TCG; KVM is never used", qemu.version, qemu.path.string()));
    } else {
        task.missing(
            wanted,
            fmt::format("{} ({}) has no TCG", qemu.version, qemu.path.string()),
            task.install(qemu_packages(machine.arch)));
    }
}

/// A warning at most: budgets in seconds need no counting.
void judge_counter(const Machine & machine, Task & task) {
    if (machine.qemu.empty()) {
        return;  // which is on the list already
    }
    const std::string what = "counting guest instructions";
    if (machine.counter.counting) {
        task.ok(what, boot::describe(machine.counter));
        return;
    }
    const auto remedy = [&]() -> std::string {
        switch (machine.counter.obstacle) {
            case boot::CounterObstacle::NO_COUNTER:
                return task.install({"bootbudget-qemu-plugin", "bootbudget-qemu-plugin"});
            case boot::CounterObstacle::UNKNOWN_API:
                return "update bootbudget, or give check an older QEMU with --qemu";
            case boot::CounterObstacle::NO_PLUGINS:
                return "give check a QEMU with --qemu that was configured with --enable-plugins";
            case boot::CounterObstacle::NO_QEMU:
            case boot::CounterObstacle::NONE:
                break;
        }
        return task.install(qemu_packages(machine.arch));
    };
    task.warn(what, boot::describe(machine.counter) + "; budgets on instructions cannot be checked", remedy());
}

void judge_host_kernels(const Machine & machine, Task & task) {
    const Packages packages{"linux-image-" + debian_arch(machine.arch), "kernel-core"};
    if (machine.module_directories.empty()) {
        // supermin lists it before it looks at the kernel that it was told to take
        task.missing("/lib/modules", "no kernel's modules in it", task.install(packages));
    } else {
        task.ok("/lib/modules", fmt::format("{}", fmt::join(machine.module_directories, ", ")));
    }
    if (!machine.host_kernels.empty() && !machine.account_mistake.empty()) {
        return;  // whether the account can read them is no question while there is none
    }
    const auto readable = std::ranges::find(machine.host_kernels, true, &HostKernel::readable);
    if (readable != machine.host_kernels.end()) {
        task.ok("host kernel", fmt::format("{} is readable", readable->image.string()));
    } else if (machine.host_kernels.empty()) {
        task.warn(
            "host kernel",
            "none in /boot or /lib/modules; only other users of libguestfs need one",
            task.install(packages));
    } else {
        task.warn(
            "host kernel",
            fmt::format(
                "{} is not readable by {}; only other users of libguestfs need it",
                machine.host_kernels.front().image.string(),
                machine.account.empty() ? "the boots' account" : machine.account),
            fmt::format("chmod a+r {}", machine.host_kernels.front().image.string()));
    }
}

void judge_depmod(const Machine & machine, Task & task) {
    task.program("depmod", {"kmod", "kmod"});
    if (!machine.programs.contains("depmod")) {
        return;
    }
    const std::string found = machine.depmod_compressions.empty()
                                  ? "says nothing of compressed modules"
                                  : fmt::format("{}", fmt::join(machine.depmod_compressions, ", "));
    const std::string remedy = task.install({"kmod", "kmod"}) + " (a version built with XZ and ZSTD)";
    if (!machine.depmod_compressions.contains("XZ")) {  // Fedora's modules are .ko.xz
        task.missing("depmod's compressions", found + "; XZ is needed", remedy);
    } else if (!machine.depmod_compressions.contains("ZSTD")) {
        task.warn("depmod's compressions", found + "; kernels with .ko.zst modules cannot be checked", remedy);
    } else {
        task.ok("depmod's compressions", found);
    }
}

void judge_work_directory(const Machine & machine, Task & task, std::uint64_t space_wanted) {
    const WorkDirectory & work = machine.work;
    const std::string path = work.path.string();
    const std::string other = "choose another with --work-dir";
    if (work.is_file) {
        task.missing("work directory", path + " is not a directory", other);
        return;
    }
    if (!work.exists) {
        task.missing(
            "work directory",
            path + " does not exist",
            fmt::format("mkdir -p {}, or {}", common::shell_word(path), other));
        return;
    }
    if (!work.writable) {
        task.missing("work directory", path + " is not writable", other);
        return;
    }
    if (!work.executable) {
        task.warn("work directory", path + " is mounted noexec: scripts of a build cannot be run there", other);
    } else {
        task.ok("work directory", path);
    }
    const std::string space = fmt::format("{} free in {}", bytes(work.free_bytes), path);
    if (work.free_bytes < SPACE_NEEDED) {
        task.missing("free space", space, fmt::format("free at least {} there, or {}", bytes(SPACE_NEEDED), other));
    } else if (work.free_bytes < space_wanted) {
        task.warn(
            "free space", space, fmt::format("free {} for full-sized kernels, or {}", bytes(space_wanted), other));
    } else {
        task.ok("free space", space);
    }
}

void judge_memory(const Machine & machine, Task & task) {
    if (!machine.available_memory) {
        task.warn("memory", "/proc/meminfo cannot be read", "mount -t proc proc /proc");
    } else if (*machine.available_memory < MEMORY_WANTED) {
        task.warn(
            "memory",
            fmt::format("{} available", bytes(*machine.available_memory)),
            fmt::format("free memory: below {} the guest swaps and its times mean nothing", bytes(MEMORY_WANTED)));
    } else {
        task.ok("memory", fmt::format("{} available", bytes(*machine.available_memory)));
    }
}

void judge_account(const Machine & machine, Task & task) {
    const std::string what = "account for the boots";
    if (!machine.account_mistake.empty()) {
        task.missing(what, machine.account_mistake, "name an ordinary account with --user");
    } else if (machine.work.exists && !machine.work.reachable) {
        task.missing(
            what,
            fmt::format("{} cannot enter {}", machine.account, machine.work.path.string()),
            "choose a work directory with --work-dir that every user can enter");
    } else {
        task.ok(what, machine.account);
    }
}

void judge_headers(const Machine & machine, Task & task) {
    const auto judge_header = [&](const std::string & what, const std::string & header, const Packages & packages) {
        const auto found = machine.headers.find(header);
        if (found != machine.headers.end() && found->second) {
            task.ok(what, header);
        } else {
            task.missing(
                what,
                found == machine.headers.end() ? "not known without gcc" : fmt::format("gcc finds no <{}>", header),
                task.install(packages));
        }
    };
    judge_header("libelf's headers", "libelf.h", {"libelf-dev", "elfutils-libelf-devel"});
    judge_header("OpenSSL's headers", "openssl/evp.h", {"libssl-dev", "openssl-devel"});
}

}  // namespace

std::vector<Examination> judge(const Machine & machine) {
    std::vector<Examination> examinations;
    Task check(machine, CHECK, examinations);
    judge_emulator(machine, check);
    judge_counter(machine, check);
    check.program("libguestfs-test-tool", {"libguestfs-tools", "/usr/bin/libguestfs-test-tool"});
    check.program("supermin", {"supermin", "/usr/bin/supermin"});
    if (machine.appliance.empty()) {
        check.missing(
            "libguestfs appliance", "no supermin.d found", check.install({"libguestfs0", "libguestfs-appliance"}));
    } else {
        check.ok("libguestfs appliance", machine.appliance.string());
    }
    judge_host_kernels(machine, check);
    judge_depmod(machine, check);
    judge_work_directory(machine, check, SPACE_WANTED);
    judge_account(machine, check);
    judge_memory(machine, check);

    Task build(machine, BUILD, examinations);
    build.program("rpmbuild", {"rpm", "rpm-build"});
    build.program("gcc", {"gcc", "gcc"});
    build.program("ld", {"binutils", "binutils"});
    build.program("make", {"make", "make"});
    build.program("flex", {"flex", "flex"});
    build.program("bison", {"bison", "bison"});
    build.program("bc", {"bc", "bc"});
    build.program("perl", {"perl", "perl-interpreter"});
    build.program("cpio", {"cpio", "cpio"});
    build.program("tar", {"tar", "tar"});
    build.program("xz", {"xz-utils", "xz"});
    build.program("zstd", {"zstd", "zstd"});
    build.program("openssl", {"openssl", "openssl"});
    build.program("depmod", {"kmod", "kmod"});
    judge_headers(machine, build);
    build.program("ccache", {"ccache", "ccache"}, Health::WARNING);
    judge_work_directory(machine, build, BUILD_SPACE_WANTED);
    return examinations;
}

}  // namespace bootbudget::doctor
