// Rows from one place in device memory to another.
#pragma once

#include <cstdint>

#include "cuda/kernels.h"
#include "cuda/language.cuh"
#include "cuda/storage.cuh"
#include "cuda/tiles.cuh"

namespace vparity::cuda {

/// Elements of any type, as many as sixteen bytes at once where both sides allow it.
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

}  // namespace vparity::cuda
