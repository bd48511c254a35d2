// SPDX-License-Identifier: GPL-2.0-or-later
// The counter in real QEMUs of several API versions, with a guest whose instructions are known one by one (tests/data/qemu/guest.s).
#include "boot/counter_page.hpp"
#include "boot/plugin_api.hpp"
#include "common/process.hpp"

#include "support/scratch.hpp"

#include <gmock/gmock.h>
#include <signal.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bootbudget::boot {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::HasSubstr;

/// The system's QEMU, or one that the fixture has unpacked.
struct Qemu {
    const char * name;
    PluginApi api;  ///< what it must say; {0, 0}: whatever it says

    fs::path program() const {
        if (name == std::string("system")) {
            return common::find_program("qemu-system-x86_64").value_or("");
        }
        return fs::path(BOOTBUDGET_FIXTURES) / "qemu" / name / "qemu-system-x86_64";
    }
};

std::ostream & operator<<(std::ostream & out, const Qemu & qemu) {
    return out << qemu.name;
}

/// A number of rounds in each of the guest's loops.
struct Loops {
    std::uint64_t low = 1000;
    std::uint64_t high = 1000;
    bool chatty = false;
};

struct ConsoleLine {
    std::uint64_t count = 0;
    std::string text;
};

struct Boot {
    common::Captured captured;
    CounterPage page = {};
    std::vector<ConsoleLine> lines;
    bool has_lines_file = false;
};

class QemuCounter : public testing::TestWithParam<Qemu> {
protected:
    void SetUp() override {
        qemu_ = GetParam().program();
        if (!fs::exists(qemu_)) {
            GTEST_SKIP() << "there is no " << GetParam().name << " QEMU here ("
                         << (qemu_.empty() ? "install qemu-system-x86"
                                           : qemu_.string() + ", made by the tests fixture.qemus.*, could not be had")
                         << ")";
        }
        const common::Captured probe = probed();
        const auto api = plugin_api_in(probe.output);
        ASSERT_TRUE(api) << probe.output;
        api_ = *api;
    }

    common::Command command(const std::vector<std::string> & arguments) const {
        common::Command command;
        command.argv = {qemu_.string(), "-display", "none", "-nodefaults", "-no-reboot", "-accel", "tcg"};
        command.argv.insert(command.argv.end(), arguments.begin(), arguments.end());
        command.environment = common::plain_environment();
        command.environment["HOME"] = scratch_.path();
        return command;
    }

    fs::path written(const std::string & name, const std::string & content) const {
        std::ofstream(scratch_.path() / name, std::ios::binary) << content;
        return scratch_.path() / name;
    }

    common::Captured probed(const std::map<std::string, std::string> & environment = {{PROBE_VARIABLE, "1"}}) const {
        common::Command probe = command({"-M", "none", "-plugin", BOOTBUDGET_COUNTER});
        probe.environment.insert(environment.begin(), environment.end());
        return common::capture(probe, {}, 60s);
    }

    /// Assembles the guest; no path where there is no x86 assembler.
    std::optional<fs::path> image(const Loops & loops) const {
        const fs::path object = scratch_.path() / "guest.o";
        const fs::path image = scratch_.path() / "guest.img";
        common::Command assemble;
        assemble.environment = common::plain_environment();
        assemble.argv = {
            "as",
            "--32",
            "--defsym",
            "LOW_LOOPS=" + std::to_string(loops.low),
            "--defsym",
            "HIGH_LOOPS=" + std::to_string(loops.high),
            "-o",
            object,
            std::string(BOOTBUDGET_TEST_DATA) + "/qemu/guest.s"};
        if (loops.chatty) {
            assemble.argv.insert(assemble.argv.begin() + 2, {"--defsym", "CHATTY=1"});
        }
        common::Command link = assemble;
        link.argv = {
            "ld", "-m", "elf_i386", "-Ttext", "0x7c00", "-e", "0x7c00", "--oformat", "binary", "-o", image, object};
        for (const common::Command & step : {assemble, link}) {
            const common::Captured captured = common::capture(step);
            EXPECT_EQ(captured.end.exit_status, 0) << captured.output;
            if (captured.end.exit_status != 0) {
                return std::nullopt;
            }
        }
        fs::resize_file(image, 1U << 20U);  // SeaBIOS reads nothing from an AHCI disk of one sector
        return image;
    }

    fs::path page_file() const { return scratch_.path() / "page"; }
    fs::path lines_file() const { return scratch_.path() / "lines"; }

