// Where the level of a series changed, found by looking back at all of it: E-divisive (D. S.
// Matteson, N. A. James, "A Nonparametric Approach for Multiple Change Point Analysis of
// Multivariate Data", JASA 109 (2014)). What it finds and how often it is wrong: docs/history.md.
#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace vparity::reports {

struct ChangePointCriteria {
  double level = 1e-4;               ///< largest p-value of the permutation test
  std::size_t fewest = 3;            ///< fewest values on each side of a split
  double smallest = std::log(1.02);  ///< smallest difference of neighbouring medians
};

struct ChangePoint {
  std::size_t at = 0;            ///< the first value of the new level
  double p = 1;                  ///< see BestSplit
  double before = 0, after = 0;  ///< medians since the last change point and until the next
};

/// The change points of a series, in its order. The values are finite and compared by their
/// difference: for times and ratios, pass the logarithms.
///
/// The series is split where its sides differ most, and each side again, as long as the test has a
/// p of at most `level`. Then the change point with the smallest difference of its medians is
/// removed, and the next one, until none is below `smallest`.
std::vector<ChangePoint> change_points(std::span<const double> values,
                                       const ChangePointCriteria& criteria);

}  // namespace vparity::reports
