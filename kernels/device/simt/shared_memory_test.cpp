#include "device/simt/shared_memory.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <vector>

#include "device/kernels/language.cuh"
#include "device/simt/launch.h"

namespace vparity::simt {
namespace {

TEST(SharedMemory, IsOneArrayForTheThreadsOfABlock) {
  std::vector<int> reversed(3 * 64);
  launch(3, 64, [&] {
    VPARITY_SHARED(int, values, 64);
    values[threadIdx.x] = static_cast<int>(100 * blockIdx.x + threadIdx.x);
    __syncthreads();
    reversed[blockIdx.x * 64 + threadIdx.x] = values[63 - threadIdx.x];
  });
  EXPECT_EQ(reversed[0], 63);
  EXPECT_EQ(reversed[63], 0);
  EXPECT_EQ(reversed[2 * 64 + 1], 262);
}

TEST(SharedMemory, IsNaNUntilItIsWrittenInEveryBlock) {
  int numbers = 0, wide_numbers = 0;
  launch(4, 32, [&] {
    VPARITY_SHARED(float, values, 32);
    VPARITY_SHARED(double, wide, 32);
    if (!std::isnan(values[threadIdx.x])) atomicAdd(&numbers, 1);
    if (!std::isnan(wide[threadIdx.x])) atomicAdd(&wide_numbers, 1);
    values[threadIdx.x] = 1;
    wide[threadIdx.x] = 1;
  });
  EXPECT_EQ(numbers, 0);
  EXPECT_EQ(wide_numbers, 0);
}

template <class T>
__device__ T* scratch() {
  VPARITY_SHARED(T, memory, 4);
  return memory;
}

TEST(SharedMemory, IsOnePerDeclarationAndTemplate) {
  launch(1, 2, [] {
    VPARITY_SHARED(float, mine, 4);
    EXPECT_EQ(scratch<float>(), scratch<float>());
    EXPECT_NE(static_cast<void*>(scratch<float>()), static_cast<void*>(scratch<int>()));
    EXPECT_NE(scratch<float>(), static_cast<float*>(mine));
  });
}

TEST(SharedMemory, HasTheAlignmentOfItsType) {
  launch(5, 1, [] {
    VPARITY_SHARED(char, bytes, 3);
    VPARITY_SHARED(uint4, vectors, 3);
    EXPECT_EQ(sizeof bytes, 3U);
    EXPECT_EQ(sizeof vectors, 48U);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&vectors[0]) % 16, 0U);
  });
}

}  // namespace
}  // namespace vparity::simt
