// The functions of numbers against IEEE 754 and the tables of the PTX manual.
#include "device/simt/numbers.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "device/kernels/language.cuh"

namespace vparity::simt {
namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

TEST(Numbers, AreRoundedToNearestEvenOnce) {
  EXPECT_EQ(__fadd_rn(1, 0x1p-24F), 1.0F);
  EXPECT_EQ(__fadd_rn(1, 0x1.8p-24F), 0x1.000002p+0F);
  EXPECT_EQ(__fsub_rn(1, 0x1p-25F), 1.0F);
  EXPECT_EQ(__fmul_rn(0x1.000002p+0F, 0x1.000002p+0F), 0x1.000004p+0F);
  EXPECT_EQ(__fdiv_rn(1, 3), 0x1.555556p-2F);
  EXPECT_EQ(__dadd_rn(1, 0x1p-53), 1.0);
  EXPECT_EQ(__dsub_rn(1, 0x1p-55), 1.0);
  EXPECT_EQ(__dmul_rn(0x1.0000000000001p+0, 0x1.0000000000001p+0), 0x1.0000000000002p+0);
  EXPECT_EQ(__ddiv_rn(1, 3), 0x1.5555555555555p-2);
  EXPECT_EQ(rintf(2.5F), 2.0F);
  EXPECT_EQ(exp2f(-3), 0.125F);
}

TEST(Numbers, FusedOnesKeepTheWholeProduct) {
  const float x = 0x1.000002p+0F;  // its square is 1 + 2^-22 + 2^-46
  EXPECT_EQ(fmaf(x, x, -0x1.000004p+0F), 0x1p-46F);
  EXPECT_EQ(__fmaf_rn(x, x, -0x1.000004p+0F), 0x1p-46F);
  const double y = 0x1.0000000000001p+0;
  EXPECT_EQ(fma(y, y, -0x1.0000000000002p+0), 0x1p-104);
  EXPECT_EQ(__fma_rn(y, y, -0x1.0000000000002p+0), 0x1p-104);
}

TEST(Numbers, BecomeIntegersToNearestEvenWithinTheRange) {
  EXPECT_EQ(__float2ll_rn(2.5F), 2);
  EXPECT_EQ(__float2ll_rn(-3.5F), -4);
  EXPECT_EQ(__double2ll_rn(0x1p52 + 0.5), 1LL << 52);
  EXPECT_EQ(__double2ll_rn(-0x1p62), -(1LL << 62));
  EXPECT_EQ(__float2ll_rn(0x1p63F), std::numeric_limits<long long>::max());
  EXPECT_EQ(__float2ll_rn(kInfinity), std::numeric_limits<long long>::max());
  EXPECT_EQ(__float2ll_rn(-0x1p64F), std::numeric_limits<long long>::min());
  EXPECT_EQ(__float2ll_rn(kNaN), std::numeric_limits<long long>::min());
}

TEST(Numbers, ShowTheirBits) {
  EXPECT_EQ(__float_as_uint(1), 0x3F800000U);
  EXPECT_EQ(__uint_as_float(0xC0000000U), -2.0F);
  EXPECT_EQ(__float_as_int(-0.0F), std::numeric_limits<int>::min());
  EXPECT_EQ(__int_as_float(0x3F000000), 0.5F);
}

TEST(Exp2Flushed, HasNoSubnormalResults) {
  EXPECT_EQ(exp2_flushed(3), 8.0F);
  EXPECT_EQ(exp2_flushed(-126), 0x1p-126F);
  for (const float x : {-126.0001F, -140.0F, -1e30F, -kInfinity}) {
    EXPECT_EQ(__float_as_uint(exp2_flushed(x)), 0U) << x;
  }
  EXPECT_EQ(exp2_flushed(kInfinity), kInfinity);
  EXPECT_EQ(exp2_flushed(1e-40F), 1.0F);
  EXPECT_TRUE(std::isnan(exp2_flushed(kNaN)));
}

TEST(MaxKeepingNaN, IsTheLargerOrNaN) {
  EXPECT_EQ(max_keeping_nan(1, 2), 2.0F);
  EXPECT_EQ(max_keeping_nan(-1, -kInfinity), -1.0F);
  EXPECT_FALSE(std::signbit(max_keeping_nan(0.0F, -0.0F)));
  EXPECT_FALSE(std::signbit(max_keeping_nan(-0.0F, 0.0F)));
  EXPECT_TRUE(std::isnan(max_keeping_nan(kNaN, 1)));
  EXPECT_TRUE(std::isnan(max_keeping_nan(kInfinity, kNaN)));
}

TEST(VectorTypes, HaveTheSizesAndAlignmentsOfCuda) {
  EXPECT_EQ(sizeof(uint4) + sizeof(int4) + sizeof(float4), 48U);
  EXPECT_EQ(alignof(uint4) + alignof(int4) + alignof(float4), 48U);
  EXPECT_EQ(sizeof(uint2) + alignof(uint2), 16U);
  EXPECT_EQ(make_uint4(1, 2, 3, 4).w + make_uint2(5, 6).y, 10U);
  EXPECT_EQ(make_float4(1, 2, 3, 4).z, 3.0F);
  EXPECT_EQ(make_int4(1, 2, 3, -4).w, -4);
}

}  // namespace
}  // namespace vparity::simt
