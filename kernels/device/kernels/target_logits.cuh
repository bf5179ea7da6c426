// The logits at a row's token ids, and f(x) of one logit.
#pragma once

#include <cmath>
#include <cstdint>

#include "device/kernels/kernels.h"
#include "device/kernels/language.cuh"
#include "device/kernels/storage.cuh"
#include "device/kernels/tiles.cuh"
#include "reproducible/elementary_functions.h"
#include "row/sums.h"

namespace vparity::cuda {

/// c tanh(x / c), in double as on the host: z's error bound leaves 2 u |f| for all of f (semantics
/// 7). Infinities and NaN pass unchanged, because masks are decided on the stored value. Every mode
/// uses the functions of `reproducible`, so that there is one definition.
__device__ inline float capped(float x, float c) {
  return std::isfinite(x) ? static_cast<float>(reproducible::softcap(x, c).value) : x;
}

/// f of one stored logit, the same bits in every kernel.
__device__ inline float transformed(float x, const Transform& transform) {
  return transform.softcap == 0 ? x : capped(x, transform.softcap);
}

__device__ inline bool owns(const ShardColumns& own, std::int64_t id) {
  return own.begin <= id && id < own.end;
}

__device__ inline bool ignored(const Targets& targets, std::int64_t row, int k) {
  return targets.ids(row, k) == targets.ignore_index;
}

/// Whether the id is outside [0, V) and not ignored.
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

/// f(x) at an id that this shard owns; else 0, which no rank reads.
template <DType kType>
__device__ float own_target(const Logits& logits, const Transform& transform,
                            const Targets& targets, std::int64_t row, int k) {
  const std::int64_t id = targets.ids(row, k);
  if (!owns(targets.own, id) || ignored(targets, row, k)) return 0;
  return transformed(stored_logit<kType>(logits, row, id - targets.own.begin), transform);
}

/// The rank that owns a column.
__device__ inline int owner_of(const std::int64_t* shard_ends, int ranks, std::int64_t id) {
  for (int rank = 0; rank < ranks; ++rank)
    if (id < shard_ends[rank]) return rank;
  return ranks - 1;
}

/// t_k, selected from its owner: a product with an owner mask would make NaN of a masked target. 0
/// for an id that is ignored or bad.
template <class AnyRecords>
__device__ float target_of_owner(const AnyRecords& records, const std::int64_t* shard_ends,
                                 int ranks, const Targets& targets, std::int64_t row, int k) {
  if (ignored(targets, row, k) || bad(targets, row, k)) return 0;
  const int owner = owner_of(shard_ends, ranks, targets.ids(row, k));
  return records.of_rank(owner).target(row, k);
}

}  // namespace vparity::cuda
