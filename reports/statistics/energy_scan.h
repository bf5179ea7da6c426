// How different the two sides of a split are, for every split of a series at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace vparity::reports {

/// Computes the energy statistic of two samples (G. J. Szekely, M. L. Rizzo, "Testing for equal
/// distributions in high dimension", InterStat 5 (2004)) for the m values before and the n values
/// after each split, as E-divisive uses it (D. S. Matteson, N. A. James, JASA 109 (2014), eq. 5 to
/// 7):
///
///   mn / (m + n) * (2 mean |x - y| - mean |x - x'| - mean |y - y'|)
///
/// The means are over pairs of different elements. The statistic grows with any difference between
/// the sides, in level or in scatter. All splits of one order of N values take O(N log N).
///
/// Values are rounded to 40 bits of their range (fewer above 4096 values), and sums of them are
/// exact, so the results are the same on every machine.
class EnergyScan {
 public:
  /// Takes fewer than 2^20 finite values that are not all equal. Each side of a split has at least
  /// `fewest` of them.
  EnergyScan(std::span<const double> values, std::size_t fewest);

  struct Split {
    std::size_t at = 0;    ///< index of the first value on the right side
    double statistic = 0;  ///< in units of the range of the values
  };
  /// The split with the largest statistic, the first one of equals. `order` is order_given() or a
  /// permutation of it.
  Split best(std::span<const std::uint32_t> order);

  /// The ranks of the values (0 to N - 1), in the order of the series.
  std::span<const std::uint32_t> order_given() const { return ranks_; }

 private:
  std::uint64_t see(std::uint32_t rank);
  std::int64_t distances_to_seen(std::uint32_t rank, std::int64_t seen, std::int64_t sum);
  double statistic(std::size_t left, std::int64_t within, std::int64_t distances) const;

  std::size_t fewest_;
  std::vector<std::uint32_t> ranks_;
  // By rank: the value in units of the resolution, and the sum of its distances to all others.
  std::vector<std::int64_t> values_, distances_;
  std::int64_t all_pairs_ = 0;  ///< sum of the distances of all pairs
  double range_ = 0;            ///< in units of the resolution
  // The values seen so far in a scan: their count in the low bits, the sum of their values above.
  // These are the inner nodes of a full binary tree over the ranks, stored as a heap. Each node
  // holds the leaves of its left subtree.
  std::vector<std::uint64_t> seen_;
  unsigned count_bits_ = 0;
};

}  // namespace vparity::reports
