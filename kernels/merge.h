// The merge operator of semantics 2 over the partials of all shards, in rank order, and the row
// results it gives.
#pragma once

#include <cstdint>
#include <span>

#include "cpu/row_kernels.h"

namespace vparity {

/// A row's sums over the whole vocabulary.
struct FullRowSums {
  float max;
  double s, u, a;
  std::int64_t n;
};

/// Merges shard partials in the order given. NaN in any `max` survives. `temperature` as in
/// Options.
FullRowSums merge(std::span<const Partial<cpu::RowSums>> shards, float temperature);

}  // namespace vparity
