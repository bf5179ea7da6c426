#include "cpu/scaled_coefficients.h"

#include <algorithm>
#include <cmath>

namespace vparity::cpu {
namespace {

/// 0 if the largest coefficient and its products are well inside fp32's range anyway. Beyond +-252
/// all products overflow or vanish.
int exponent_to_take_out(double largest) {
  if (!std::isfinite(largest) || (largest >= 0x1p-30 && largest <= 0x1p60)) return 0;
  return largest == 0 ? 0 : std::clamp(std::ilogb(largest), -252, 252);
}

}  // namespace

ScaledCoefficients scaled_coefficients(const RowGradient& row, float temperature) {
  const double tau = temperature;
  const double largest = std::fmax(std::fmax(std::abs(row.a), std::abs(row.b)), std::abs(row.d));
  const int exponent = exponent_to_take_out(largest / tau);
  const auto scaled = [&](double value) {
    return static_cast<float>(std::ldexp(value / tau, -exponent));
  };
  const int half = exponent / 2;
  return {scaled(row.a),
          scaled(row.b),
          scaled(row.d),
          {std::ldexp(1.0F, half), std::ldexp(1.0F, exponent - half)}};
}

}  // namespace vparity::cpu
