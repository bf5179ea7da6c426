// Mode `reproducible`: the maximum as an integer, then sums of integers, which are the same in any
// order. Exponentials use IEEE operations alone (semantics 6).
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "device/kernels/kernels.h"
#include "device/kernels/language.cuh"
#include "device/kernels/row_outputs.cuh"
#include "device/kernels/storage.cuh"
#include "device/kernels/target_logits.cuh"
#include "device/kernels/tiles.cuh"
#include "reproducible/elementary_functions.h"
#include "reproducible/exact_reductions.h"

namespace vparity::cuda {

class LargestKey {
 public:
  static constexpr bool takes_batches = true;

  template <int kChains, int kLength>
  __device__ void add(const float (&x)[kChains * kLength]) {
    for (const float one : x) {
      const reproducible::OrderKey key = reproducible::order_key(one);
      if (key > largest_) largest_ = key;
    }
  }
  __device__ reproducible::OrderKey largest() const { return largest_; }

 private:
  reproducible::OrderKey largest_ = reproducible::order_key(-HUGE_VALF);
};

template <DType kType>
__global__ void __launch_bounds__(threads_per_block, blocks_per_sm)
    find_maxima_kernel(FindMaxima call) {
  VPARITY_SHARED(int, keys, warps_per_block);
  const Tiles tiles(call.logits.rows, call.logits.columns);
  for (std::int64_t index = blockIdx.x; index < tiles.count(); index += gridDim.x) {
    LargestKey largest;
    visit_tile<kType>(call.logits, tiles[index], largest);
    const int of_warp = __reduce_max_sync(all_lanes, largest.largest());
    if (threadIdx.x % warp_size == 0) keys[threadIdx.x / warp_size] = of_warp;
    __syncthreads();
    if (threadIdx.x == 0) {
      int most = keys[0];
      for (const int key : keys) most = key > most ? key : most;
      call.blocks[index] = most;
    }
    __syncthreads();  // before the keys of the next tile are written to `keys`
  }
}

template <DType kType>
__global__ void __launch_bounds__(threads_per_block) write_maxima_kernel(WriteMaxima call) {
  const std::int64_t blocks = blocks_of(call.logits.columns);
  for (std::int64_t row = first_row_of_thread(); row < call.logits.rows; row += threads_of_grid()) {
    reproducible::OrderKey largest = call.blocks[row * blocks];
    for (std::int64_t b = 1; b < blocks; ++b) {
      const reproducible::OrderKey key = call.blocks[row * blocks + b];
      if (key > largest) largest = key;
    }
    call.records.key(row) = largest;
    for (int k = 0; k < call.targets.ids.columns(); ++k) {
      call.records.target(row, k) =
          own_target<kType>(call.logits, call.transform, call.targets, row, k);
    }
  }
}

/// F of the largest x: f keeps the order.
__device__ inline float maximum_of_row(reproducible::OrderKey key, const Transform& transform) {
  const float x = reproducible::value_of(key);
  return x == HUGE_VALF ? nanf("") : transformed(x, transform);
}

__global__ void __launch_bounds__(threads_per_block) read_maxima_kernel(ReadMaxima call) {
  for (std::int64_t row = first_row_of_thread(); row < call.rows; row += threads_of_grid()) {
    reproducible::OrderKey largest = call.records.key(row);
    for (int rank = 1; rank < call.ranks; ++rank) {
      const reproducible::OrderKey key = call.records.of_rank(rank).key(row);
      if (key > largest) largest = key;
    }
    call.maxima[row] = maximum_of_row(largest, call.transform);
    const int columns = call.targets.ids.columns();
    for (int k = 0; k < columns; ++k) {
      call.target_logits[row * columns + k] =
          target_of_owner(call.records, call.shard_ends, call.ranks, call.targets, row, k);
    }
  }
}

/// Adds e^z and e^z z of a row's logits.
template <bool kCapped>
class GridTerms {
 public:
  static constexpr bool takes_batches = !kCapped;

  __device__ GridTerms(const Transform& transform, float max) : transform_(transform), max_(max) {}

