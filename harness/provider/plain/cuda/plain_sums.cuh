// The sums of a row's blocks by a kernel that is written to be read: double precision, one function
// per step, each of which a known bug can replace.
#pragma once

#include <cmath>
#include <cstdint>

#include "device/kernels/kernels.h"
#include "device/kernels/language.cuh"
#include "device/kernels/target_logits.cuh"
#include "device/kernels/tiles.cuh"
#include "row/sums.h"

namespace vparity::harness::plain_cuda {

__device__ inline FullRowSums merged(const FullRowSums& left, const FullRowSums& right,
                                     float temperature) {
  return merge(left, Partial<RowSums>{narrowed(right)}, temperature);
}

struct SumSteps {
  static constexpr float first_maximum = -HUGE_VALF;
  static constexpr int nearest_lane = 1;  ///< distance of the last step of a warp's reduction
  static constexpr int warps = cuda::warps_per_block;

  /// What a logit counts as.
  __device__ static float logit(float f) { return f; }

  /// The sums, moved to a larger maximum.
  __device__ static FullRowSums moved(const FullRowSums& sums, float max, float temperature) {
    return vparity::detail::recentred(sums, max, temperature);
  }

  template <DType kType, class Sink>
  __device__ static void visit(const cuda::Logits& logits, const cuda::Tile& tile, Sink& sink) {
    cuda::visit_tile<kType>(logits, tile, sink);
  }

  __device__ static void put(FullRowSums& place, const FullRowSums& of_warp) { place = of_warp; }
  __device__ static void wait_for_warps() { __syncthreads(); }

  /// The tile that comes after a block's `index`.
  __device__ static std::int64_t next_tile(std::int64_t index, std::int64_t) {
    return index + gridDim.x;
  }
};

/// One thread's sums, about the largest f(x) that it has seen.
template <class Steps>
class LaneSums {
 public:
  static constexpr bool takes_batches = true;

  __device__ explicit LaneSums(const Transform& transform) : transform_(transform) {}

  template <int kChains, int kLength>
  __device__ void add(const float (&x)[kChains * kLength]) {
    for (const float one : x) {
      const float f = Steps::logit(cuda::transformed(one, transform_));
      if (f != -HUGE_VALF) add_valid(f);
    }
  }
  __device__ const FullRowSums& sums() const { return sums_; }

 private:
  __device__ void add_valid(float f) {
    if (!(std::fabs(f) < HUGE_VALF)) sums_.max = nanf("");
    if (f > sums_.max) {
      sums_ = sums_.n == 0 ? FullRowSums{f, 0, 0, 0, 0}
                           : Steps::moved(sums_, f, transform_.temperature);
    }
    const double z = (static_cast<double>(f) - sums_.max) / transform_.temperature;
    const double e = std::exp(z);
    sums_.s += e;
    sums_.u += e * z;
    sums_.a += z;
    ++sums_.n;
  }

  const Transform& transform_;
  FullRowSums sums_{Steps::first_maximum, 0, 0, 0, 0};
};

__device__ inline FullRowSums of_lane(const FullRowSums& own, int distance) {
  const auto from = [&](auto value) { return __shfl_xor_sync(cuda::all_lanes, value, distance); };
  return {from(own.max), from(own.s), from(own.u), from(own.a), from(own.n)};
}

template <class Steps>
__device__ FullRowSums over_lanes(FullRowSums own, float temperature) {
  for (int distance = cuda::warp_size / 2; distance >= Steps::nearest_lane; distance /= 2) {
    own = merged(own, of_lane(own, distance), temperature);
  }
  return own;
}

template <DType kType, class Steps>
__global__ void sums_kernel(cuda::SumBlocks call) {
  VPARITY_SHARED(FullRowSums, warps, cuda::warps_per_block);
  const cuda::Tiles tiles(call.logits.rows, call.logits.columns);
  const float temperature = call.transform.temperature;
  for (std::int64_t index = blockIdx.x; index < tiles.count();
       index = Steps::next_tile(index, tiles.count())) {
    LaneSums<Steps> lane(call.transform);
    Steps::template visit<kType>(call.logits, tiles[index], lane);
    const FullRowSums of_warp = over_lanes<Steps>(lane.sums(), temperature);
    if (threadIdx.x % cuda::warp_size == 0) {
      Steps::put(warps[threadIdx.x / cuda::warp_size], of_warp);
    }
    Steps::wait_for_warps();
    if (threadIdx.x == 0) {
      FullRowSums all = no_shards;
      for (int warp = 0; warp < Steps::warps; ++warp) all = merged(all, warps[warp], temperature);
      call.blocks[index].value = narrowed(all);
    }
    __syncthreads();  // before the next tile's sums are put there
  }
}

}  // namespace vparity::harness::plain_cuda
