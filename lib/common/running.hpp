// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include "common/cpu_group.hpp"
#include "common/descriptor.hpp"
#include "common/process.hpp"
#include "common/supervisor.hpp"

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace bootbudget::common {

/// How long the watch waits at most for its turn.
constexpr std::chrono::milliseconds TICK{100};

using TakeOutput = decltype(Watch::on_output);

/// A program with its supervisor, from the fork to the end of the last descendant; the destructor ends them.
class Running {
public:
    Running(const Command & command, std::chrono::milliseconds grace);
    ~Running();
    Running(const Running &) = delete;
    Running & operator=(const Running &) = delete;

    int output() const noexcept { return output_.number(); }
    int status() const noexcept { return status_.number(); }
    Tree tree() const noexcept { return Tree(supervisor_); }
    bool program_ended() const noexcept { return ended_; }
    bool finished() const noexcept { return finished_; }

    /// Orders the end; it takes at most the grace period and a moment.
    void end() noexcept;

    /// Reads one message. Throws SystemError if the program could not be started, or the supervisor is gone, or will not be done.
    void read_message();

    /// Passes on what the pipe holds, at most `pieces` pieces; false when there is nothing more (for now).
    bool read_output(int pieces, const TakeOutput & take);

    ProcessEnd result() const noexcept;

private:
    void fork_supervisor(const Command & command, std::chrono::milliseconds grace);
    bool receive(Message & message) noexcept;
    void check_patience() const;
    void wait_for_supervisor() noexcept;

    std::string path_;
    const Command & command_;
    std::chrono::milliseconds grace_;
    std::optional<CpuGroup> cpu_group_;
    Descriptor life_line_;
    Descriptor output_;
    Descriptor status_;
    pid_t supervisor_ = 0;
    pid_t program_ = 0;
    bool ended_ = false;
    bool finished_ = false;
    std::optional<Clock::time_point> last_moment_;  ///< set once the tree is being ended
    std::int64_t started_at_ = 0;
    std::int64_t ended_at_ = 0;
    ProcessEnd end_;
};

}  // namespace bootbudget::common
