// exp, expm1, tanh and log of mode `reproducible` on the host and on a device: the same bits on
// every IEEE 754 machine.
#pragma once

#include <cstdint>

#include "reproducible/arithmetic.h"

namespace vparity::reproducible {

#define VPARITY_FUNCTION VPARITY_HOST_DEVICE inline
#include "reproducible/elementary_functions-inl.h"
#undef VPARITY_FUNCTION

/// e^x for x <= 88 in fp32.
VPARITY_HOST_DEVICE inline float exp(float x) { return exp<FloatArithmetic>(x); }

VPARITY_HOST_DEVICE inline double expm1(double x) { return expm1<DoubleArithmetic>(x); }

/// e^x for |x| <= 700 in double, relative error below 2^-30.
VPARITY_HOST_DEVICE inline double exp(double x) {
  const auto e = exp_parts<DoubleArithmetic>(x);
  using A = DoubleArithmetic;
  return A::add(e.two_to_n, A::mul(e.two_to_n, e.fraction));
}

VPARITY_HOST_DEVICE inline Tanh<DoubleArithmetic> tanh(double x) {
  return tanh<DoubleArithmetic>(x);
}

/// log x of a normal x > 0 in double, within 4 ulp.
VPARITY_HOST_DEVICE inline double log(double x) {
  using A = DoubleArithmetic;
  // x = 2^n m with sqrt(1/2) <= m < sqrt(2); log m = 2 artanh(s) = 2 (s + s^3 / 3 + s^5 / 5 + ..),
  // s = (m - 1) / (m + 1), |s| < 0.172: the first term left out is below 2^-58 of the sum.
  constexpr std::uint64_t sqrt_half = 0x3FE6A09E667F3BCDU;
  const auto exponent = static_cast<std::int64_t>(A::to_bits(x) - sqrt_half) >> 52;
  const double n = static_cast<double>(exponent);
  const double m = A::from_bits(A::to_bits(x) - (static_cast<std::uint64_t>(exponent) << 52));
  const double s = A::div(A::sub(m, 1.0), A::add(m, 1.0));
  const double s2 = A::mul(s, s);
  double series = 0x1.8618618618618p-5;  // 1 / 21
  const double coefficients[] = {
      0x1.af286bca1af28p-5, 0x1.e1e1e1e1e1e1ep-5, 0x1.1111111111111p-4,  // 1 / 19, 17, 15
      0x1.3b13b13b13b14p-4, 0x1.745d1745d1746p-4, 0x1.c71c71c71c71cp-4,  // 1 / 13, 11, 9
      0x1.2492492492492p-3, 0x1.999999999999ap-3, 0x1.5555555555555p-2   // 1 / 7, 5, 3
  };
  for (const double coefficient : coefficients) {
    series = A::add(A::mul(series, s2), coefficient);
  }
  const double twice = A::add(s, s);
  const double small = A::add(A::mul(twice, A::mul(series, s2)),
                              A::mul(n, 0x1.a39ef35793c76p-33));  // low part of ln 2
  // The high part has 32 bits: n times it is exact.
  return A::add(A::mul(n, 0x1.62e42feep-1), A::add(twice, small));
}

/// f(x) and f'(x) of semantics 1 for a finite x, before their rounding to fp32.
VPARITY_HOST_DEVICE inline Tanh<DoubleArithmetic> softcap(float x, float c) {
  using A = DoubleArithmetic;
  return softcap<A>(double{x}, double{c}, A::div(1.0, double{c}));
}

}  // namespace vparity::reproducible
