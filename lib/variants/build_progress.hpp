// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bootbudget/progress.hpp>

#include <chrono>
#include <cstddef>
#include <string>

namespace bootbudget::variants {

/// How far a build is, told from the stages that rpmbuild comes to.
class BuildProgress {
public:
    BuildProgress(Progress & progress, std::size_t variants) : progress_(progress), variants_(variants) {}

    void begin(const std::string & variant, const std::string & switches);
    void stage(const std::string & stage);
    /// Also keeps the seconds, from which the time that the next variants take is guessed.
    void end(double seconds, std::size_t packages, std::size_t log_lines);
    void warn(const std::string & line) { progress_.warn(line); }
    /// To be called now and then, so that the time left goes down while a stage lasts.
    void tick();

private:
    void advance();

    Progress & progress_;
    std::size_t variants_;
    std::size_t done_ = 0;
    double done_seconds_ = 0;
    double part_ = 0;  ///< of the variant that is being built
    std::string variant_;
    std::chrono::steady_clock::time_point began_;
    std::chrono::steady_clock::time_point ticked_;
};

}  // namespace bootbudget::variants
