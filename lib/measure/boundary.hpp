// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

namespace bootbudget::measure {

/// The looks at one comparison: after `first` values, and after each further one up to `last`, it may be settled. To each side of the limit
/// all looks together may err with probability at most `share`.
struct Looks {
    double share = 0.05;
    int first = 3;  ///< at least 2
    int last = 15;
};

/// Student's t at which the bound of a mean must be taken at the look after `n` values (first ≤ n ≤ last), such that a mean that lies at the limit
/// is found beyond it at any look with probability half of `share`, for normal noise (the other half is kept back for noise that is not); a mean on the
/// right side of the limit more rarely.
///
/// Source: a spending function (Lan and DeMets, "Discrete sequential boundaries for clinical trials", Biometrika 70, 1983) whose boundaries are
/// computed exactly for t statistics of few values (after Jennison and Turnbull, "Exact calculations for sequential t, χ² and F tests", Biometrika 78,
/// 1991), by the recursion that boundary.cpp explains. Remembers what it has computed; may be called from several threads. BugError for
/// looks that make no sense.
double critical_t(const Looks & looks, int n);

/// The one-sided error of critical_t(looks, n) were it the only look: P(T > t) at n - 1 degrees of freedom.
double nominal_error(const Looks & looks, int n);

}  // namespace bootbudget::measure
