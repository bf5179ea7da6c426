// The sums of a row over the blocks read so far.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "host/simd/row_kernels.h"

namespace vparity::cpu {

/// Sums relative to the largest logit of the blocks read so far. They are fp64, so that the number
/// of blocks costs no accuracy.
struct RunningSums {
  float max = std::numeric_limits<float>::lowest();  ///< no logit of a valid column is smaller
  double s = 0;  ///< NaN once a NaN or +inf was among the valid columns
  double u = 0;
  double centred = 0;  ///< sum of f(x) - max, not yet divided by the temperature
  std::int32_t n = 0;

  /// Makes the larger `block_max` the reference: the merge operator of semantics 2 with the
  /// identity on the other side.
  void raise_max(float block_max, double temperature) {
    if (s > 0) {
      const double shift = static_cast<double>(max) - block_max;
      const double d = shift / temperature;
      const double c = std::exp(d);
      u = c * (u + d * s);
      s = c * s;
      centred += n * shift;
    }
    max = block_max;
  }

  RowSums finish(double temperature) const {
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    if (std::isnan(s)) return {std::numeric_limits<float>::quiet_NaN(), nan, nan, nan, n};
    if (s == 0) return {-std::numeric_limits<float>::infinity(), 0, 0, 0, 0};
    return {max, s, u, centred / temperature, n};
  }
};

}  // namespace vparity::cpu
