// Every instruction set gives the bits of the scalar definition.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/simd/vector_arithmetic_test.cpp"
#include <hwy/foreach_target.h>
// After foreach_target.h, which has to see Highway's headers first.
#include <hwy/highway.h>

#include "host/simd/vector_arithmetic-inl.h"

HWY_BEFORE_NAMESPACE();
namespace vparity::cpu::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Whole vectors of up to 16 lanes: `count` is a multiple of 16.

void ExpOf(const float* x, std::size_t count, float* y) {
  const VectorFloats::D d;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    hn::StoreU(elementary::exp<VectorFloats>(hn::LoadU(d, x + i)), d, y + i);
  }
}

void FusedOf(const float* x, std::size_t count, float* y) {
  const VectorFloats::D d;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto a = hn::LoadU(d, x + i);
    hn::StoreU(VectorFloats::fma(a, a, hn::Neg(hn::Mul(a, a))), d, y + i);
  }
}

void Expm1Of(const double* x, std::size_t count, double* y) {
  const VectorDoubles::D d;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    hn::StoreU(elementary::expm1<VectorDoubles>(hn::LoadU(d, x + i)), d, y + i);
  }
}

void TanhOf(const double* x, std::size_t count, double* value, double* slope) {
  const VectorDoubles::D d;
  for (std::size_t i = 0; i < count; i += hn::Lanes(d)) {
    const auto tanh = elementary::tanh<VectorDoubles>(hn::LoadU(d, x + i));
    hn::StoreU(tanh.value, d, value + i);
    hn::StoreU(tanh.slope, d, slope + i);
  }
}

}  // namespace vparity::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

#include <algorithm>

#include "host/simd/row_kernels_test_support.h"
#include "reproducible/elementary_functions.h"

namespace vparity::cpu {
namespace {

HWY_EXPORT(ExpOf);
HWY_EXPORT(FusedOf);
HWY_EXPORT(Expm1Of);
HWY_EXPORT(TanhOf);

class VectorArithmeticTest : public OnEveryTarget {};
VPARITY_ON_EVERY_TARGET(VectorArithmeticTest);

/// Numbers of both signs and of all magnitudes up to `largest`, as many as fill whole vectors.
template <class T>
std::vector<T> magnitudes(T largest, bool negative_only) {
  std::vector<T> values{T{0}, -T{0}};
  for (double x = 1e-12; x < static_cast<double>(largest); x *= 1.0003) {
    values.push_back(static_cast<T>(-x));
    if (!negative_only) values.push_back(static_cast<T>(x));
  }
  while (values.size() % 16 != 0) values.push_back(-largest);
  return values;
}

template <class T>
void expect_same_bits(const std::vector<T>& actual, const std::vector<T>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_EQ(std::memcmp(&actual[i], &expected[i], sizeof(T)), 0)
        << "element " << i << ": " << actual[i] << ", expected " << expected[i];
  }
}

TEST_P(VectorArithmeticTest, ExpHasTheBitsOfTheScalarOne) {
  const std::vector<float> x = magnitudes(88.0F, true);
  std::vector<float> actual(x.size()), expected;
  for (const float one : x) expected.push_back(vparity::reproducible::exp(one));
  HWY_DYNAMIC_DISPATCH(ExpOf)(x.data(), x.size(), actual.data());
  expect_same_bits(actual, expected);
}

// a a - round(a a) is 0 where the multiply-add is not fused.
TEST_P(VectorArithmeticTest, FmaIsFused) {
  const std::vector<float> x = magnitudes(1e6F, false);
  std::vector<float> actual(x.size()), expected;
  for (const float a : x) expected.push_back(std::fma(a, a, -(a * a)));
  HWY_DYNAMIC_DISPATCH(FusedOf)(x.data(), x.size(), actual.data());
  expect_same_bits(actual, expected);
  EXPECT_GT(std::ranges::count_if(actual, [](float error) { return error != 0; }),
            static_cast<std::ptrdiff_t>(x.size() / 2));
}

TEST_P(VectorArithmeticTest, Expm1HasTheBitsOfTheScalarOne) {
  const std::vector<double> x = magnitudes(700.0, false);
  std::vector<double> actual(x.size()), expected;
  for (const double one : x) expected.push_back(vparity::reproducible::expm1(one));
  HWY_DYNAMIC_DISPATCH(Expm1Of)(x.data(), x.size(), actual.data());
  expect_same_bits(actual, expected);
}

TEST_P(VectorArithmeticTest, TanhAndItsSlopeHaveTheBitsOfTheScalarOnes) {
  const std::vector<double> x = magnitudes(1e6, false);
  std::vector<double> value(x.size()), slope(x.size()), expected_value, expected_slope;
  for (const double one : x) {
    expected_value.push_back(vparity::reproducible::tanh(one).value);
    expected_slope.push_back(vparity::reproducible::tanh(one).slope);
  }
  HWY_DYNAMIC_DISPATCH(TanhOf)(x.data(), x.size(), value.data(), slope.data());
  expect_same_bits(value, expected_value);
  expect_same_bits(slope, expected_slope);
}

}  // namespace
}  // namespace vparity::cpu

#endif  // HWY_ONCE
