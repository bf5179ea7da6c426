// Where the level of a series changed, looking back at all of it: E-divisive (D. S. Matteson, N. A.
// James, "A Nonparametric Approach for Multiple Change Point Analysis of Multivariate Data", JASA
// 109 (2014)). What it finds and how often it is wrong: docs/history.md.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace vparity::reports {

struct ChangePointCriteria {
  double level = 1e-4;               ///< of the permutation test
  std::size_t fewest = 3;            ///< values on each side
  double smallest = std::log(1.02);  ///< difference of medians
};

struct ChangePoint {
  std::size_t at = 0;            ///< the first value of the new level
  double p = 1;                  ///< BestSplit
  double before = 0, after = 0;  ///< medians, from the last change point and to the next
};

/// Of values that one compares by their difference: of times and ratios, the logarithms. What is
/// not finite is left out. In the order of the series.
///
/// The series is split where its sides are least alike, each side again, as long as the test has a
/// p of at most `level`; then change points are taken out, that with the smallest difference of the
/// medians at its sides first, until none is below `smallest`.
std::vector<ChangePoint> change_points(std::span<const double> values,
                                       const ChangePointCriteria& criteria);

}  // namespace vparity::reports
