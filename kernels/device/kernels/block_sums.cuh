// Mode `fast`: the sums of a block of a row's logits, in one read (semantics 2).
#pragma once

#include <cfloat>
#include <cmath>
#include <cstdint>

#include "device/kernels/kernels.h"
#include "device/kernels/language.cuh"
#include "device/kernels/storage.cuh"
#include "device/kernels/target_logits.cuh"
#include "device/kernels/tiles.cuh"
#include "reproducible/exact_reductions.h"

namespace vparity::cuda {

inline constexpr double log2_e = 0x1.71547652b82fep+0;
inline constexpr double ln_2 = 0x1.62e42fefa39efp-1;

/// Factor of f(x) - F in the exponent of 2, clamped: it would be infinite for the smallest
/// temperatures.
__device__ inline float exponent_scale(float temperature) {
  return static_cast<float>(fmin(log2_e / temperature, static_cast<double>(FLT_MAX)));
}

/// The exponent at which 2^w is +0. The sums multiply 2^w by the clamped w, so that a term whose
/// 2^w is 0 adds 0 and not 0 * -inf.
inline constexpr float lowest_exponent = -127.0F;

/// The sums of a warp's elements. All lanes share one reference, the largest f(x) so far, so that
/// it seldom moves, and then in all lanes alike. Exponentials are added in fp32 within a batch and
/// in double across batches, so that the number of batches costs no accuracy.
template <bool kCapped, bool kWithA>
class WarpSums {
 public:
  static constexpr bool takes_batches = !kCapped;  // the softcap needs the registers

  __device__ explicit WarpSums(const Transform& transform)
      : transform_(transform), scale_(exponent_scale(transform.temperature)) {}

  /// Adds kChains times kLength logits of this lane; -inf where there is none. Called by all lanes.
  template <int kChains, int kLength>
  __device__ void add(float (&x)[kChains * kLength]) {
    if constexpr (kCapped) {
#pragma unroll
      for (float& one : x) one = capped(one, transform_.softcap);
    }
    raise_reference(largest(x));
    float s[kChains] = {}, u[kChains] = {};
#pragma unroll
    for (int chain = 0; chain < kChains; ++chain) {
#pragma unroll
      for (int i = 0; i < kLength; ++i) {
        const float w =
            max_keeping_nan((x[chain * kLength + i] - reference_) * scale_, lowest_exponent);
        const float term = exp2_flushed(w);
        s[chain] += term;
        u[chain] = fmaf(term, w, u[chain]);
      }
    }
    s_ += total(s);
    u_ += total(u);
    if constexpr (kWithA) add_centred(x);
  }

  /// The sums of all lanes, in every lane. Without a valid element s is 0 and max is meaningless.
  __device__ FullRowSums finish() const {
    const double tau = transform_.temperature;
    return {reference_, over_lanes(s_), over_lanes(u_) * ln_2, over_lanes(centred_) / tau,
            over_lanes(n_)};
  }

 private:
  template <int kCount>
  __device__ float largest(const float (&x)[kCount]) const {
    float most = reference_;  // a number: fmaxf then drops a NaN, which shows in the sums
#pragma unroll
    for (int i = 0; i < kCount; ++i) most = fmaxf(most, x[i]);
    return most;
  }

  __device__ void raise_reference(float largest_of_lane) {
    const int key = __reduce_max_sync(all_lanes, reproducible::order_key(largest_of_lane));
    const float most = reproducible::value_of(key);
    if (!(most > reference_)) return;
    // The merge operator of semantics 2 with the identity on the other side. In double: in long
    // rows that rise slowly, errors of one direction would add up.
    if (__any_sync(all_lanes, s_ > 0)) {
      const double shift = static_cast<double>(reference_) - most;
      const double d = shift * scale_;
      const double c = exp2(d);
      if (s_ > 0) {
        u_ = c * (u_ + d * s_);
        s_ = c * s_;
      }
      centred_ += n_ * shift;
    }
    reference_ = most;
  }

  template <int kCount>
  __device__ static double total(const float (&chains)[kCount]) {
    float sum = chains[0];
#pragma unroll
    for (int i = 1; i < kCount; ++i) sum += chains[i];
    return sum;
  }

  /// In double: the differences may exceed fp32's range where their mean does not.
  template <int kCount>
  __device__ void add_centred(const float (&x)[kCount]) {
    for (const float one : x) {
      if (one == -HUGE_VALF) continue;
      centred_ += static_cast<double>(one) - reference_;
      ++n_;
    }
  }

  template <class T>
  __device__ static T over_lanes(T value) {
    for (int distance = warp_size / 2; distance > 0; distance /= 2) {
      value += __shfl_xor_sync(all_lanes, value, distance);
    }
    return value;
  }

  const Transform& transform_;
  float scale_;
  float reference_ = -FLT_MAX;  // no valid logit is smaller
  double s_ = 0;                // NaN once a NaN or +inf was among the valid logits
  double u_ = 0;                // in the exponent of 2
  double centred_ = 0;
  int n_ = 0;
};

/// Thread 0: the sums of all warps, moved to their largest maximum and added.
__device__ inline RowSums merged_warps(const FullRowSums (&warps)[warps_per_block],
                                       float temperature) {
  FullRowSums all{-FLT_MAX, 0, 0, 0, 0};
  for (const FullRowSums& warp : warps) {
    if (warp.s != 0 && warp.max > all.max) all.max = warp.max;
  }
  for (const FullRowSums& warp : warps) {
    if (warp.s == 0) continue;  // no valid element
    const FullRowSums part = vparity::detail::recentred(warp, all.max, temperature);
    all.s += part.s;
    all.u += part.u;
    all.a += part.a;
    all.n += part.n;
  }
  const auto n = static_cast<std::int32_t>(all.n);
  if (all.s == 0) return {-HUGE_VALF, 0, 0, 0, 0};
  if (std::isnan(all.s)) return {nanf(""), all.s, all.s, all.s, n};
  return {all.max, all.s, all.u, all.a, n};
}

template <DType kType, bool kCapped, bool kWithA>
__global__ void __launch_bounds__(threads_per_block, blocks_per_sm)
    sum_blocks_kernel(SumBlocks call) {
  VPARITY_SHARED(FullRowSums, warps, warps_per_block);
  const Tiles tiles(call.logits.rows, call.logits.columns);
  const int warp = static_cast<int>(threadIdx.x) / warp_size;
  for (std::int64_t index = blockIdx.x; index < tiles.count(); index += gridDim.x) {
    WarpSums<kCapped, kWithA> sums(call.transform);
    visit_tile<kType>(call.logits, tiles[index], sums);
    const FullRowSums of_warp = sums.finish();
    if (threadIdx.x % warp_size == 0) warps[warp] = of_warp;
    __syncthreads();
    if (threadIdx.x == 0)
      call.blocks[index].value = merged_warps(warps, call.transform.temperature);
    __syncthreads();  // before the sums of the next tile are written to `warps`
  }
}

}  // namespace vparity::cuda
