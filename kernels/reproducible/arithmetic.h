// IEEE 754 operations on one number, on the host and on a device. The elementary functions are
// built from them. Their vector form is host/simd/vector_arithmetic-inl.h.
#pragma once

#include <cmath>
#include <cstdint>

#include "reproducible/host_device.h"

namespace vparity::reproducible {

namespace detail {

/// std::bit_cast for device code too.
template <class To, class From>
VPARITY_HOST_DEVICE inline To bits_as(From from) {
  static_assert(sizeof(To) == sizeof(From));
  union {
    From from;
    To to;
  } both = {from};
  return both.to;
}

}  // namespace detail

/// Each operation is rounded separately, to nearest even: nothing here may be contracted.
struct FloatArithmetic {
  using Value = float;
  using Bits = std::uint32_t;

  VPARITY_HOST_DEVICE static Value set(float value) { return value; }
#if defined(__CUDA_ARCH__)
  __device__ static Value add(Value a, Value b) { return __fadd_rn(a, b); }
  __device__ static Value sub(Value a, Value b) { return __fsub_rn(a, b); }
  __device__ static Value mul(Value a, Value b) { return __fmul_rn(a, b); }
  __device__ static Value div(Value a, Value b) { return __fdiv_rn(a, b); }
  __device__ static Value fma(Value a, Value b, Value c) { return __fmaf_rn(a, b, c); }
#else
  static Value add(Value a, Value b) { return a + b; }
  static Value sub(Value a, Value b) { return a - b; }
  static Value mul(Value a, Value b) { return a * b; }
  static Value div(Value a, Value b) { return a / b; }
  static Value fma(Value a, Value b, Value c) { return std::fma(a, b, c); }
#endif
  VPARITY_HOST_DEVICE static Bits to_bits(Value a) { return detail::bits_as<Bits>(a); }
  VPARITY_HOST_DEVICE static Value from_bits(Bits a) { return detail::bits_as<Value>(a); }
  /// 2^n a, both normal numbers; `shifted` has the integer n in its low bits.
  VPARITY_HOST_DEVICE static Value times_power_of_two(Value a, Value, Value shifted) {
    return from_bits(to_bits(a) + (to_bits(shifted) << 23));
  }
  /// a, or 0 if x < limit.
  VPARITY_HOST_DEVICE static Value if_at_least(Value x, Value limit, Value a) {
    return x >= limit ? a : 0;
  }
};

struct DoubleArithmetic {
  using Value = double;
  using Bits = std::uint64_t;
  static constexpr Bits sign_bit = Bits{1} << 63;

  VPARITY_HOST_DEVICE static Value set(double value) { return value; }
#if defined(__CUDA_ARCH__)
  __device__ static Value add(Value a, Value b) { return __dadd_rn(a, b); }
  __device__ static Value sub(Value a, Value b) { return __dsub_rn(a, b); }
  __device__ static Value mul(Value a, Value b) { return __dmul_rn(a, b); }
  __device__ static Value div(Value a, Value b) { return __ddiv_rn(a, b); }
#else
  static Value add(Value a, Value b) { return a + b; }
  static Value sub(Value a, Value b) { return a - b; }
  static Value mul(Value a, Value b) { return a * b; }
  static Value div(Value a, Value b) { return a / b; }
#endif
  VPARITY_HOST_DEVICE static Value min(Value a, Value b) { return a < b ? a : b; }
  VPARITY_HOST_DEVICE static Value abs(Value a) { return from_bits(to_bits(a) & ~sign_bit); }
  VPARITY_HOST_DEVICE static Value with_sign_of(Value magnitude, Value sign) {
    return from_bits(to_bits(magnitude) | (to_bits(sign) & sign_bit));
  }
  VPARITY_HOST_DEVICE static Bits to_bits(Value a) { return detail::bits_as<Bits>(a); }
  VPARITY_HOST_DEVICE static Value from_bits(Bits a) { return detail::bits_as<Value>(a); }
  template <int kBits>
  VPARITY_HOST_DEVICE static Bits shift_left(Bits a) {
    return a << kBits;
  }
};

}  // namespace vparity::reproducible
