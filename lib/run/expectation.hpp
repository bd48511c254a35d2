// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bootbudget/report.hpp>

#include <map>
#include <string>

namespace bootbudget::run {

/// A first guess of one boot's wall time in seconds on a current machine, before any boot was made: a distribution's kernel takes
/// about 25 s with libguestfs-test-tool under TCG, a debug kernel about 2.4 times that.
double expected_boot_seconds(Kind kind) noexcept;

/// How long boots take, learnt from those made so far.
class Expectation {
public:
    void learn(const std::string & variant, double seconds);

    /// The expected wall time of one more boot of the variant, in seconds.
    double of(const std::string & variant, Kind kind) const;

private:
    std::map<std::string, double> latest_;
};

}  // namespace bootbudget::run
