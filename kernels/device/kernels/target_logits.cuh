// The logits at a row's token ids.
#pragma once

#include <cmath>
#include <cstdint>

#include "device/kernels/capped.cuh"
#include "device/kernels/kernels.h"
#include "device/kernels/language.cuh"
#include "device/kernels/storage.cuh"
#include "device/kernels/tiles.cuh"

namespace vparity::cuda {

__device__ inline bool owns(const ShardColumns& own, std::int64_t id) {
  return own.begin <= id && id < own.end;
}

__device__ inline bool ignored(const Targets& targets, std::int64_t row, int k) {
  return targets.ids(row, k) == targets.ignore_index;
}

/// Whether the id is neither a column nor ignored.
__device__ inline bool bad(const Targets& targets, std::int64_t row, int k) {
  const std::int64_t id = targets.ids(row, k);
  return !ignored(targets, row, k) && (id < 0 || id >= targets.vocab);
}

__device__ inline bool any_bad(const Targets& targets, std::int64_t row) {
  for (int k = 0; k < targets.ids.columns(); ++k)
    if (bad(targets, row, k)) return true;
  return false;
}

__global__ void __launch_bounds__(threads_per_block) check_ids_kernel(CheckIds call) {
  for (std::int64_t row = first_row_of_thread(); row < call.rows; row += threads_of_grid()) {
    const int columns = call.targets.ids.columns();
    for (int k = 0; k < columns; ++k) {
      if (bad(call.targets, row, k))
        atomicMin(call.first_bad_id, static_cast<unsigned long long>(row * columns + k));
    }
  }
}

template <DType kType>
__device__ float stored_logit(const Logits& logits, std::int64_t row, std::int64_t column) {
  return load_element<kType>(element_at<kType>(logits, row, column));
}

/// f(x) at an id that this shard has; else 0, which nobody reads.
template <DType kType>
__device__ float own_target(const Logits& logits, const Transform& transform,
                            const Targets& targets, std::int64_t row, int k) {
  const std::int64_t id = targets.ids(row, k);
  if (!owns(targets.own, id) || ignored(targets, row, k)) return 0;
  return transformed(stored_logit<kType>(logits, row, id - targets.own.begin), transform);
}

/// The rank that has a column.
__device__ inline int owner_of(const std::int64_t* shard_ends, int ranks, std::int64_t id) {
  for (int rank = 0; rank < ranks; ++rank)
    if (id < shard_ends[rank]) return rank;
  return ranks - 1;
}

/// Selected from its owner: a product with an owner mask would make NaN of a masked target. 0 for
/// an id that is ignored or no column.
template <class AnyRecords>
__device__ float target_of_owner(const AnyRecords& records, const std::int64_t* shard_ends,
                                 int ranks, const Targets& targets, std::int64_t row, int k) {
  if (ignored(targets, row, k) || bad(targets, row, k)) return 0;
  const int owner = owner_of(shard_ends, ranks, targets.ids(row, k));
  return records.of_rank(owner).target(row, k);
}

}  // namespace vparity::cuda
