// The sums that a row's results are formed from, and the operator that merges them (semantics 2):
// one definition for ranks on the host and for blocks and ranks on a device.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "reproducible/host_device.h"
#include "vparity/placement.h"

namespace vparity {

/// Sums over one row of one shard. A shard without a valid column is the identity (-inf, 0, 0, 0,
/// 0); a NaN or +inf in a valid column makes `max` NaN.
struct RowSums {
  float max;       ///< F, over this shard
  double s;        ///< sum e^z
  double u;        ///< sum e^z z
  double a;        ///< sum z over valid columns; only if asked for
  std::int32_t n;  ///< valid columns; only if `a` is
};

/// A row's sums over the whole vocabulary.
struct FullRowSums {
  float max;
  double s, u, a;
  std::int64_t n;
};

/// As a shard's: there are no more columns than max_vocab.
VPARITY_HOST_DEVICE inline RowSums narrowed(const FullRowSums& sums) {
  return {sums.max, sums.s, sums.u, sums.a, static_cast<std::int32_t>(sums.n)};
}

/// The sums of no shard.
inline constexpr FullRowSums no_shards{-std::numeric_limits<float>::infinity(), 0, 0, 0, 0};

namespace detail {

// std::max drops a NaN on one of its sides.
VPARITY_HOST_DEVICE inline float max_keeping_nan(float a, float b) {
  if (a != a) return a;
  return b <= a ? a : b;
}

/// Sums that are centred at their own maximum, moved to `max` (semantics 2). Both maxima are finite
/// or NaN here, so that d is finite even for the smallest temperature.
VPARITY_HOST_DEVICE inline FullRowSums recentred(const FullRowSums& sums, float max,
                                                 double temperature) {
  const double d = (static_cast<double>(sums.max) - max) / temperature;
  const double c = std::exp(d);
  const auto n = static_cast<double>(sums.n);
  return {max, c * sums.s, c * (sums.u + d * sums.s), sums.a + n * d, sums.n};
}

}  // namespace detail

/// `left`, of the shards before, and the next one. NaN in any `max` survives. `temperature` as in
/// Options.
VPARITY_HOST_DEVICE inline FullRowSums merge(const FullRowSums& left, const Partial<RowSums>& right,
                                             float temperature) {
  constexpr float minus_infinity = -std::numeric_limits<float>::infinity();
  const RowSums& next = right.value;
  const FullRowSums widened{next.max, next.s, next.u, next.a, next.n};
  if (left.max == minus_infinity) return widened;
  if (next.max == minus_infinity) return left;
  const float max = detail::max_keeping_nan(left.max, next.max);
  const FullRowSums a = detail::recentred(left, max, temperature);
  const FullRowSums b = detail::recentred(widened, max, temperature);
  return {max, a.s + b.s, a.u + b.u, a.a + b.a, a.n + b.n};
}

/// Merges shard partials in the order given.
inline FullRowSums merge(std::span<const Partial<RowSums>> shards, float temperature) {
  FullRowSums all = no_shards;
  for (const auto& shard : shards) all = merge(all, shard, temperature);
  return all;
}

}  // namespace vparity
