// SPDX-License-Identifier: GPL-2.0-or-later
// Looking again after each boot makes a wrong verdict more likely, but far less than the sum of the looks' errors, because each look sees the
// boots of the one before. So the chance to be beyond the boundary for the first time at each look is computed, and the boundary put where that
// chance is what the look may spend.
//
// The recursion. Let X_i be the values minus the limit, of mean 0, U_n = Σ X_i / sqrt(Σ X_i²) = sqrt(n) sin θ_n. The t statistic is
// sqrt(n - 1) tan θ_n, and the density of θ_n is proportional to cos^(n-2) θ, for the direction of (X_1 … X_n) is uniform on the sphere. With the new value's share
// of the length, X_n / sqrt(Σ X_i²) = sin φ, which is independent of all earlier directions and has the same density,
//     sin θ_n = sqrt((n - 1) / n) sin θ_(n-1) cos φ + sin φ / sqrt(n).
// So θ is a Markov chain on an interval, whatever the unknown standard deviation is: the mass that has not crossed is kept in cells.
//
// Values with a mean on the right side of the limit cross more rarely: moving all values by the same amount leaves their standard deviation and moves t.
#include "measure/boundary.hpp"

#include <bootbudget/error.hpp>

#include <algorithm>
#include <array>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <map>
#include <mutex>
#include <tuple>
#include <vector>

namespace bootbudget::measure {

namespace {

constexpr double PI = 3.14159265358979323846;
constexpr int CELLS = 160;
constexpr int STEPS_OF_TABLE = 1024;
constexpr int BISECTIONS = 40;

/// Most budgets are kept or exceeded by a wide margin and settled at the first look, which therefore gets half. Of the rest the early looks get more
/// than the late ones: where more boots are needed, most often one or two are enough.
constexpr double FIRST_LOOK = 0.5;
constexpr double EXPONENT = 0.6;

/// Boots are not quite normal: slow ones lie farther off than fast ones, and a handful of them may lie together by chance. In simulated checks with boots drawn
/// from a dozen recorded ones (tests/unit/measure_false_verdicts_test.cpp) that makes up to twice as many wrong verdicts at the limit as normal noise. So half
/// of the share is kept back. (A union bound over the looks, at as many boots, keeps back a third.)
constexpr double SPENT = 0.5;

/// P(angle ≤ x) for the direction of n values.
double angle_probability(int n, double angle) {
    if (angle <= -PI / 2 || angle >= PI / 2) {
        return angle < 0 ? 0 : 1;
    }
    const boost::math::students_t_distribution<double> distribution(n - 1);
    return boost::math::cdf(distribution, std::sqrt(n - 1) * std::tan(angle));
}

/// angle_probability, from a table.
class AngleTable {
public:
    explicit AngleTable(int n) {
        for (std::size_t i = 0; i < steps_.size(); ++i) {
            steps_[i] = angle_probability(n, -PI / 2 + PI * static_cast<double>(i) / STEPS_OF_TABLE);
        }
    }

    double operator()(double angle) const {
        const double place = (angle / PI + 0.5) * STEPS_OF_TABLE;
        if (place <= 0 || place >= STEPS_OF_TABLE) {
            return place <= 0 ? 0 : 1;
        }
        const auto i = static_cast<std::size_t>(place);
        return steps_[i] + (place - static_cast<double>(i)) * (steps_[i + 1] - steps_[i]);
    }

private:
    std::array<double, STEPS_OF_TABLE + 1> steps_{};
};

class Boundary {
public:
    explicit Boundary(const Looks & looks) : looks_(looks) {}

    double critical_t(int n) {
        while (looks_.first + static_cast<int>(criticals_.size()) <= n) {
            add_look();
        }
        return criticals_[static_cast<std::size_t>(n - looks_.first)];
    }

private:
    struct Cell {
        double angle = 0;  ///< its middle
        double mass = 0;
    };

    double may_be_spent_by(int n) const {
        if (looks_.last == looks_.first) {
            return looks_.share * SPENT;
        }
        const double way = static_cast<double>(n - looks_.first) / (looks_.last - looks_.first);
        return looks_.share * SPENT * (FIRST_LOOK + (1 - FIRST_LOOK) * std::pow(way, EXPONENT));
    }

    void add_look() {
        const int n = looks_.first + static_cast<int>(criticals_.size());
        const AngleTable table(n);
        const bool first = criticals_.empty();
        const auto beyond = [&](double angle) {
            return first ? angle_probability(n, -angle) : mass_beyond(n, angle, table);
        };
        const double may_spend = may_be_spent_by(n) - spent_;
        double low = -PI / 2;
        double high = PI / 2;
        for (int i = 0; i < BISECTIONS; ++i) {
            const double middle = (low + high) / 2;
            (beyond(middle) > may_spend ? low : high) = middle;
        }
        spent_ += beyond(high);
        criticals_.push_back(std::sqrt(n - 1) * std::tan(high));
        keep(high, beyond);
    }

    /// The mass that is beyond `angle` after the nth value, of that which had not crossed before.
    double mass_beyond(int n, double angle, const AngleTable & table) const {
        const double target = std::sin(angle);
        const double gain = 1 / std::sqrt(n);
        double sum = 0;
        for (const auto & cell : cells_) {
            // a cos φ + b sin φ = r sin(φ + ψ) > target, for φ in (-π/2, π/2)
            const double kept = std::sqrt(1 - gain * gain) * std::sin(cell.angle);
            const double reach = std::hypot(kept, gain);
            if (target <= -reach) {
                sum += cell.mass;
            } else if (target < reach) {
                const double shift = std::atan2(kept, gain);
                const double from = std::asin(target / reach);
                const double to = PI - from;
                sum += cell.mass * (table(to - shift) - table(from - shift));
                sum += cell.mass * (table(to - shift - 2 * PI) - table(from - shift - 2 * PI));
            }
        }
        return sum;
    }

    template <typename Beyond>
    void keep(double boundary, const Beyond & beyond) {
        std::vector<Cell> cells;
        const double width = (boundary + PI / 2) / CELLS;
        double above = beyond(-PI / 2);
        for (int i = 0; i < CELLS; ++i) {
            const double rest = beyond(-PI / 2 + width * (i + 1));
            cells.push_back({-PI / 2 + width * (i + 0.5), std::max(above - rest, 0.0)});
            above = rest;
        }
        cells_ = std::move(cells);
    }

    Looks looks_;
    std::vector<double> criticals_;
    std::vector<Cell> cells_;
    double spent_ = 0;
};

void require_sense(const Looks & looks, int n) {
    const bool sense = looks.share > 0 && looks.share < 1 && looks.first >= 2 && looks.last >= looks.first &&
                       n >= looks.first && n <= looks.last;
    if (!sense) {
        throw BugError(
            "A share of the check's error was asked for with numbers that make no sense; please report this.");
    }
}

}  // namespace

double critical_t(const Looks & looks, int n) {
    require_sense(looks, n);
    static std::mutex mutex;
    static std::map<std::tuple<double, int, int>, Boundary> boundaries;
    const std::lock_guard lock(mutex);
    const auto key = std::tuple(looks.share, looks.first, looks.last);
    return boundaries.try_emplace(key, looks).first->second.critical_t(n);
}

double nominal_error(const Looks & looks, int n) {
    const boost::math::students_t_distribution<double> distribution(n - 1);
    return boost::math::cdf(boost::math::complement(distribution, critical_t(looks, n)));
}

}  // namespace bootbudget::measure
