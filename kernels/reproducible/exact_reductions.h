// The two reductions of mode `reproducible` whose result does not depend on the order: the maximum
// of a row as an integer, and sums of numbers that are rounded to the grid 2^-40, as integers.
#pragma once

#include <cstdint>
#include <limits>

#include "reproducible/arithmetic.h"
#include "reproducible/host_device.h"

namespace vparity::reproducible {

/// Integers in the order of the numbers they stand for. NaN is the largest; both zeros have one
/// key.
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

// A term v, |v| < 1.5, is rounded in two steps. Each step adds a number whose ulp is the grid.
// First, c = v + 12 is a multiple of 2^-20. Then the rest of v, added to 1.5 * 2^-17, is rounded to
// a multiple of 2^-40. The integers stand in the low bits of both results. The first step leaves an
// even multiple of 2^-40, so that the second one rounds to nearest even as a single step would. It
// is f = v - (c - (12 + 1.5 * 2^-17)), whose inner difference is exact. The bits are added as
// 32-bit integers, whose wrap-around does no harm: the true sums of 1024 terms have 31 bits.
inline constexpr float coarse_grid = 12.0F;
inline constexpr float fine_grid = 0x1.8p-17F;
inline constexpr std::uint32_t coarse_grid_bits = 0x41400000;
inline constexpr std::uint32_t fine_grid_bits = 0x37400000;
inline constexpr std::int64_t grid_terms = 1024;

/// Sums of e^z and e^z z over one row of one shard, in units of 2^-40. Each term is rounded to
/// nearest even from its fp32 value. Shards may be added in any order.
struct GridSums {
  std::int64_t s;
  std::int64_t u;
};

/// The sum in units of 2^-40, from the added bit patterns of both steps of `terms` terms.
VPARITY_HOST_DEVICE inline std::int64_t grid_total(std::uint32_t coarse, std::uint32_t fine,
                                                   std::uint32_t terms) {
  const auto high = static_cast<std::int32_t>(coarse - terms * coarse_grid_bits);
  const auto low = static_cast<std::int32_t>(fine - terms * fine_grid_bits);
  return std::int64_t{high} * (1 << 20) + low;
}

/// A sum on the grid, term by term: at most `grid_terms` terms between two calls of take_total().
class GridSum {
 public:
  VPARITY_HOST_DEVICE void add(float v) {
    using A = FloatArithmetic;
    const float coarse = A::add(v, coarse_grid);
    const float fine = A::sub(v, A::sub(coarse, coarse_grid + fine_grid));
    coarse_ += A::to_bits(coarse);
    fine_ += A::to_bits(fine);
    ++terms_;
  }

  /// The sum of the terms added since the last call.
  VPARITY_HOST_DEVICE std::int64_t take_total() {
    const std::int64_t total = grid_total(coarse_, fine_, terms_);
    coarse_ = fine_ = terms_ = 0;
    return total;
  }

 private:
  std::uint32_t coarse_ = 0, fine_ = 0, terms_ = 0;
};

}  // namespace vparity::reproducible
