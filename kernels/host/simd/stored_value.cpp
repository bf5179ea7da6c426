#include "host/simd/stored_value.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace vparity {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

template <class T>
T load(const std::byte* at) {  // no alignment is promised
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// IEEE 754 binary16.
float from_fp16(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 0x1F;
  const int fraction = bits & 0x3FF;
  const float sign = (bits & 0x8000) != 0 ? -1.0F : 1.0F;
  if (exponent == 0x1F) {
    return fraction == 0 ? sign * infinity : std::numeric_limits<float>::quiet_NaN();
  }
  // Subnormals have the exponent of the smallest normal number, without its leading 1.
  const int significand = exponent == 0 ? fraction : fraction + 0x400;
  return sign * std::ldexp(static_cast<float>(significand), (exponent == 0 ? 1 : exponent) - 25);
}

}  // namespace

float stored_value(const std::byte* at, DType dtype) {
  switch (dtype) {
    case DType::fp32:
      return load<float>(at);
    case DType::bf16:
      return std::bit_cast<float>(std::uint32_t{load<std::uint16_t>(at)} << 16);
    case DType::fp16:
      return from_fp16(load<std::uint16_t>(at));
  }
  return 0;
}

}  // namespace vparity
