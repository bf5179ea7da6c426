// Copies rows between places in device memory, and reads rows to measure the memory's bandwidth.
#pragma once

#include <cstdint>

#include "device/kernels/kernels.h"
#include "device/kernels/language.cuh"
#include "device/kernels/storage.cuh"
#include "device/kernels/tiles.cuh"

namespace vparity::cuda {

/// Copies sixteen bytes at once where both sides are aligned.
template <DType kType>
__global__ void __launch_bounds__(threads_per_block, blocks_per_sm)
    copy_rows_kernel(CopyRows call) {
  using Element = typename Storage<kType>::Element;
  constexpr auto bytes = static_cast<std::int64_t>(size_of(kType));
  const Tiles tiles(call.rows, call.columns);
  for (std::int64_t index = blockIdx.x; index < tiles.count(); index += gridDim.x) {
    const Tile tile = tiles[index];
    const std::byte* const from = call.from + (tile.row * call.from_stride + tile.begin) * bytes;
    std::byte* const to = call.to + (tile.row * call.to_stride + tile.begin) * bytes;
    const std::int64_t count = tile.end - tile.begin;
    constexpr auto group = static_cast<std::int64_t>(Storage<kType>::group);
    const std::int64_t groups = at_group(from) && at_group(to) ? count / group : 0;
    for (std::int64_t i = threadIdx.x; i < groups; i += threads_per_block) {
      store_group(to + i * group * bytes, load_group(from + i * group * bytes));
    }
    for (std::int64_t i = groups * group + threadIdx.x; i < count; i += threads_per_block) {
      store_one(to + i * bytes, load_one<Element>(from + i * bytes));
    }
  }
}

/// Folds all loaded values, so that the compiler cannot remove a load.
struct FoldGroups {
  const std::byte* at;
  std::int64_t groups;
  std::uint32_t folded;

  __device__ void many(std::int64_t first) {
    uint4 raw[loads_in_flight];
#pragma unroll
    for (int i = 0; i < loads_in_flight; ++i) raw[i] = load(first + i * threads_per_block);
#pragma unroll
    for (int i = 0; i < loads_in_flight; ++i) fold(raw[i]);
  }
  __device__ void one(std::int64_t index) {
    if (index < groups) fold(load(index));
  }

 private:
  __device__ uint4 load(std::int64_t index) const {
    return load_group(at + index * static_cast<std::int64_t>(group_bytes));
  }
  __device__ void fold(const uint4& raw) { folded ^= raw.x ^ raw.y ^ raw.z ^ raw.w; }
};

template <DType kType>
__global__ void __launch_bounds__(threads_per_block, blocks_per_sm)
    read_rows_kernel(ReadRows call) {
  const Logits rows{call.from, kType, call.rows, call.stride, call.columns};
  const Tiles tiles(call.rows, call.columns);
  for (std::int64_t index = blockIdx.x; index < tiles.count(); index += gridDim.x) {
    const Tile tile = tiles[index];
    const std::byte* const at = element_at<kType>(rows, tile.row, tile.begin);
    const Pieces<kType> pieces(at, tile.end - tile.begin);
    FoldGroups fold{at + pieces.head * pieces.element_bytes, pieces.groups, 0};
    for_each_group(fold.groups, fold);
    const int odd = __syncthreads_count(static_cast<int>(fold.folded & 1));
    if (threadIdx.x == 0) call.folded[index] = static_cast<std::uint32_t>(odd);
  }
}

}  // namespace vparity::cuda
