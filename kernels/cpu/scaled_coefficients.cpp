#include "cpu/scaled_coefficients.h"

#include <algorithm>
#include <cmath>

#include "cpu/log_sum.h"

namespace vparity::cpu {
namespace {

/// 0 if the largest coefficient and its products are well inside fp32's range anyway. Beyond +-252
/// all products overflow or vanish.
int exponent_to_take_out(double largest) {
  if (!std::isfinite(largest) || (largest >= 0x1p-60 && largest <= 0x1p60)) return 0;
  return largest == 0 ? 0 : std::clamp(std::ilogb(largest), -252, 252);
}

ScaledCoefficients over_temperature(double a, double b, double d, double tau) {
  const double largest = std::fmax(std::fmax(std::abs(a), std::abs(b)), std::abs(d));
  const int exponent = exponent_to_take_out(largest / tau);
  const auto scaled = [&](double value) {
    return static_cast<float>(std::ldexp(value / tau, -exponent));
  };
  const int half = exponent / 2;
  return {
      scaled(a), scaled(b), scaled(d), {std::ldexp(1.0F, half), std::ldexp(1.0F, exponent - half)}};
}

}  // namespace

ScaledCoefficients exponential_coefficients(const RowGradient& row, float temperature,
                                            bool reproducible) {
  const double s = 1 + double{row.sum_minus_one};
  const double a = (row.a - row.b * log_sum(row.sum_minus_one, reproducible)) / s;
  return over_temperature(a, row.b / s, row.d, temperature);
}

}  // namespace vparity::cpu
