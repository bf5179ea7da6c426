// The coefficients of a row's gradient in the precision of the vectorised pass.
#pragma once

#include <cmath>

#include "cpu/row_kernels.h"

namespace vparity::cpu {

/// Three coefficients over tau, in fp32. They may lie beyond fp32's range where their products with
/// p do not; a power of two is then taken out of them, to be multiplied back at the end.
struct ScaledCoefficients {
  float a, b, d;
  float scale[2];  ///< the power of two as two factors, since it may itself be beyond the range

  bool scaled() const { return scale[0] != 1 || scale[1] != 1; }
  /// Finite, without a factor and without smoothing.
  bool plain() const { return !scaled() && std::isfinite(a) && std::isfinite(b) && d == 0; }
};

/// Of p_v (A + B log p_v) + D as e^z_v (a + b z_v) + D: a = (A - B L) / s, b = B / s and D. Nothing
/// cancels that did not before: |A - B L| and |z_v| are at most what the bound has for |A| and |log
/// p_v|. If `reproducible`, L is by the library's own logarithm.
ScaledCoefficients exponential_coefficients(const RowGradient& row, float temperature,
                                            bool reproducible);

}  // namespace vparity::cpu
