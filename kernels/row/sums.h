// The transform of the logits, the sums that a row's results are formed from, and the operator that
// merges them (semantics 2): one definition for ranks on the host and for blocks and ranks on a
// device.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <span>

#include "reproducible/host_device.h"
#include "vparity/options.h"
#include "vparity/placement.h"

namespace vparity {

/// f(x) and the temperature: z_v = (f(x_v) - F) / tau.
struct Transform {
  float temperature = 1.0F;
  float softcap = 0.0F;  ///< 0: none
  /// By operations that give the same bits on every instruction set (semantics 6).
  bool reproducible = false;
};

inline Transform transform_of(const Options& options) {
  return {options.temperature, options.softcap.value_or(0.0F), options.mode == Mode::reproducible};
}

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

/// The sums as those of one shard; n fits, because there are at most max_vocab columns.
VPARITY_HOST_DEVICE inline RowSums narrowed(const FullRowSums& sums) {
  return {sums.max, sums.s, sums.u, sums.a, static_cast<std::int32_t>(sums.n)};
}

/// The identity of merge().
inline constexpr FullRowSums no_shards{-std::numeric_limits<float>::infinity(), 0, 0, 0, 0};

namespace detail {

// std::max may drop a NaN.
VPARITY_HOST_DEVICE inline float max_keeping_nan(float a, float b) {
  if (a != a) return a;
  return b <= a ? a : b;
}

/// Sums centred at `max` instead of their own maximum (semantics 2). Both maxima are finite or NaN
/// here, so that d is finite even for the smallest temperature.
VPARITY_HOST_DEVICE inline FullRowSums recentred(const FullRowSums& sums, float max,
                                                 double temperature) {
  const double d = (static_cast<double>(sums.max) - max) / temperature;
  const double c = std::exp(d);
  const auto n = static_cast<double>(sums.n);
  return {max, c * sums.s, c * (sums.u + d * sums.s), sums.a + n * d, sums.n};
}

}  // namespace detail

/// Merges `left`, the sums of the shards before, with the next shard. NaN in any `max` survives.
/// `temperature` as in Options.
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
