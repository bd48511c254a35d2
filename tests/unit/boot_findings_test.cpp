// SPDX-License-Identifier: GPL-2.0-or-later
// Which lines of a console are reports, and which only use the same words.
#include "boot/findings.hpp"

#include "boot/console.hpp"

#include <gmock/gmock.h>

namespace bootbudget::boot {
namespace {

std::optional<FindingKind> kind_of(const std::string & line) {
    return finding_in(line, find_stamp(line));
}

struct Line {
    FindingKind kind;
    std::string text;
};

const std::vector<Line> REPORTS = {
    {FindingKind::RCU_STALL, "[   60.1] [   60.123456] rcu: INFO: rcu_preempt self-detected stall on CPU"},
    {FindingKind::RCU_STALL, "[   60.123456] rcu: INFO: rcu_sched detected stalls on CPUs/tasks:"},
    {FindingKind::RCU_STALL,
     "[   60.123456] rcu: INFO: rcu_preempt detected expedited stalls on CPUs/tasks: { 0-.... }"},
    {FindingKind::SOFT_LOCKUP, "[   48.000001] watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [swapper/0:1]"},
    {FindingKind::SOFT_LOCKUP, "[   48.000001] NMI watchdog: Watchdog detected hard LOCKUP on cpu 0"},
    {FindingKind::HUNG_TASK, "[  245.000001] INFO: task kworker/0:1:9 blocked for more than 122 seconds."},
    {FindingKind::LOCKDEP_REPORT, "[    3.000001] WARNING: possible circular locking dependency detected"},
    {FindingKind::LOCKDEP_REPORT, "[    3.000001] [ INFO: possible circular locking dependency detected ]"},
    {FindingKind::LOCKDEP_REPORT, "[    3.000001][    T1] WARNING: possible recursive locking detected"},
    {FindingKind::LOCKDEP_REPORT, "[    3.000001] WARNING: inconsistent lock state"},
    {FindingKind::LOCKDEP_REPORT, "[    3.000001] WARNING: HARDIRQ-safe -> HARDIRQ-unsafe lock order detected"},
    {FindingKind::LOCKDEP_REPORT, "[    3.000001] [ BUG: Invalid wait context ]"},
    {FindingKind::LOCKDEP_REPORT, "[    3.000001] INFO: lockdep is turned off."},
    {FindingKind::LOCKDEP_REPORT, "[    3.000001] WARNING: suspicious RCU usage"},
    {FindingKind::KASAN_REPORT, "[    3.000001] BUG: KASAN: slab-use-after-free in foo+0x1/0x2"},
    {FindingKind::KERNEL_WARNING, "[    3.000001] WARNING: CPU: 0 PID: 1 at kernel/fork.c:12 foo+0x1/0x2"},
    {FindingKind::KERNEL_WARNING, "[    3.000001] WARNING: kernel/fork.c:12 at foo+0x1/0x2, CPU#0: swapper/0/1"},
    {FindingKind::KERNEL_WARNING, "[    3.000001] BUG: sleeping function called from invalid context at mm/x.c:1"},
    {FindingKind::KERNEL_WARNING, "[    3.000001] Oops: general protection fault, probably for non-canonical address"},
    {FindingKind::OOM, "[    3.000001] systemd-udevd invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0"},
    {FindingKind::OOM, "[    3.000001] Out of memory: Killed process 99 (guestfsd) total-vm:1kB"},
    {FindingKind::MODULE_REJECTED, "[    1.000001] virtio_scsi: disagrees about version of symbol module_layout"},
    {FindingKind::MODULE_REJECTED, "[    1.000001] ext4: version magic '6.1.0 SMP' should be '6.1.1 SMP'"},
    {FindingKind::MODULE_REJECTED, "[    1.000001] ext4: Unknown symbol mb_cache_create (err -2)"},
    {FindingKind::MODULE_REJECTED, "[    1.000001] Loading of unsigned module is rejected"},
    {FindingKind::MODULE_REJECTED, "insmod: init_module: ext4.ko: Invalid module format"},
    {FindingKind::MODULE_REJECTED, "modprobe: ERROR: could not insert 'kvm': Exec format error"},
    {FindingKind::MODULE_REJECTED, "insmod: ERROR: could not insert module virtio_scsi.ko: Invalid module format"},
    {FindingKind::MODULE_REJECTED, "modprobe: ERROR: could not insert 'xfs': Invalid module format"},
    {FindingKind::MODULE_REJECTED, "supermin: internal insmod ext4.ko: Invalid module format"},
    {FindingKind::MODULE_REJECTED,
     "[    1.000001][   T63] ext4: disagrees about version of symbol jbd2__journal_start"},
    {FindingKind::SYSTEMD_OR_UDEV_TIMEOUT, "Timed out for waiting the udev queue being empty."},
    {FindingKind::SYSTEMD_OR_UDEV_TIMEOUT, "sda: Worker [213] processing SEQNUM=1034 is taking a long time"},
};

TEST(Findings, AreRecognised) {
    for (const auto & line : REPORTS) {
        EXPECT_EQ(kind_of(line.text), line.kind) << line.text;
    }
}

TEST(Findings, WordsAloneAreNone) {
    for (const std::string line : {
             "[    0.000000] Command line: panic=1 dyndbg=\"BUG: KASAN: x\" WARNING: CPU: 0 kasan=off",
             "[    0.000000] Kernel command line: rcupdate.rcu_cpu_stall_timeout=60 INFO: rcu stall BUG: soft lockup",
             "[    0.050543] Unknown kernel command line parameters \"BUG: x\", will be passed to user space.",
             "supermin: cmdline: udev timed out, killing",
             "+ [[ panic=1 Timed out waiting for device =~ x ]]",
             "/init: udevadm settle --timeout=600 # Timed out waiting for x",
             "[    0.188734] rcu:  RCU lockdep checking is enabled.",
             "[    0.255335] Lock dependency validator: Copyright (c) 2006 Red Hat, Inc., Ingo Molnar",
             "[    0.100000] kasan: KernelAddressSanitizer initialized (generic)",
             "[    1.000000] ext4: module verification failed: signature and/or required key missing - tainting kernel",
             "[    1.000000] CONFIG_SOFTLOCKUP_DETECTOR=y CONFIG_LOCKDEP=y CONFIG_DETECT_HUNG_TASK=y",
             "Warning: The resulting partition is not properly aligned for best performance: 128s % 2048s != 0s",
             "/init: line 108: echo: write error: Invalid argument",
             "",
         }) {
        EXPECT_EQ(kind_of(line), std::nullopt) << line;
    }
}

TEST(Findings, TheSameReportIsListedOnce) {
    std::vector<Finding> findings;
    add_finding(findings, FindingKind::SOFT_LOCKUP, "[   48.0] BUG: soft lockup - CPU#0 stuck for 22s!", 7);
    add_finding(findings, FindingKind::SOFT_LOCKUP, "[   76.0] BUG: soft lockup - CPU#1 stuck for 48s!", 9);
    add_finding(findings, FindingKind::SOFT_LOCKUP, "[  76.0] BUG: workqueue lockup", 11);
    ASSERT_EQ(findings.size(), 2U);
    EXPECT_EQ(findings[0].line_number, 7);
    EXPECT_EQ(findings[1].line_number, 11);
}

TEST(Findings, AreBounded) {
    std::vector<Finding> findings;
    for (int i = 0; i < 1000; ++i) {
        add_finding(
            findings, FindingKind::KERNEL_WARNING, "WARNING: " + std::string(static_cast<std::size_t>(i), 'x'), i);
    }
    EXPECT_EQ(findings.size(), MAX_FINDINGS);
    findings.clear();
    add_finding(findings, FindingKind::KERNEL_WARNING, std::string(5000, '\x01'), 1);
    EXPECT_LE(findings[0].line.size(), 1000U + 3U);
}

TEST(Findings, ComeWithTheirLineFromARunningGuestOnly) {
    const auto reading = read_console({
        {"[    1.000000] BUG: KASAN: before any guest", 0},
        {"qemu-system-x86_64 \\", 1},
        {"    -append \"panic=1\"", 1},
        {"[    0.000000] Linux version 6.17.4+debug (x) #1", 2},
        {"uptime: [    2.000000] WARNING: possible circular locking dependency detected", 3},
        {"[    2.000001] INFO: lockdep is turned off.", 4},
    });
    ASSERT_EQ(reading.findings.size(), 2U);
    EXPECT_EQ(reading.findings[0].kind, FindingKind::LOCKDEP_REPORT);
    EXPECT_EQ(reading.findings[0].line_number, 5);
    EXPECT_TRUE(reading.lockdep_off);
}

TEST(Findings, SuspiciousRcuUsageLeavesLockdepOn) {
    EXPECT_FALSE(turns_lockdep_off("[    3.000001] WARNING: suspicious RCU usage"));
    EXPECT_TRUE(turns_lockdep_off("[    3.000001] WARNING: inconsistent lock state"));
}

}  // namespace
}  // namespace bootbudget::boot
