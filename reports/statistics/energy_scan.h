// How unlike the two sides of a split of a series are, for every split at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace vparity::reports {

/// The energy statistic of two samples (G. J. Szekely, M. L. Rizzo, "Testing for equal
/// distributions in high dimension", InterStat 5 (2004)), as E-divisive takes it of the m values
/// before and the n from a split on (D. S. Matteson, N. A. James, JASA 109 (2014), eq. 5 to 7):
///
///   mn / (m + n) * (2 mean |x - y| - mean |x - x'| - mean |y - y'|)
///
/// with means over pairs of different elements. It grows with whatever is different between the
/// sides. All splits of one order take O(N log N).
///
/// Values are rounded to 40 bits of their range (fewer above 4096 values), and sums of them are
/// exact: results are the same on every machine.
class EnergyScan {
 public:
  /// Finite values that are not all alike, fewer than 2^20; a side has at least `fewest` of them.
  EnergyScan(std::span<const double> values, std::size_t fewest);

  struct Split {
    std::size_t at = 0;    ///< the first of the right side
    double statistic = 0;  ///< in units of the range of the values
  };
  /// The split whose sides are least alike, the first of several. `order` holds each of 0 to N - 1
  /// once: as order_given() has them, or as a permutation of that.
  Split best(std::span<const std::uint32_t> order);

  /// The ranks of the values, as the series has them.
  std::span<const std::uint32_t> order_given() const { return ranks_; }

 private:
  std::uint64_t see(std::uint32_t rank);
  std::int64_t distances_to_seen(std::uint32_t rank, std::int64_t seen, std::int64_t sum);
  double statistic(std::size_t left, std::int64_t within, std::int64_t distances) const;

  std::size_t fewest_;
  std::vector<std::uint32_t> ranks_;
  // By rank: the value in units of its resolution, and the sum of its distances to all others.
  std::vector<std::int64_t> values_, distances_;
  std::int64_t all_pairs_ = 0;  ///< sum of distances
  double range_ = 0;            ///< in units of the resolution
  // Those seen so far in a scan: how many in the low bits, the sum of their values above. The inner
  // nodes of a full binary tree over ranks, as a heap; each knows the leaves of its left subtree.
  std::vector<std::uint64_t> seen_;
  unsigned count_bits_ = 0;
};

}  // namespace vparity::reports
