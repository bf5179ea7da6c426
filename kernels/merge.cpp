#include "merge.h"

#include <cmath>
#include <limits>

namespace vparity {
namespace {

constexpr float minus_infinity = -std::numeric_limits<float>::infinity();

// std::max drops a NaN on one of its sides.
float max_keeping_nan(float a, float b) {
  if (std::isnan(a)) return a;
  return b <= a ? a : b;
}

/// Sums that are centred at their own maximum, moved to `max` (semantics 2). Both maxima are finite
/// or NaN here, so that d is finite even for the smallest temperature.
FullRowSums recentred(const FullRowSums& sums, float max, double temperature) {
  const double d = (static_cast<double>(sums.max) - max) / temperature;
  const double c = std::exp(d);
  const auto n = static_cast<double>(sums.n);
  return {max, c * sums.s, c * (sums.u + d * sums.s), sums.a + n * d, sums.n};
}

FullRowSums merge_two(const FullRowSums& left, const FullRowSums& right, double temperature) {
  if (left.max == minus_infinity) return right;
  if (right.max == minus_infinity) return left;
  const float max = max_keeping_nan(left.max, right.max);
  const FullRowSums a = recentred(left, max, temperature);
  const FullRowSums b = recentred(right, max, temperature);
  return {max, a.s + b.s, a.u + b.u, a.a + b.a, a.n + b.n};
}

FullRowSums widened(const cpu::RowSums& sums) { return {sums.max, sums.s, sums.u, sums.a, sums.n}; }

}  // namespace

FullRowSums merge(const FullRowSums& left, const Partial<cpu::RowSums>& right, float temperature) {
  return merge_two(left, widened(right.value), temperature);
}

FullRowSums merge(std::span<const Partial<cpu::RowSums>> shards, float temperature) {
  FullRowSums all = no_shards;
  for (const auto& shard : shards) all = merge(all, shard, temperature);
  return all;
}

}  // namespace vparity
