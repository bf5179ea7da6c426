// The maximum of a row as an integer, so that ranks and devices find the same one in any order.
#pragma once

#include <cstdint>
#include <limits>

#include "reproducible/arithmetic.h"

namespace vparity::reproducible {

/// Integers in the order of the numbers they stand for. NaN is the largest; the two zeros are one.
using OrderKey = std::int32_t;

inline constexpr OrderKey nan_key = std::numeric_limits<OrderKey>::max();

VPARITY_HOST_DEVICE inline OrderKey order_key(float x) {
  if (x != x) return nan_key;
  const auto bits = detail::bits_as<std::int32_t>(x == 0 ? 0.0F : x);
  return bits >= 0 ? bits : bits ^ 0x7FFFFFFF;
}

VPARITY_HOST_DEVICE inline float value_of(OrderKey key) {
  if (key == nan_key) return detail::bits_as<float>(std::uint32_t{0x7FC00000});
  return detail::bits_as<float>(key >= 0 ? key : key ^ 0x7FFFFFFF);
}

}  // namespace vparity::reproducible
