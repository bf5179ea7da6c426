// The split of a series whose two sides differ most, and a permutation test of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace vparity::reports {

struct BestSplit {
  std::size_t at = 0;  ///< index of the first value on the right side
  /// p-value of the permutation test: 1 / k where the k-th random order was split at least as
  /// clearly. The smallest p is 1 / ceil(1 / level), for "no random order was".
  double p = 1;
};

/// The split with the largest energy statistic (energy_scan.h), with at least `fewest` values on
/// each side, at least 2. The values are finite and not all equal; outliers are pulled in first.
/// Returns nothing if there are too few values for a split or for a p-value of `level`.
///
/// The permutation test compares the series with random orders of the same values. It stops at the
/// first order that is split as clearly, because p cannot reach `level` any more (J. Besag, P.
/// Clifford, "Sequential Monte Carlo p-values", Biometrika 78 (1991)). So a series without a change
/// costs about ten orders, and one with a change costs all 1 / level - 1.
std::optional<BestSplit> best_split(std::span<const double> values, std::size_t fewest,
                                    double level);

/// With fewer values no p-value can reach `level`. The clearest series is "all of one kind, then
/// all of another", and two of its C(n, n / 2) orders are split as clearly.
std::size_t fewest_values(double level);

/// The `number`-th random order of `given`. The same number always gives the same order, on every
/// machine: random numbers come from a counter (Philox4x32-10 of Random123: J. K. Salmon and
/// others, SC'11). With one more element the order is the same with that element swapped in, so a
/// series that is judged again one night later meets nearly the same orders. The probability of an
/// element at a place is off by at most 2^-32.
void shuffle(std::span<const std::uint32_t> given, std::uint32_t number,
             std::vector<std::uint32_t>& shuffled);

}  // namespace vparity::reports
