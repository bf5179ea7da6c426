// The elementary functions of mode `reproducible` against long double, over dense grids, and at
// arguments with exact results. host/simd/vector_arithmetic_test.cpp tests that vectors give the
// same bits.
#include "reproducible/elementary_functions.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>

#include "reference/storage_format.h"

namespace vparity::reproducible {
namespace {

/// |actual - exact| in ulps of fp32 at `exact`.
double float_ulps(double actual, long double exact) {
  const double ulp = 2 * reference::half_ulp(reference::Format::fp32, static_cast<double>(exact));
  return static_cast<double>(std::abs(static_cast<long double>(actual) - exact)) / ulp;
}

double relative_error(double actual, long double exact) {
  return static_cast<double>(std::abs((static_cast<long double>(actual) - exact) / exact));
}

/// Magnitudes from `first` to `last`, each `factor` times the one before.
void for_magnitudes(double first, double last, double factor,
                    const std::function<void(double)>& examine) {
  for (double x = first; x < last; x *= factor) examine(x);
}

TEST(Exp, IsWithinTwoAndAHalfUlp) {
  double worst = 0;
  for_magnitudes(1e-9, 87.3365, 1.00002, [&](double magnitude) {
    const auto x = static_cast<float>(-magnitude);
    const double ulps = float_ulps(exp(x), std::exp(static_cast<long double>(x)));
    worst = std::fmax(worst, ulps);
    ASSERT_LE(ulps, 2.4) << x;
  });
  EXPECT_GT(worst, 0.5);  // the grid reaches places that are rounded badly
}

TEST(Exp, OfZeroIsOne) {
  EXPECT_EQ(exp(0.0F), 1.0F);
  EXPECT_EQ(exp(-0.0F), 1.0F);
}

// The smallest x with e^x >= 2^-126 is the last that is not 0.
TEST(Exp, IsZeroExactlyBelowTheSmallestNormalNumber) {
  const float last = -0x1.5d589ep+6F;
  const float below = std::nextafter(last, -100.0F);
  ASSERT_GE(std::exp(static_cast<long double>(last)), 0x1p-126L);
  ASSERT_LT(std::exp(static_cast<long double>(below)), 0x1p-126L);
  EXPECT_GE(exp(last), std::numeric_limits<float>::min());
  for (float x = below; x >= -88.0F; x = std::nextafter(x, -100.0F)) {
    ASSERT_EQ(exp(x), 0.0F) << x;
    ASSERT_FALSE(std::signbit(exp(x))) << x;
  }
}

TEST(Expm1, IsExactToThirtyBits) {
  for (const double sign : {1.0, -1.0}) {
    for_magnitudes(1e-18, 700, 1.0001, [&](double magnitude) {
      const double x = sign * magnitude;
      ASSERT_LE(relative_error(expm1(x), std::expm1(static_cast<long double>(x))), 0x1p-30) << x;
    });
  }
  EXPECT_EQ(expm1(0.0), 0);
}

TEST(ExpOfDouble, IsExactToThirtyBits) {
  for (const double sign : {1.0, -1.0}) {
    for_magnitudes(1e-18, 700, 1.0001, [&](double magnitude) {
      const double x = sign * magnitude;
      ASSERT_LE(relative_error(exp(x), std::exp(static_cast<long double>(x))), 0x1p-30) << x;
    });
  }
}

TEST(Tanh, ValueAndSlopeAreExactToTwentyNineBits) {
  for (const double sign : {1.0, -1.0}) {
    for_magnitudes(1e-30, 350, 1.0001, [&](double magnitude) {
      const double x = sign * magnitude;
      const long double cosh = std::cosh(static_cast<long double>(x));
      ASSERT_LE(relative_error(tanh(x).value, std::tanh(static_cast<long double>(x))), 0x1p-29)
          << x;
      ASSERT_LE(relative_error(tanh(x).slope, 1 / (cosh * cosh)), 0x1p-29) << x;
    });
  }
}

TEST(Tanh, SaturatesWithASlopeThatFp32CannotHold) {
  for (const double x : {1e3, -1e6, 1e300, -std::numeric_limits<double>::max()}) {
    EXPECT_EQ(static_cast<float>(tanh(x).value), x > 0 ? 1 : -1);
    EXPECT_EQ(static_cast<float>(tanh(x).slope), 0.0F);
  }
}

// 4 ulp of double; the first range is what log s lies in.
TEST(Log, IsWithinFourUlpOfDouble) {
  const auto examine = [](double x) {
    const long double exact = std::log(static_cast<long double>(x));
    const double value = static_cast<double>(exact);
    const double ulp = std::nextafter(std::abs(value), HUGE_VAL) - std::abs(value);
    ASSERT_LE(static_cast<double>(std::abs(static_cast<long double>(log(x)) - exact)), 4 * ulp)
        << x;
  };
  for_magnitudes(1, 0x1p22, 1.00003, examine);
  for_magnitudes(0x1p-1000, 0x1p1000, 1.01, examine);
  for_magnitudes(0x1p-52, 1, 1.01, [&](double rest) { examine(1 + rest); });
  EXPECT_EQ(log(1.0), 0);
}

}  // namespace
}  // namespace vparity::reproducible
