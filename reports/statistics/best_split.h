// Whether a series would look as split as it does if the order of its values were chance.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace vparity::reports {

struct BestSplit {
  std::size_t at = 0;  ///< the first of the right side
  /// Of the best split among all orders of these values. 1 / k where the k-th random order was as
  /// split, so that nothing above the level is to be read as a measure.
  double p = 1;
};

/// Of finite values that are not all alike: the split whose sides are least alike (EnergyScan),
/// each of at least `fewest` values, at least 2; values that lie far out count as less far. Nothing
/// where there are too few values for any.
///
/// p is that of a permutation test which ends as soon as it cannot reach `level` any more (J.
/// Besag, P. Clifford, "Sequential Monte Carlo p-values", Biometrika 78 (1991)), or a bound of it
/// where that is below a tenth of `level`: docs/history.md.
std::optional<BestSplit> best_split(std::span<const double> values, std::size_t fewest,
                                    double level);

/// With fewer values no p-value reaches `level`, however different the sides are: two of all
/// C(n, n / 2) orders of two kinds of values are as split as "all of one, then all of the other".
std::size_t fewest_values(double level);

}  // namespace vparity::reports
