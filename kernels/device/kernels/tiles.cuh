// How the elements of many rows are distributed over the threads of a grid.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "device/kernels/kernels.h"
#include "device/kernels/language.cuh"
#include "device/kernels/storage.cuh"

namespace vparity::cuda {

inline constexpr int threads_per_block = 256;
/// Thread blocks of a streaming kernel per SM, which limits their registers.
inline constexpr int blocks_per_sm = 2;
inline constexpr int warp_size = 32;
inline constexpr int warps_per_block = threads_per_block / warp_size;
inline constexpr unsigned all_lanes = 0xFFFFFFFFU;

/// Sixteen-byte loads that a thread has in flight.
inline constexpr int loads_in_flight = 4;

/// One thread block's part of one row.
struct Tile {
  std::int64_t row, begin, end;
};

/// The tiles of `rows` rows of `columns` columns: rows * blocks_of(columns).
struct Tiles {
  std::int64_t rows, columns, per_row;

  __device__ Tiles(std::int64_t all_rows, std::int64_t all_columns)
      : rows(all_rows), columns(all_columns), per_row(blocks_of(all_columns)) {}

  __device__ std::int64_t count() const { return rows * per_row; }
  __device__ Tile operator[](std::int64_t index) const {
    const std::int64_t begin = index % per_row * block_columns;
    const std::int64_t end = begin + block_columns;
    return {index / per_row, begin, end < columns ? end : columns};
  }
};

/// This thread's index among all of the grid, for kernels that give a thread a row.
__device__ inline std::int64_t first_row_of_thread() {
  return static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ inline std::int64_t threads_of_grid() {
  return static_cast<std::int64_t>(gridDim.x) * blockDim.x;
}

template <DType kType>
__device__ const std::byte* element_at(const Logits& logits, std::int64_t row,
                                       std::int64_t column) {
  return logits.data +
         (row * logits.row_stride + column) * static_cast<std::int64_t>(size_of(kType));
}

/// Consecutive elements: a head of single elements up to a 16-byte boundary, then groups of sixteen
/// bytes, then a tail of single elements.
template <DType kType>
struct Pieces {
  static constexpr int group = Storage<kType>::group;
  static constexpr int element_bytes = static_cast<int>(size_of(kType));
  std::int64_t count, head, groups;

  __device__ Pieces(const std::byte* at, std::int64_t elements) : count(elements) {
    const auto misaligned = static_cast<int>(reinterpret_cast<std::uintptr_t>(at) % group_bytes);
    const std::int64_t to_group = (static_cast<int>(group_bytes) - misaligned) %
                                  static_cast<int>(group_bytes) / element_bytes;
    head = to_group < count ? to_group : count;
    groups = (count - head) / group;
  }

  __device__ bool only_groups() const { return head == 0 && groups * group == count; }
  __device__ std::int64_t offset_of_group(std::int64_t g) const { return head + g * group; }
  /// The element of head or tail that a thread works on; -1: none. Head and tail together are less
  /// than two groups.
  __device__ std::int64_t single_of_thread() const {
    const auto i = static_cast<std::int64_t>(threadIdx.x);
    if (i < head) return i;
    const std::int64_t in_tail = i - head + offset_of_group(groups);
    return in_tail < count ? in_tail : -1;
  }
};

/// Calls visit.many(first) for `loads_in_flight` groups per thread, threads_per_block apart, while
/// every thread of the block has that many groups left. Then calls visit.one(index) for single
/// groups, also with an index beyond the last group, so that all threads make the same calls.
template <class Visitor>
__device__ void for_each_group(std::int64_t groups, Visitor&& visit) {
  constexpr std::int64_t at_once = std::int64_t{loads_in_flight} * threads_per_block;
  const auto own = static_cast<std::int64_t>(threadIdx.x);
  std::int64_t first = 0;
  for (; first + at_once <= groups; first += at_once) visit.many(first + own);
  for (; first < groups; first += threads_per_block) visit.one(first + own);
}

/// Passes a tile's elements to add<chains, length>(x) of a sink, with -inf where a thread has no
/// element left. All threads of the block make the same calls. Sink::takes_batches: several loads
/// are in flight. That does not pay where arithmetic takes the time and the registers.
template <DType kType, class Sink>
struct VisitTile {
  static constexpr int group = Storage<kType>::group;
  const std::byte* at;
  Pieces<kType> pieces;
  Sink& sink;

  __device__ void many(std::int64_t first) {
    if constexpr (Sink::takes_batches) {
      uint4 raw[loads_in_flight];
#pragma unroll
      for (int i = 0; i < loads_in_flight; ++i) raw[i] = load(first + i * threads_per_block);
      float x[loads_in_flight * group];
#pragma unroll
      for (int i = 0; i < loads_in_flight; ++i) Storage<kType>::decode(raw[i], x + i * group);
      sink.template add<loads_in_flight, group>(x);
    } else {
#pragma unroll 1
      for (int i = 0; i < loads_in_flight; ++i) one(first + i * threads_per_block);
    }
  }

  __device__ void one(std::int64_t index) {
    float x[group];
    for (float& none : x) none = -HUGE_VALF;
    if (index < pieces.groups) Storage<kType>::decode(load(index), x);
    sink.template add<1, group>(x);
  }

  __device__ void singles() {
    if (pieces.only_groups()) return;
    const std::int64_t i = pieces.single_of_thread();
    float x[1] = {i < 0 ? -HUGE_VALF : load_element<kType>(at + i * pieces.element_bytes)};
    sink.template add<1, 1>(x);
  }

 private:
  __device__ uint4 load(std::int64_t index) const {
    return load_group(at + pieces.offset_of_group(index) * pieces.element_bytes);
  }
};

template <DType kType, class Sink>
__device__ void visit_tile(const Logits& logits, const Tile& tile, Sink& sink) {
  const std::byte* const at = element_at<kType>(logits, tile.row, tile.begin);
  VisitTile<kType, Sink> visit{at, {at, tile.end - tile.begin}, sink};
  for_each_group(visit.pieces.groups, visit);
  visit.singles();
}

}  // namespace vparity::cuda
