// An intrinsics probe: a kernel that calls every CUDA function that kernel bodies may use, once.
#pragma once

#include <vector>

#include "device/kernels/language.cuh"

namespace vparity::cuda {

inline constexpr int probe_threads = 64;
inline constexpr int probe_results = 40;  // per thread; the unused ones stay 0

/// Results of the atomics of all threads.
struct ProbeTotals {
  int added, largest, smallest, exchanged, swapped;
  unsigned long long wide;
  float real;
  double precise;
};

/// The probe's results on the CPU.
struct ProbeResults {
  std::vector<unsigned long long> results;
  std::vector<float> powers;
};
ProbeResults probe_intrinsics_on_cpu(const std::vector<float>& x, ProbeTotals& totals);

__device__ inline unsigned long long probe_bits(float x) {
  return x != x ? 0x7FC00000U : __float_as_uint(x);  // NaNs have different bits
}

/// `x` and `powers` have probe_threads elements, `results` has probe_results per thread.
__global__ void __launch_bounds__(probe_threads)
    probe_intrinsics(const float* __restrict__ x, unsigned long long* __restrict__ results,
                     float* __restrict__ powers, ProbeTotals* totals) {
  VPARITY_SHARED(float, turned, probe_threads);
  constexpr unsigned whole = 0xFFFFFFFF;
  const int thread = static_cast<int>(threadIdx.x + blockIdx.x * blockDim.x);
  const int lane = thread % warpSize;
  unsigned long long* result = results + thread * probe_results;
  const float mine = __ldg(x + thread);
  const float other = __ldcs(x + (thread + 1) % probe_threads);

  turned[probe_threads - 1 - thread] = mine;
  __syncthreads();
  *result++ = probe_bits(turned[thread]);
  *result++ = __syncthreads_or(thread == 7) != 0;
  *result++ = __syncthreads_and(thread != 7) != 0;
  *result++ = static_cast<unsigned>(__syncthreads_count(thread % 3));

  *result++ = probe_bits(__shfl_sync(whole, mine, lane + 5));
  *result++ = static_cast<unsigned>(__shfl_up_sync(whole, thread, 3));
  *result++ = __shfl_down_sync(whole, static_cast<unsigned>(thread), 30);
  *result++ = __shfl_xor_sync(whole, 1ULL << thread, 9);
  *result++ = static_cast<unsigned long long>(__shfl_xor_sync(whole, -1LL - thread, 1));
  *result++ = static_cast<unsigned long long>(__shfl_sync(whole, thread * 0.5, 3));
  if (lane < 16)
    *result = static_cast<unsigned>(__shfl_down_sync(0xFFFF, thread, lane < 8 ? 8 : 0));
  ++result;
  __syncwarp();
  *result++ = __ballot_sync(whole, thread % 5 == 0);
  *result++ = __any_sync(whole, thread == 40) != 0;
  *result++ = __all_sync(whole, thread != 40) != 0;
  *result++ = (__activemask() >> lane) & 1;
  *result++ = __reduce_add_sync(whole, 0x10000000U + static_cast<unsigned>(thread));
  *result++ = static_cast<unsigned>(__reduce_add_sync(whole, -thread));
  *result++ = static_cast<unsigned>(__reduce_max_sync(whole, 5 - thread));
  *result++ = __reduce_max_sync(whole, static_cast<unsigned>(5 - thread));
  *result++ = static_cast<unsigned>(__reduce_min_sync(whole, 5 - thread));
  *result++ = __reduce_min_sync(whole, static_cast<unsigned>(5 - thread));

  atomicAdd(&totals->added, thread);
  atomicAdd(&totals->wide, 1ULL << (thread % 40));
  atomicAdd(&totals->real, 0.5F);
  atomicAdd(&totals->precise, 0.25);
  atomicMax(&totals->largest, thread * 37 % 64);
  atomicMin(&totals->smallest, -(thread * 37 % 64));
  __threadfence();
  if (thread == 9) {
    *result = static_cast<unsigned>(atomicExch(&totals->exchanged, 3) +
                                    10 * atomicCAS(&totals->swapped, 0, 4));
  }
  ++result;

  *result++ = probe_bits(max_keeping_nan(mine, other));
  *result++ = static_cast<unsigned long long>(__float2ll_rn(mine));
  *result++ = static_cast<unsigned long long>(__double2ll_rn(static_cast<double>(mine) * 0x1p20));
  *result++ = probe_bits(__int_as_float(__float_as_int(rintf(mine))));
  *result++ = probe_bits(__fadd_rn(mine, other));
  *result++ = probe_bits(__fsub_rn(mine, other));
  *result++ = probe_bits(__fmul_rn(mine, other));
  *result++ = probe_bits(__fdiv_rn(mine, other));
  *result++ = probe_bits(__fmaf_rn(mine, other, 0.1F));
  *result++ = probe_bits(fmaf(mine, mine, -other));
  const double wide = mine, third = __ddiv_rn(other, 3.0);
  *result++ = probe_bits(static_cast<float>(__fma_rn(wide, third, __dmul_rn(wide, wide))));
  *result++ =
      probe_bits(static_cast<float>(fma(wide, __dadd_rn(wide, third), __dsub_rn(wide, third))));
  __stcs(powers + thread, exp2_flushed(mine));

  const uint4 four = make_uint4(1, 2, 3, 4);
  const float4 reals = make_float4(1, 2, 3, 4);
  const int4 numbers = make_int4(1, 2, 3, 4);
  *result++ = four.w + make_uint2(5, 6).y + static_cast<unsigned>(reals.z) +
              static_cast<unsigned>(numbers.y) + gridDim.x;
  if (gridDim.y > 1) __trap();
}

}  // namespace vparity::cuda
