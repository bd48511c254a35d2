// SPDX-License-Identifier: GPL-2.0-or-later
// Consoles cut short, with bytes changed, lost, doubled and put elsewhere: the reader survives all of them, and never takes a run that did not
// finish for one that did. The damage is random but the same each time.
#include "boot/console.hpp"
#include "boot/outcome.hpp"
#include "support/recorded_log.hpp"

#include <gtest/gtest.h>

#include <random>

namespace bootbudget::boot {
namespace {

using test::recorded_logs;
using test::text_of;
using test::timed;

constexpr std::string_view FINISHED = "===== TEST FINISHED OK =====";

void check_invariants(const Reading & reading) {
    EXPECT_LE(reading.findings.size(), 100U);
    for (const auto & finding : reading.findings) {
        EXPECT_LE(finding.line.size(), 1100U);
        EXPECT_GT(finding.line_number, 0);
    }
    for (const auto & phase : phases_of(reading)) {
        EXPECT_GE(phase.seconds, 0);
        EXPECT_GE(phase.guest_seconds.value_or(0), 0);
    }
    EXPECT_LE(reading.last_line.size(), 1100U);
    EXPECT_LE(reading.carry.command.size(), 100000U);
}

TEST(DamagedConsole, ATruncatedOneNeverFinished) {
    for (const auto & path : recorded_logs()) {
        const auto text = text_of(path);
        const auto finished = text.find(FINISHED);
        const auto whole = finished == std::string::npos ? text.size() : finished + FINISHED.size();
        std::mt19937 random(1);
        std::uniform_int_distribution<std::size_t> where(0, whole - 1);
        for (int i = 0; i < 20; ++i) {
            const auto reading = read_console(timed(text.substr(0, where(random))));
            check_invariants(reading);
            EXPECT_FALSE(reading.test_finished_ok) << path;
            Attempt attempt;
            attempt.expected_release = reading.guest_release;
            attempt.end.exit_status = 0;
            EXPECT_NE(decide_outcome(reading, attempt).outcome, Outcome::OK) << path;
        }
    }
}

std::string damage(std::string text, std::mt19937 & random) {
    const auto at = [&] {
        return std::uniform_int_distribution<std::size_t>(0, text.empty() ? 0 : text.size() - 1)(random);
    };
    const auto changes = std::uniform_int_distribution<int>(1, 200)(random);
    for (int i = 0; i < changes && !text.empty(); ++i) {
        const auto begin = at();
        const auto length = std::uniform_int_distribution<std::size_t>(1, 300)(random);
        switch (std::uniform_int_distribution<int>(0, 4)(random)) {
            case 0:
                text[begin] = static_cast<char>(std::uniform_int_distribution<int>(0, 255)(random));
                break;
            case 1:
                text.erase(begin, length);
                break;
            case 2:
                text.insert(begin, text.substr(at(), length));
                break;
            case 3:
                text.insert(begin, 1, "\n\x1b[\\\"\0"[std::uniform_int_distribution<int>(0, 5)(random)]);
                break;
            default:
                text.insert(begin, "[    1.000000] WARNING: CPU: 0 PID: 1 at x");
                break;
        }
    }
    return text;
}

TEST(DamagedConsole, NeverBreaksTheReader) {
    std::mt19937 random(2);
    for (const auto & path : recorded_logs()) {
        const auto text = text_of(path);
        for (int i = 0; i < 8; ++i) {
            check_invariants(read_console(timed(damage(text, random))));
        }
    }
}

TEST(DamagedConsole, RandomBytesNeverBreakTheReader) {
    std::mt19937 random(3);
    std::uniform_int_distribution<int> byte(0, 255);
    Reading reading;
    for (int i = 0; i < 300; ++i) {
        TimedLine line;
        line.text.resize(std::uniform_int_distribution<std::size_t>(0, 2000)(random));
        for (auto & c : line.text) {
            c = static_cast<char>(byte(random));
        }
        line.seconds = i;
        read_line(reading, line);
    }
    check_invariants(reading);
    EXPECT_FALSE(reading.test_finished_ok);
}

TEST(DamagedConsole, AnEndlessCommandIsBounded) {
    Reading reading;
    read_line(reading, {"qemu-system-x86_64 \\", 0});
    for (int i = 0; i < 100000; ++i) {
        read_line(reading, {"    -device something \\", 1});
    }
    check_invariants(reading);
    EXPECT_FALSE(reading.qemu_start);
}

TEST(DamagedConsole, AnEndlessLineIsBounded) {
    Reading reading;
    read_line(reading, {std::string(10U << 20U, '['), 0});
    check_invariants(reading);
}

}  // namespace
}  // namespace bootbudget::boot
