// The merge operator of semantics 2 over the partials of all shards, in rank order, and the row
// results it gives.
#pragma once

#include <cstdint>
#include <limits>
#include <span>

#include "cpu/row_kernels.h"

namespace vparity {

/// A row's sums over the whole vocabulary.
struct FullRowSums {
  float max;
  double s, u, a;
  std::int64_t n;
};

/// The sums of no shard.
inline constexpr FullRowSums no_shards{-std::numeric_limits<float>::infinity(), 0, 0, 0, 0};

/// `left`, of the shards before, and the next one. NaN in any `max` survives. `temperature` as in
/// Options.
FullRowSums merge(const FullRowSums& left, const Partial<cpu::RowSums>& right, float temperature);

/// Merges shard partials in the order given.
FullRowSums merge(std::span<const Partial<cpu::RowSums>> shards, float temperature);

}  // namespace vparity
