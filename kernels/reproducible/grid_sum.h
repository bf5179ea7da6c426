// Sums of numbers rounded to the grid 2^-40, in integers: the order of the terms does not matter.
#pragma once

#include <cstdint>

#include "reproducible/host_device.h"
#include "reproducible/arithmetic.h"

namespace vparity::reproducible {

// A term v, |v| < 1.5, is rounded in two steps, each of which is one addition of a number whose ulp
// is the grid: c = v + 12 is a multiple of 2^-20, and what that leaves of v, added to 1.5 * 2^-17,
// is rounded to one of 2^-40; the integers are found in the low bits of both. The first step leaves
// an even multiple of 2^-40, so that the second one rounds to nearest even as one step would. It is
// f = v - (c - (12 + 1.5 * 2^-17)), whose inner difference is exact. The bits are added as 32-bit
// integers, whose wrap-around does no harm: the true sums of 1024 terms have 31 bits.
inline constexpr float coarse_grid = 12.0F;
inline constexpr float fine_grid = 0x1.8p-17F;
inline constexpr std::uint32_t coarse_grid_bits = 0x41400000;
inline constexpr std::uint32_t fine_grid_bits = 0x37400000;
inline constexpr std::int64_t grid_terms = 1024;

/// Sums of e^z and e^z z over one row of one shard, in units of 2^-40, each term rounded to nearest
/// even from its fp32 value. To be added over shards in any order.
struct GridSums {
  std::int64_t s;
  std::int64_t u;
};

/// The sum in units of 2^-40 behind `terms` added bit patterns of both steps.
VPARITY_HOST_DEVICE inline std::int64_t grid_total(std::uint32_t coarse, std::uint32_t fine,
                                                   std::uint32_t terms) {
  const auto high = static_cast<std::int32_t>(coarse - terms * coarse_grid_bits);
  const auto low = static_cast<std::int32_t>(fine - terms * fine_grid_bits);
  return std::int64_t{high} * (1 << 20) + low;
}

/// A sum on the grid, term by term: at most `grid_terms` of them between two calls of take_total().
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
