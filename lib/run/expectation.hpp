// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <bootbudget/report.hpp>

#include <map>
#include <string>
#include <tuple>

namespace bootbudget::run {

/// A first guess of one boot's wall time in seconds on a current machine, before any boot was made: a distribution's kernel takes
/// about 25 s with libguestfs-test-tool under TCG, a debug kernel about 2.4 times that, and icount makes both about 1.6 times slower.
double expected_boot_seconds(Kind kind, Mode mode) noexcept;

/// How long boots take, learnt from those made so far.
class Expectation {
public:
    void learn(const Variant & variant, Mode mode, double seconds);

    /// The expected wall time of one more boot of the variant, in seconds.
    double of(const Variant & variant, Mode mode) const;

private:
    std::map<std::tuple<BuildRole, std::string, Mode>, double> latest_;
};

}  // namespace bootbudget::run
