// Sums of numbers rounded to the grid 2^-40, in integers: the order of the terms does not matter.
#pragma once

#include <cstdint>

namespace vparity::cpu {

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

/// The sum in units of 2^-40 behind `terms` added bit patterns of both steps.
inline std::int64_t grid_total(std::uint32_t coarse, std::uint32_t fine, std::uint32_t terms) {
  const auto high = static_cast<std::int32_t>(coarse - terms * coarse_grid_bits);
  const auto low = static_cast<std::int32_t>(fine - terms * fine_grid_bits);
  return std::int64_t{high} * (1 << 20) + low;
}

}  // namespace vparity::cpu
