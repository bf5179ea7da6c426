// The coefficients of a row's gradient in the precision of the vectorised pass.
#pragma once

#include "cpu/row_kernels.h"

namespace vparity::cpu {

/// A, B and D over tau, in fp32. They may lie beyond fp32's range where their products with p do
/// not; a power of two is then taken out of them, to be multiplied back at the end.
struct ScaledCoefficients {
  float a, b, d;
  float scale[2];  ///< the power of two as two factors, since it may itself be beyond the range

  bool scaled() const { return scale[0] != 1 || scale[1] != 1; }
};

ScaledCoefficients scaled_coefficients(const RowGradient& row, float temperature);

}  // namespace vparity::cpu