    std::string plugin(const std::string & ram = std::to_string(64 << 20), const std::string & lines = "") const {
        return std::string(BOOTBUDGET_COUNTER) + ",page=" + page_file().string() + ",ram=" + ram +
               ",lines=" + (lines.empty() ? lines_file().string() : lines);
    }

    common::Command guest(
        const Loops & loops, const std::vector<std::string> & more, const std::string & the_plugin) const {
        make_page();
        std::vector<std::string> arguments = {
            "-serial",
            "file:" + (scratch_.path() / "serial").string(),
            "-drive",
            "format=raw,if=ide,snapshot=off,file=" + image(loops).value_or("/no/guest").string(),
            "-plugin",
            the_plugin};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return command(arguments);
    }

    Boot boot(const Loops & loops, std::vector<std::string> more = {}, const std::string & the_plugin = "") const {
        if (std::find(more.begin(), more.end(), "-m") == more.end()) {
            more.insert(more.end(), {"-m", "64M"});
        }
        Boot boot;
        boot.captured = common::capture(guest(loops, more, the_plugin.empty() ? plugin() : the_plugin), {}, 120s);
        boot.page = page();
        boot.lines = lines();
        boot.has_lines_file = fs::exists(lines_file());
        return boot;
    }

    void make_page() const {
        std::ofstream(page_file(), std::ios::binary) << std::string(CounterPage::PAGE_BYTES, '\0');
        fs::remove(lines_file());
    }

    CounterPage page() const {
        CounterPage page;
        std::memcpy(&page, tests::content_of(page_file()).data(), sizeof page);
        return page;
    }

    std::vector<ConsoleLine> lines() const {
        std::vector<ConsoleLine> lines;
        std::ifstream file(lines_file(), std::ios::binary);
        for (std::string line; std::getline(file, line);) {
            const std::size_t space = line.find(' ');
            lines.push_back({std::stoull(line.substr(0, space)), line.substr(space + 1)});
        }
        return lines;
    }

    bool has_lines() const { return api_.current >= 3; }
    std::uint32_t usual_flags() const {
        if (has_lines()) {
            return 0;
        }
        return COUNTER_LINES_NEED_API_3;
    }

    tests::Scratch scratch_;
    fs::path qemu_;
    PluginApi api_;
};

// The guest's own instructions as its source has them. What remains open is the last `hlt`, which races with the machine's end.
constexpr std::uint64_t KERNEL_WITHOUT_LOOP = 239;
constexpr std::uint64_t FIRST_LINE_AFTER_KERNEL_START = 16;
constexpr std::uint64_t SECOND_LINE_AFTER_FIRST = 115;
constexpr std::uint64_t DOT_AFTER_SECOND_LINE = 104;

