// Atomics return the old value and leave the new one; 96 threads lose nothing.
#include "device/simt/memory_access.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "device/kernels/language.cuh"
#include "device/simt/launch.h"

namespace vparity::simt {
namespace {

template <class T>
class AtomicSums : public testing::Test {};
using SummedTypes = testing::Types<int, unsigned, unsigned long long, float, double>;
TYPED_TEST_SUITE(AtomicSums, SummedTypes);

TYPED_TEST(AtomicSums, HandOutEachOldValueOnce) {
  TypeParam total = 0;
  std::vector<TypeParam> old(96);
  launch(3, 32, [&] {
    old[blockIdx.x * 32 + threadIdx.x] = atomicAdd(&total, TypeParam{2});
    __threadfence();
  });
  EXPECT_EQ(total, TypeParam{192});
  std::sort(old.begin(), old.end());
  for (std::size_t i = 0; i < 96; ++i) EXPECT_EQ(old[i], static_cast<TypeParam>(2 * i));
}

template <class T>
class AtomicEnds : public testing::Test {};
using ComparedTypes = testing::Types<int, unsigned, long long, unsigned long long>;
TYPED_TEST_SUITE(AtomicEnds, ComparedTypes);

TYPED_TEST(AtomicEnds, KeepTheLargestAndTheSmallest) {
  TypeParam largest = 5, smallest = 1000;
  launch(1, 96, [&] {
    const auto value = static_cast<TypeParam>(threadIdx.x * 37 % 96 + 7);
    EXPECT_LE(atomicMin(&smallest, value), TypeParam{1000});
    EXPECT_GE(atomicMax(&largest, value), TypeParam{5});
  });
  EXPECT_EQ(largest, TypeParam{102});
  EXPECT_EQ(smallest, TypeParam{7});
}

TEST(AtomicEnds, CompareWithTheSign) {
  int value = -3;
  long long wide = -3;
  launch(1, 1, [&] {
    EXPECT_EQ(atomicMax(&value, -7), -3);
    EXPECT_EQ(atomicMin(&wide, -7LL), -3);
  });
  EXPECT_EQ(value, -3);
  EXPECT_EQ(wide, -7);
}

TEST(Atomics, ExchangeAndCompareAndSwap) {
  int number = 1;
  unsigned bits = 1;
  unsigned long long wide = 1;
  float real = 1;
  launch(1, 1, [&] {
    EXPECT_EQ(atomicExch(&number, 2), 1);
    EXPECT_EQ(atomicExch(&bits, 2U), 1U);
    EXPECT_EQ(atomicExch(&wide, 1ULL << 40), 1U);
    EXPECT_EQ(atomicExch(&real, 2.5F), 1.0F);
    EXPECT_EQ(atomicCAS(&number, 1, 9), 2);
    EXPECT_EQ(atomicCAS(&bits, 2U, 9U), 2U);
    EXPECT_EQ(atomicCAS(&wide, 1ULL << 40, 9ULL), 1ULL << 40);
  });
  EXPECT_EQ(number, 2);
  EXPECT_EQ(bits, 9U);
  EXPECT_EQ(wide, 9U);
  EXPECT_EQ(real, 2.5F);
}

TEST(CachedAccess, LoadsAndStores) {
  const float4 from{1, 2, 3, 4};
  float4 to{};
  int number = 0;
  launch(1, 1, [&] {
    __stcs(&to, __ldcs(&from));
    __stcs(&number, __ldg(&number) + 3);
  });
  EXPECT_EQ(to.w, 4.0F);
  EXPECT_EQ(number, 3);
}

}  // namespace
}  // namespace vparity::simt
