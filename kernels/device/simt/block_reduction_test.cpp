// A typical kernel: the sum of a row by warps, shared memory and shuffles.
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "device/kernels/language.cuh"
#include "device/simt/launch.h"

namespace vparity::simt {
namespace {

__device__ float warp_sum(float value) {
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(0xFFFFFFFF, value, distance);
  }
  return value;
}

template <int kThreads>
__global__ void __launch_bounds__(kThreads)
    row_sums(const float* __restrict__ values, int columns, float* __restrict__ sums) {
  VPARITY_SHARED(float, parts, kThreads / 32);
  const float* row = values + static_cast<long>(blockIdx.x) * columns;
  float sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < columns; i += kThreads) sum += row[i];
  sum = warp_sum(sum);
  if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = warp_sum(threadIdx.x < kThreads / 32 ? parts[threadIdx.x] : 0);
    if (threadIdx.x == 0) sums[blockIdx.x] = sum;
  }
}

TEST(BlockReduction, SumsEveryRowInEveryOrder) {
  constexpr int kRows = 5, kColumns = 1000;
  std::vector<float> values(kRows * kColumns);
  std::iota(values.begin(), values.end(), 0.0F);  // row r: 1000 (1000 r) + 999 * 500
  for (const Order order : {Order{Order::ascending}, Order{Order::descending},
                            Order{Order::shuffled, 1}, Order{Order::shuffled, 2}}) {
    std::vector<float> sums(kRows);
    launch(kRows, 256, [&] { row_sums<256>(values.data(), kColumns, sums.data()); }, {order});
    EXPECT_EQ(sums, (std::vector<float>{499500, 1499500, 2499500, 3499500, 4499500}));
  }
}

}  // namespace
}  // namespace vparity::simt