  template <int kChains, int kLength>
  __device__ void add(const float (&x)[kChains * kLength]) {
    using A = reproducible::FloatArithmetic;
    reproducible::GridSum s, u;
#pragma unroll
    for (int i = 0; i < kChains * kLength; ++i) {
      const float z = centred(x[i]);
      const float p = reproducible::exp_in_range<A>(z);
      s.add(p);
      u.add(A::mul(p, z));
    }
    sums_.s += s.take_total();
    sums_.u += u.take_total();
  }
  __device__ reproducible::GridSums sums() const { return sums_; }

 private:
  /// z, clamped to where e^z and e^z z are 0 on the grid.
  __device__ float centred(float x) const {
    using A = reproducible::FloatArithmetic;
    float f = x;
    if constexpr (kCapped) {
      // Two logits that the softcap makes nearly equal may come out in the other order.
      f = fminf(capped(x, transform_.softcap), max_);
    }
    const float z = A::sub(f, max_);
    return fmaxf(-64.0F, transform_.temperature == 1.0F ? z : A::div(z, transform_.temperature));
  }

  const Transform& transform_;
  float max_;
  reproducible::GridSums sums_{0, 0};
};

__device__ inline std::int64_t sum_over_lanes(std::int64_t value) {
  auto sum = static_cast<long long>(value);
  for (int distance = warp_size / 2; distance > 0; distance /= 2) {
    sum += __shfl_xor_sync(all_lanes, sum, distance);
  }
  return sum;
}

template <DType kType, bool kCapped>
__global__ void __launch_bounds__(threads_per_block, blocks_per_sm)
    sum_on_grid_kernel(SumOnGrid call) {
  VPARITY_SHARED(reproducible::GridSums, warps, warps_per_block);
  const Tiles tiles(call.logits.rows, call.logits.columns);
  for (std::int64_t index = blockIdx.x; index < tiles.count(); index += gridDim.x) {
    const Tile tile = tiles[index];
    GridTerms<kCapped> terms(call.transform, call.maxima[tile.row]);
    if (std::isfinite(call.maxima[tile.row])) visit_tile<kType>(call.logits, tile, terms);
    const reproducible::GridSums of_warp{sum_over_lanes(terms.sums().s),
                                         sum_over_lanes(terms.sums().u)};
    if (threadIdx.x % warp_size == 0) warps[threadIdx.x / warp_size] = of_warp;
    __syncthreads();
    if (threadIdx.x == 0) {
      reproducible::GridSums all{0, 0};
      for (const reproducible::GridSums& warp : warps) all = {all.s + warp.s, all.u + warp.u};
      call.blocks[index] = all;
    }
    __syncthreads();  // before the sums of the next tile are written to `warps`
  }
}

__global__ void __launch_bounds__(threads_per_block) add_grid_blocks_kernel(AddGridBlocks call) {
  for (std::int64_t row = first_row_of_thread(); row < call.rows; row += threads_of_grid()) {
    reproducible::GridSums all{0, 0};
    for (std::int64_t b = 0; b < call.blocks_per_row; ++b) {
      const reproducible::GridSums& block = call.blocks[row * call.blocks_per_row + b];
      all = {all.s + block.s, all.u + block.u};
    }
    call.sums[row] = all;
  }
}

__global__ void __launch_bounds__(threads_per_block)
    write_grid_outputs_kernel(WriteGridOutputs call) {
  for (std::int64_t row = first_row_of_thread(); row < call.rows; row += threads_of_grid()) {
    reproducible::GridSums all{0, 0};
    for (int rank = 0; rank < call.ranks; ++rank) {
      const reproducible::GridSums& shard = call.sums[rank * call.rows + row];
      all = {all.s + shard.s, all.u + shard.u};
    }
    const FullRowSums sums{call.maxima[row], static_cast<double>(all.s) * 0x1p-40,
                           static_cast<double>(all.u) * 0x1p-40, 0, 0};
    const float* const targets = call.target_logits + row * call.targets.ids.columns();
    write_row(call.outputs, call.targets, call.options, row, sums,
              [&](int k) { return targets[k]; });
  }
}

}  // namespace vparity::cuda
