#include "reference/storage_format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace vparity::reference {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A binary interchange format: `precision` significant bits, the hidden one included; normal
/// numbers have exponents from 1 - max_exponent to max_exponent.
struct Layout {
  int precision;
  int max_exponent;

  constexpr int min_exponent() const { return 1 - max_exponent; }
  constexpr int fraction_bits() const { return precision - 1; }
};

constexpr Layout layout_of(Format format) {
  switch (format) {
    case Format::bf16:
      return {8, 127};
    case Format::fp16:
      return {11, 15};
    case Format::fp32:
      break;
  }
  return {24, 127};
}

Layout layout_of_16_bits(Format format) {
  if (format == Format::fp32) throw std::invalid_argument("reference: fp32 is no 16-bit format");
  return layout_of(format);
}

/// 2^exponent, for the exponents of normal doubles.
constexpr double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

/// floor(log2 |value|) of a normal double; subnormal doubles, far below every format's range, give
/// -1023.
constexpr int binade(double value) {
  return static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52 & 0x7FF) - 1023;
}

/// The distance between neighbours around `value`, as if the range had no end.
constexpr double spacing(const Layout& layout, double value) {
  const int exponent = std::max(binade(value), layout.min_exponent());
  return power_of_two(exponent - layout.fraction_bits());
}

constexpr double largest_finite(const Layout& layout) {
  return (2 - power_of_two(-layout.fraction_bits())) * power_of_two(layout.max_exponent);
}

/// Halfway between the largest value and the power of two that would follow it. The tie goes to
/// even, which is the power of two, so the threshold itself is an infinity already.
constexpr double overflow_threshold(const Layout& layout) {
  const double largest = largest_finite(layout);
  return largest + spacing(layout, largest) / 2;
}

}  // namespace

double largest_finite(Format format) { return largest_finite(layout_of(format)); }

double round_to(Format format, double value) {
  if (!std::isfinite(value)) return value;
  const Layout layout = layout_of(format);
  if (std::abs(value) >= overflow_threshold(layout)) return std::copysign(infinity, value);
  const double unit = spacing(layout, value);
  return std::nearbyint(value / unit) * unit;  // both scalings are exact
}

double half_ulp(Format format, double value) {
  const Layout layout = layout_of(format);
  if (std::isnan(value)) return value;
  if (std::abs(value) >= overflow_threshold(layout)) return infinity;
  return spacing(layout, value) / 2;
}

std::uint16_t encode16(Format format, double value) {
  const Layout layout = layout_of_16_bits(format);
  const int fraction_bits = layout.fraction_bits();
  const unsigned infinity_bits = (2U * static_cast<unsigned>(layout.max_exponent) + 1)
                                 << fraction_bits;
  if (std::isnan(value))
    return static_cast<std::uint16_t>(infinity_bits | 1U << (fraction_bits - 1));

  const double rounded = round_to(format, value);
  const unsigned sign = std::signbit(rounded) ? 0x8000U : 0U;
  if (std::isinf(rounded)) return static_cast<std::uint16_t>(sign | infinity_bits);

  // Magnitudes are numbered from 0 on through the subnormals and all binades: the fraction carries
  // into the exponent field.
  const int exponent = std::max(binade(rounded), layout.min_exponent());
  const auto steps =
      static_cast<unsigned>(std::abs(rounded) / power_of_two(exponent - fraction_bits));
  const auto field = static_cast<unsigned>(exponent - layout.min_exponent()) << fraction_bits;
  return static_cast<std::uint16_t>(sign | (field + steps));
}

double decode16(Format format, std::uint16_t bits) {
  const Layout layout = layout_of_16_bits(format);
  const int fraction_bits = layout.fraction_bits();
  const double sign = (bits & 0x8000U) != 0 ? -1 : 1;
  const int field = (bits & 0x7FFF) >> fraction_bits;
  const int fraction = bits & ((1 << fraction_bits) - 1);
  if (field == 2 * layout.max_exponent + 1)
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN() : sign * infinity;
  const int hidden = field == 0 ? 0 : 1 << fraction_bits;
  const int exponent = std::max(field, 1) - 1 + layout.min_exponent();
  return sign * (hidden + fraction) * power_of_two(exponent - fraction_bits);
}

}  // namespace vparity::reference
