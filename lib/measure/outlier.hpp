// SPDX-License-Identifier: GPL-2.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace bootbudget::measure {

/// The places of the values that lie far off the others: a modified Z score, 0.6745 (x - median) / MAD, of more than 3.5 to either side (Iglewicz and
/// Hoaglin, "How to Detect and Handle Outliers", ASQC 1993). If more than half of the values are equal, so that the median of the deviations (MAD) is 0, their mean
/// takes its place, times 1.2533 instead of 1.4826 (both make it a standard deviation of normal values). None among fewer than five values, where the
/// score calls too many off, nor within 0.35 % of the median, where the score would be one of the clock's last digits.
///
/// For the reader only: values far off are kept, since a budget is about what happens, not about what happens mostly.
std::vector<std::size_t> outliers_of(const std::vector<double> & values);

}  // namespace bootbudget::measure
