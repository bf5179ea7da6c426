// CUDA's arithmetic functions, with the same results.
#pragma once

#include <cmath>
#include <cstring>
#include <limits>

namespace vparity::simt::language {

using ::exp2f;
using ::fmaf;
using ::rintf;
using std::fma;

inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
inline double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }

/// Rounds to nearest even. Out of range: the nearest end. NaN: the smallest number. As cvt.rni.s64.
inline long long __double2ll_rn(double x) {
  using Limits = std::numeric_limits<long long>;
  if (!(x >= -0x1p63)) return Limits::min();
  return x >= 0x1p63 ? Limits::max() : std::llrint(x);
}
inline long long __float2ll_rn(float x) { return __double2ll_rn(double{x}); }

inline unsigned __float_as_uint(float x) {
  unsigned bits;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}
inline float __uint_as_float(unsigned bits) {
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}
inline int __float_as_int(float x) { return static_cast<int>(__float_as_uint(x)); }
inline float __int_as_float(int bits) { return __uint_as_float(static_cast<unsigned>(bits)); }

/// 2^x; a result below 2^-126 is +0. A device's (ex2.approx.ftz.f32) is within 2 ulp of it.
inline float exp2_flushed(float x) {
  const float result = std::exp2(x);
  return result < 0x1p-126F ? 0.0F : result;
}

/// The larger; NaN if either is NaN; +0 is larger than -0 (max.NaN.f32).
inline float max_keeping_nan(float a, float b) {
  if (a != a || b != b) return __uint_as_float(0x7FFFFFFF);
  if (a == b) return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

}  // namespace vparity::simt::language