void expect_counts(const CounterPage & page, const Loops & loops) {
    EXPECT_EQ(page.magic, CounterPage::MAGIC);
    EXPECT_EQ(page.state, CounterPage::ENDED);
    EXPECT_EQ(page.decompression, 2 * loops.low + 2);
    EXPECT_THAT(page.kernel - 2 * loops.high, testing::AnyOf(KERNEL_WITHOUT_LOOP, KERNEL_WITHOUT_LOOP + 1));
    EXPECT_GT(page.firmware, 100'000U);
}

TEST_P(QemuCounter, CountsEachPartToTheInstruction) {
    for (const Loops loops : {Loops{1000, 1000}, Loops{500'000, 1000}, Loops{1, 2'000'000}}) {
        const Boot boot = this->boot(loops);
        ASSERT_EQ(boot.captured.end.exit_status, 0) << boot.captured.output;
        expect_counts(boot.page, loops);
        EXPECT_EQ(boot.page.api, static_cast<std::uint32_t>(api_.current));
        EXPECT_EQ(boot.page.flags, usual_flags());
    }
}

TEST_P(QemuCounter, CountsTheSameUnderIcount) {
    for (const char * icount : {"shift=0,sleep=on", "shift=3,sleep=on"}) {
        const Loops loops = {300'000, 700'000};
        const Boot boot = this->boot(loops, {"-icount", icount});
        ASSERT_EQ(boot.captured.end.exit_status, 0) << boot.captured.output;
        expect_counts(boot.page, loops);
        if (has_lines()) {
            ASSERT_EQ(boot.lines.size(), 4U);
            EXPECT_EQ(boot.lines[2].count - boot.lines[1].count, SECOND_LINE_AFTER_FIRST + 2 * loops.high);
        }
    }
}

TEST_P(QemuCounter, CountsLinesToTheInstruction) {
    const Loops loops = {1000, 123'456};
    const Boot boot = this->boot(loops);
    ASSERT_EQ(boot.captured.end.exit_status, 0) << boot.captured.output;
    EXPECT_EQ(tests::content_of(scratch_.path() / "serial"), "Bthe first line\r\nthe second line\r\n.")
        << "what goes to the divisor is not sent";
    if (!has_lines()) {
        EXPECT_FALSE(boot.has_lines_file);
        return;
    }
    ASSERT_EQ(boot.lines.size(), 4U);
    EXPECT_EQ(boot.lines[0].text, "B");
    EXPECT_EQ(boot.lines[1].text, "the first line") << "one line on the wire, but begun by the firmware";
    EXPECT_EQ(boot.lines[2].text, "the second line");
    EXPECT_EQ(boot.lines[3].text, ".");
    EXPECT_EQ(boot.lines[1].count, boot.page.firmware + boot.page.decompression + FIRST_LINE_AFTER_KERNEL_START);
    EXPECT_EQ(boot.lines[2].count - boot.lines[1].count, SECOND_LINE_AFTER_FIRST + 2 * loops.high);
    EXPECT_EQ(boot.lines[3].count - boot.lines[2].count, DOT_AFTER_SECOND_LINE);
}

TEST_P(QemuCounter, CutsLongLines) {
    const Boot boot = this->boot({1000, 5000, true});
    ASSERT_EQ(boot.captured.end.exit_status, 0) << boot.captured.output;
    if (!has_lines()) {
        EXPECT_TRUE(boot.lines.empty()) << "lines need plugin API 3, this QEMU has " << api_.current;
        return;
    }
    ASSERT_EQ(boot.lines.size(), 4U);
    EXPECT_EQ(boot.lines[2].text, std::string(CounterPage::LINE_BYTES, 'x'));
    EXPECT_EQ(boot.lines[3].text, ".");
    EXPECT_EQ(boot.lines[2].count - boot.lines[1].count, 100U);
}

TEST_P(QemuCounter, NotesWhereMarksArePassedFirst) {
    std::vector<std::uint64_t> distances;
    for (const std::uint64_t low : {1000U, 5000U}) {
        const Boot boot = this->boot({low, 1000}, {}, plugin() + ",marks=7c00:200000:ffffffff81234560");
        ASSERT_EQ(boot.captured.end.exit_status, 0) << boot.captured.output;
        const auto & marks = boot.page.marks;
        EXPECT_GT(marks[0], 0U) << "the boot sector's first instruction";
        EXPECT_LT(marks[0], marks[1]);
        EXPECT_LT(marks[1] + boot.page.decompression, total(boot.page));
        EXPECT_EQ(marks[2], 0U) << "never executed";
        EXPECT_EQ(marks[3], 0U) << "not wanted";
        distances.push_back(marks[1] - marks[0]);
    }
    EXPECT_EQ(distances.at(0), distances.at(1)) << "the same code lies between them, whatever comes later";
}

TEST_P(QemuCounter, RefusesMarksThatAreNoAddresses) {
    for (const char * marks : {"xyz", "1:2:3:4:5", "", "1;2"}) {
        const Boot boot = this->boot({1000, 1000}, {}, plugin() + ",marks=" + marks);
        EXPECT_NE(boot.captured.end.exit_status, 0) << marks;
        EXPECT_THAT(boot.captured.output, HasSubstr("bootbudget-counter: marks=")) << marks;
    }
}

TEST_P(QemuCounter, TellsRelocatedFirmwareFromTheRestInAnyMemory) {
    for (const char * machine : {"pc", "q35"}) {
        for (const std::uint64_t mib : {128U, 1280U, 2900U, 4096U}) {
            const Loops loops = {1000, 1000};
            const Boot boot =
                this->boot(loops, {"-M", machine, "-m", std::to_string(mib) + "M"}, plugin(std::to_string(mib << 20U)));
            ASSERT_EQ(boot.captured.end.exit_status, 0) << boot.captured.output;
            SCOPED_TRACE(std::string(machine) + " with " + std::to_string(mib) + " MiB");
            expect_counts(boot.page, loops);
        }
    }
}

TEST_P(QemuCounter, CountsSeveralProcessors) {
    const Loops loops = {1000, 100'000};
    const Boot boot = this->boot(loops, {"-smp", "2"});
    ASSERT_EQ(boot.captured.end.exit_status, 0) << boot.captured.output;
    EXPECT_EQ(boot.page.state, CounterPage::ENDED);
    EXPECT_EQ(boot.page.decompression, 2 * loops.low + 2) << "the second one sleeps meanwhile";
    EXPECT_GE(boot.page.kernel, 2 * loops.high + KERNEL_WITHOUT_LOOP);
    EXPECT_EQ(boot.page.flags, usual_flags());
    EXPECT_EQ(boot.lines.size(), has_lines() ? 4U : 0U);
}

TEST_P(QemuCounter, SamplesNotWhereProcessorsMayBePluggedIn) {
    const Loops loops = {1000, 1000};
    const Boot boot = this->boot(loops, {"-smp", "1,maxcpus=2"});
    ASSERT_EQ(boot.captured.end.exit_status, 0) << boot.captured.output;
    expect_counts(boot.page, loops);
    EXPECT_EQ((boot.page.flags & COUNTER_SAMPLER_MISSING) != 0, api_.current >= 2) << "API 1 needs none";
}

TEST_P(QemuCounter, LeavesLiveNumbersAndWholeLinesWhenKilled) {
    const common::Command command = guest({1000, 0xffff'ffff}, {"-m", "64M"}, plugin());
    pid_t killed = 0;
    const auto deadline = common::Clock::now() + 120s;
    common::Watch watch;
    watch.go_on = [&](common::Clock::time_point now, const common::Tree & tree) {
        if (killed == 0 && page().kernel > 1'000'000) {
            EXPECT_EQ(page().state, CounterPage::RUNNING);
            killed = tree.processes().front().pid;
            ::kill(killed, SIGKILL);
        }
        return now < deadline;
    };
    const common::ProcessEnd end = common::run(command, watch, {});
    ASSERT_NE(killed, 0) << "the counter never moved";
    EXPECT_EQ(end.signal, SIGKILL);
    EXPECT_EQ(page().magic, CounterPage::MAGIC);
    EXPECT_EQ(page().state, CounterPage::RUNNING);
    EXPECT_EQ(page().decompression, 2002U);
    EXPECT_GT(page().kernel, 1'000'000U);
    if (has_lines()) {
        ASSERT_EQ(lines().size(), 2U);
        EXPECT_EQ(lines()[1].text, "the first line");
    }
}

TEST_P(QemuCounter, SaysThatItHasEndedWhenQemuIsAskedToEnd) {
    const auto deadline = common::Clock::now() + 120s;
    common::Watch watch;
    watch.go_on = [&](common::Clock::time_point now, const common::Tree &) {
        return page().kernel <= 1'000'000 && now < deadline;
    };
    const common::ProcessEnd end =
        common::run(guest({1000, 0xffff'ffff}, {"-m", "64M"}, plugin()), watch, {}, 20'000ms);
    EXPECT_TRUE(end.stopped);
    EXPECT_EQ(end.exit_status, 0);
    EXPECT_EQ(page().state, CounterPage::ENDED);
    EXPECT_EQ(page().decompression, 2002U);
    EXPECT_GT(page().kernel, 1'000'000U);
}

TEST_P(QemuCounter, CountsWhereLinesCannotBeWritten) {
    const Loops loops = {1000, 1000};
    const Boot boot = this->boot(loops, {}, plugin(std::to_string(64 << 20), "/no/such/directory/lines"));
    ASSERT_EQ(boot.captured.end.exit_status, 0) << boot.captured.output;
    expect_counts(boot.page, loops);
    EXPECT_EQ(boot.page.flags, has_lines() ? COUNTER_LINES_NOT_WRITABLE : COUNTER_LINES_NEED_API_3);
}

TEST_P(QemuCounter, GoesOnWhenTheDiskIsFull) {
    const Loops loops = {1000, 1000};
    const Boot boot = this->boot(loops, {}, plugin(std::to_string(64 << 20), "/dev/full"));
    ASSERT_EQ(boot.captured.end.exit_status, 0) << boot.captured.output;
    expect_counts(boot.page, loops);
    EXPECT_EQ(boot.page.flags, has_lines() ? COUNTER_LINES_NOT_WRITABLE : COUNTER_LINES_NEED_API_3);
}

TEST_P(QemuCounter, RefusesWhatItCannotCountInto) {
    const std::string so = BOOTBUDGET_COUNTER;
    const std::string page = written("short", std::string(CounterPage::PAGE_BYTES - 1, '\0')).string();
    for (const auto & [arguments, sentence] : std::vector<std::pair<std::string, std::string>>{
             {",page=/no/such/page,ram=1", "cannot open the page file /no/such/page: No such file or directory;"},
             {",page=" + page + ",ram=1", "the page file " + page + " is not a file of 4096 bytes at least;"},
             {",page=/dev/zero,ram=1", "the page file /dev/zero is not a file of 4096 bytes at least;"},
             {",page=/no/such/page", "page=FILE (where to count) and ram=BYTES"},
             {",ram=1", "page=FILE (where to count) and ram=BYTES"},
             {"", "page=FILE (where to count) and ram=BYTES"},
             {",page=/x,ram=64M", "ram=64M is not a size"},
             {",page=/x,ram=0", "ram=0 is not a size"},
             {",page=/x,ram=-1", "ram=-1 is not a size"},
             {",page=/x,ram=99999999999999999999", "ram=99999999999999999999 is not a size"},
             {",pages=/x,ram=1", "the argument \"pages=/x\" is not known;"},
         }) {
        const common::Captured captured = common::capture(command({"-M", "none", "-plugin", so + arguments}), {}, 60s);
        EXPECT_EQ(captured.end.exit_status, 1) << arguments;
        EXPECT_THAT(captured.output, HasSubstr("bootbudget-counter: ")) << arguments;
        EXPECT_THAT(captured.output, HasSubstr(sentence)) << arguments;
    }
}

TEST_P(QemuCounter, IsProbed) {
    EXPECT_TRUE(knows(api_)) << api_.min << " to " << api_.current;
    if (GetParam().api.current != 0) {
        EXPECT_EQ(api_, GetParam().api);
    }
    const common::Captured captured = probed();
    EXPECT_EQ(captured.end.exit_status, 1);
    // Claiming what was learnt works, from outside too.
    EXPECT_EQ(
        plugin_api_in(probed({{PROBE_VARIABLE, "1"}, {CLAIM_VARIABLE, std::to_string(claimed_version(api_))}}).output),
        api_);
}

TEST_P(QemuCounter, LearnsALimitWhereItIsRefused) {
    if (api_.current < 7) {
        const auto refused = plugin_api_in(probed({{CLAIM_VARIABLE, "7"}}).output);
        EXPECT_EQ(refused, (PluginApi{api_.current, api_.current}));
    }
    if (api_.min > 1) {
        const auto refused = plugin_api_in(probed({{CLAIM_VARIABLE, "1"}}).output);
        EXPECT_EQ(refused, (PluginApi{api_.min, api_.min}));
    }
    // What is no version is not claimed.
    for (const char * nonsense : {"", "0", "8", "-1", "7x", "9999999999999"}) {
        EXPECT_EQ(plugin_api_in(probed({{PROBE_VARIABLE, "1"}, {CLAIM_VARIABLE, nonsense}}).output), api_) << nonsense;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Of,
    QemuCounter,
    testing::Values(Qemu{"system", {}}, Qemu{"trixie", {2, 4}}, Qemu{"sid", {}}),
    [](const auto & qemu) { return std::string(qemu.param.name); });

/// Another target in the same packages: 32-bit PCs.
TEST(QemuCounterOfAnotherTarget, CountsAllAsOnePart) {
    const auto qemu = common::find_program("qemu-system-i386");
    if (!qemu) {
        GTEST_SKIP() << "there is no qemu-system-i386 here (install qemu-system-x86)";
    }
    const tests::Scratch scratch;
    const fs::path page_file = scratch.path() / "page";
    std::ofstream(page_file, std::ios::binary) << std::string(CounterPage::PAGE_BYTES, '\0');
    const fs::path lines_file = scratch.path() / "lines";
    common::Command command;
    command.environment = common::plain_environment();
    // Firmware without anything to boot resets the machine in the end, or waits: it is ended once it has been counted.
    command.argv = {
        qemu->string(),
        "-display",
        "none",
        "-nodefaults",
        "-no-reboot",
        "-plugin",
        std::string(BOOTBUDGET_COUNTER) + ",page=" + page_file.string() +
            ",ram=134217728,lines=" + lines_file.string()};
    const auto page = [&] {
        CounterPage now;
        std::memcpy(&now, tests::content_of(page_file).data(), sizeof now);
        return now;
    };
    const auto deadline = common::Clock::now() + 120s;
    common::Watch watch;
    watch.go_on = [&](common::Clock::time_point now, const common::Tree &) {
        return page().kernel < 1'000'000 && now < deadline;
    };
    common::run(command, watch, {}, 20'000ms);
    EXPECT_EQ(page().state, CounterPage::ENDED);
    EXPECT_GE(page().kernel, 1'000'000U);
    EXPECT_EQ(page().firmware + page().decompression, 0U);
    EXPECT_EQ(page().flags, COUNTER_PARTS_NOT_TOLD_APART | COUNTER_LINES_NEED_X86_64);
    EXPECT_FALSE(fs::exists(lines_file));
}

}  // namespace
}  // namespace bootbudget::boot
